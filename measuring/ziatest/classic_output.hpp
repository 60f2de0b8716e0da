// The two lines that the ZiaTest program prints (Los Alamos, 2008).
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/units.hpp"

namespace busline::ziatest {

/// What those lines tell.
struct ClassicResult {
  Duration total;                  ///< from the launch to the last time stamp
  std::uint32_t slowest_rank = 0;  ///< who took that stamp
};

/// How the time is shown.
enum class ClassicTime {
  original,      ///< milliseconds below one second, from there on minutes and whole seconds, cut off
  milliseconds,  ///< always; as the copy of the program that runs on Azure does
};

/// "Time test was completed in   624.57 millisecs\nSlowest rank: 8\n". The time is 0 or more; of it whole
/// microseconds count, since the program's clock has no finer ones.
std::string classic_text(const ClassicResult& result, ClassicTime time = ClassicTime::original);

}  // namespace busline::ziatest
