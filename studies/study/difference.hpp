// Two results, or the results of two studies, side by side (busline diff).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/study/outcome.hpp"

namespace busline {

/// The contents of a file: the points of a study by the values of their axes, or the single run of a result
/// document.
struct ComparableRuns {
  struct Run {
    std::string name;  ///< "network/buses = 4, model = ideal"; empty of a single run
    std::string key;   ///< the same with whole values: what runs are paired by
    Outcome outcome;
  };
  std::string file;
  std::vector<Run> runs;
};

/// Reads a results file of 'busline study', or what 'busline simulate --json' printed. Errors: the file is
/// neither, or cannot be read.
Expected<ComparableRuns> read_comparable_runs(const std::string& path);

struct Difference {
  std::string first, second;  ///< files
  struct Pair {
    std::string name;
    Outcome first, second;
  };
  std::vector<Pair> pairs;                           ///< in the first file's order
  std::vector<std::string> only_first, only_second;  ///< names
};
/// Compares runs of the same name; two single runs are always compared.
Difference difference_of(const ComparableRuns& first, const ComparableRuns& second);

/// A row for each pair: both run times, their ratio, and which part of the time changed most: on the critical
/// path if all outcomes have one.
std::string to_text(const Difference& difference);
/// "busline/diff/1". Provenance is the caller's to add.
nlohmann::ordered_json to_json(const Difference& difference);

}  // namespace busline
