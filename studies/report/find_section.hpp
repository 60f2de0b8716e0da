// A value that is good enough: the document that 'busline study find --json' prints (docs/how-to/studies.md).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

struct StoredFind {
  struct Tried {
    std::string value, status;
    bool good = false;
    std::optional<Duration> run_time;
  };
  std::string axis;
  Duration target;
  double within = 0;
  std::optional<std::string> found;
  bool several_borders = false;
  std::vector<Tried> tried;  ///< along the axis
};

/// Errors name the member that is missing or wrong.
Expected<StoredFind> read_find(const Document& document);

/// What was found, and all that was tried. `source` is the document's file.
Section find_section(const StoredFind& find, const std::string& source);

}  // namespace busline::report
