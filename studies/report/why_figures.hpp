// The explanation of a run time: the member "why" of a result document ('simulate --json --why').
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

struct StoredWhy {
  /// Parts of the critical path by cause, as the document names them.
  using Parts = std::vector<std::pair<std::string, Duration>>;
  struct Share {
    std::string name;  ///< "rank 3", "MPI_Recv"
    Parts parts;
  };
  struct Step {
    std::string change;
    Duration predicted, simulated;
  };
  struct CheckedFigure {
    std::string figure;
    bool reliable = false;
    double median = 0, low = 0, high = 0, by_a_run = 0, by_slope = 0;
  };
  struct Efficiency {
    double parallel = 0, load_balance = 0, serialisation = 0, transfer = 0;
  };
  Duration total;
  Parts parts;
  std::vector<Share> ranks, calls;
  bool exact = false;
  double latency = 0, inverse_bandwidth_ps = 0, inverse_cpu_speed_ps = 0;
  std::vector<CheckedFigure> advice;  ///< what 10 % better figures change; none in older documents
  std::uint32_t runs = 0;             ///< that were made for the explanation
  std::vector<Step> steps;
  std::optional<Efficiency> efficiency;
  std::optional<Duration> spread;  ///< of the runs that --resolution asked for
};

/// Nothing if the document does not have the member. Errors name the member that is missing or wrong.
Expected<std::optional<StoredWhy>> read_why(const Document& document);

/// Adds sentences behind the run's own first one, and figures before the run's.
void add_why(const StoredWhy& why, Section& run);

}  // namespace busline::report
