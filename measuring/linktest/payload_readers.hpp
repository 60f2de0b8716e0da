// The readers of the two layouts, for read_linktest().
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/sion/container.hpp"
#include "sim/base/error.hpp"

namespace busline::linktest {

/// How a payload is encoded, as its beginning told.
struct Encoding {
  sion::ByteOrder order = sion::ByteOrder::little;
  bool tagged = true;  ///< the streams begin with a tag and the version; 1.0 does without
};

Expected<LinkTestResult> read_version1(const sion::Container& container, Encoding encoding,
                                       Diagnostics& diagnostics);
Expected<LinkTestResult> read_version2(const sion::Container& container, Encoding encoding,
                                       Diagnostics& diagnostics);

/// Adds those retests that were made: both ranks are 0 where a slot was not used. Says which were left out
/// because their ranks do not exist, if any.
std::string add_retests(Iteration& to, std::uint32_t ranks, const std::vector<double>& first,
                        const std::vector<double>& second, const std::vector<std::uint64_t>& initiators,
                        const std::vector<std::uint64_t>& responders);

}  // namespace busline::linktest
