#include "measuring/ziatest/classic_output.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::ziatest;

namespace {

std::string time_of(Duration total) {
  const auto text = classic_text({total, 0});
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("times are printed as the program prints them") {
  CHECK(classic_text({us(624'570), 8}) == "Time test was completed in   624.57 millisecs\nSlowest rank: 8\n");
  CHECK(classic_text({us(1'400'000), 15}) == "Time test was completed in   0:01 min:sec\nSlowest rank: 15\n");
  CHECK(time_of(us(999'994)) == "Time test was completed in   999.99 millisecs");
  CHECK(time_of(us(999'999)) == "Time test was completed in  1000.00 millisecs");
  CHECK(time_of(us(1'000'000)) == "Time test was completed in   0:01 min:sec");
  CHECK(time_of(us(59'999'000)) == "Time test was completed in   0:59 min:sec");
  CHECK(time_of(us(61'200'000)) == "Time test was completed in   1:01 min:sec");
  CHECK(time_of(us(3'725'000'000)) == "Time test was completed in  62:05 min:sec");
  CHECK(time_of(Duration()) == "Time test was completed in     0.00 millisecs");
}

TEST_CASE("milliseconds can be had for long times, too, with the error of single precision") {
  CHECK(classic_text({us(3'725'000'120), 1}, ClassicTime::milliseconds) ==
        "Time test was completed in 3725000.25 millisecs\nSlowest rank: 1\n");
}

TEST_CASE("fractions of a microsecond do not count: the program's clock has none") {
  CHECK(time_of(us(1'000'000) - Duration::picoseconds(1)) == "Time test was completed in  1000.00 millisecs");
}

TEST_CASE("the lines are those that the real program printed") {
  const std::vector<ClassicResult> results{
      {us(1'000'000), 0}, {us(563'060), 0}, {us(978'930), 0}, {us(683'660), 0}};
  std::ifstream file(BUSLINE_SOURCE_DIR "/validation/golden/ziatest/real_runs.txt");
  std::string printed, expected;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Time test") || line.starts_with("Slowest rank")) printed += line + '\n';
  for (const auto& r : results) expected += classic_text(r);
  CHECK(printed == expected);
}
