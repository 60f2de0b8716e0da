// A LinkTest run as suites of the measurement document, which calibration and comparison read
// (docs/reference/linktest.md, "Measuring").
#pragma once
#include <vector>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/measurement/measurement.hpp"

namespace busline::linktest {

/// For each iteration and class of pairs, a suite with a point per measured direction, whose argument is the
/// step; and a suite of the pairs that were measured again alone. Times that are not finite and greater than
/// 0, and iterations whose pairs are not known, are left out. Points are copies: this is for thousands of
/// pairs, not for millions.
std::vector<measure::Suite> suites_of(const LinkTestResult& result);

}  // namespace busline::linktest
