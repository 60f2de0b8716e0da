// The two lines that the ZiaTest program prints (Los Alamos, 2008): written, and read back.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::ziatest {

/// What those lines tell.
struct ClassicResult {
  Duration total;                  ///< from the launch to the last time stamp
  std::uint32_t slowest_rank = 0;  ///< who took that stamp
  bool operator==(const ClassicResult&) const = default;
};

/// How the time is shown.
enum class ClassicTime {
  original,      ///< milliseconds below one second, from there on minutes and whole seconds, cut off
  milliseconds,  ///< always; as the copy of the program that runs on Azure does
};

/// "Time test was completed in   624.57 millisecs\nSlowest rank: 8\n". The time is 0 or more; of it whole
/// microseconds count, since the program's clock has no finer ones.
std::string classic_text(const ClassicResult& result, ClassicTime time = ClassicTime::original);

/// Finds the two lines in `text`, which may hold others, such as the echoed launch command. Any run of
/// blanks separates words: pages on the web have lost the padding. The total is as exact as it was printed.
/// `path` is for messages.
Expected<ClassicResult> parse_classic(std::string_view text, const std::string& path);

}  // namespace busline::ziatest
