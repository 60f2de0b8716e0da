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

TEST_CASE("milliseconds are available for long times, too, with single-precision error") {
  CHECK(classic_text({us(3'725'000'120), 1}, ClassicTime::milliseconds) ==
        "Time test was completed in 3725000.25 millisecs\nSlowest rank: 1\n");
}

TEST_CASE("fractions of a microsecond do not count: the program's clock has none") {
  CHECK(time_of(us(1'000'000) - Duration::picoseconds(1)) == "Time test was completed in  1000.00 millisecs");
}

TEST_CASE("the output can be read back, even without its padding") {
  CHECK(parse_classic(classic_text({us(624'570), 8}), "") == ClassicResult{us(624'570), 8});
  CHECK(parse_classic(classic_text({us(3'725'999'999), 0}), "") == ClassicResult{us(3'725'000'000), 0});
  CHECK(parse_classic("$ ./ziatest 4\nTime test was completed in 624.57 millisecs\r\nSlowest rank: 8", "") ==
        ClassicResult{us(624'570), 8});
  CHECK(parse_classic("Time test was completed in\t0:01  min:sec \n\n Slowest   rank:   16", "") ==
        ClassicResult{us(1'000'000), 16});
}

TEST_CASE("output of the real program reads") {
  const std::vector<ClassicResult> expected{
      {us(1'000'000), 0}, {us(563'060), 0}, {us(978'930), 0}, {us(683'660), 0}};
  std::ifstream file(BUSLINE_SOURCE_DIR "/validation/golden/ziatest/real_runs.txt");
  std::vector<ClassicResult> read;
  std::string run;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) {
      run += line + '\n';
      continue;
    }
    const auto result = parse_classic(run, "real_runs.txt");
    REQUIRE(result);
    read.push_back(*result);
    run.clear();
  }
  CHECK(read == expected);
}

TEST_CASE("anything that is not the program's output is refused with its line") {
  CHECK(classic_refusal("") == "zia.out: ZiaTest's line 'Time test was completed in ...' is missing");
  CHECK(classic_refusal("Time test was completed in 1.00 millisecs\n") ==
        "zia.out: ZiaTest's line 'Slowest rank: ...' is missing");
  const std::string wrong_time = "zia.out:2: the time is not a number of millisecs and no M:SS of min:sec";
  for (const auto* time :
       {"", "1.0", "x millisecs", "-1 millisecs", "nan millisecs", "inf millisecs", "1e300 millisecs",
        "1 min:sec", "1:60 min:sec", "1:-1 min:sec", "99999999999:00 min:sec", "1:00 hours"}) {
    CAPTURE(time);
    CHECK(classic_refusal(std::string("\nTime test was completed in ") + time) == wrong_time);
  }
  for (const auto* rank : {"", "x", "-1", "4294967296", "1 2"})
    CHECK(classic_refusal(std::string("Slowest rank: ") + rank) ==
          "zia.out:1: the slowest rank is not a whole number");
}
