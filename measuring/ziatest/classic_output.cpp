#include "measuring/ziatest/classic_output.hpp"

#include <fmt/format.h>

namespace busline::ziatest {
namespace {

constexpr std::int64_t kPicosecondsInMicrosecond = 1'000'000;
constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerMinute = 60;

}  // namespace

std::string classic_text(const ClassicResult& result, ClassicTime time) {
  const auto us = result.total.count() / kPicosecondsInMicrosecond;
  const auto seconds = us / kMicrosecondsPerSecond;
  if (time == ClassicTime::original && seconds > 0)
    return fmt::format("Time test was completed in {:3}:{:02} min:sec\nSlowest rank: {}\n",
                       seconds / kSecondsPerMinute, seconds % kSecondsPerMinute, result.slowest_rank);
  // The program computes this number with single precision.
  return fmt::format("Time test was completed in {:8.2f} millisecs\nSlowest rank: {}\n",
                     static_cast<double>(static_cast<float>(us) / 1000.0F), result.slowest_rank);
}

}  // namespace busline::ziatest
