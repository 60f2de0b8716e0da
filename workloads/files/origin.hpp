// The origin of a workload, in lines for a reader. A Program file stores them, so that its Program can be
// traced back without its trace.
#pragma once
#include <string>
#include <vector>

namespace busline {

/// Such as {"source", "run/trace.meta"}. A key may occur several times.
struct OriginLine {
  std::string key, value;
  bool operator==(const OriginLine&) const = default;
};
using Origin = std::vector<OriginLine>;

}  // namespace busline
