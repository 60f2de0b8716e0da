// Where a workload came from, in lines for people. A Program file keeps them, so that its Program can still
// be traced back when its trace is not at hand.
#pragma once
#include <string>
#include <vector>

namespace busline {

/// Such as {"source", "run/trace.meta"}. A key may come several times.
struct OriginLine {
  std::string key, value;
  bool operator==(const OriginLine&) const = default;
};
using Origin = std::vector<OriginLine>;

}  // namespace busline
