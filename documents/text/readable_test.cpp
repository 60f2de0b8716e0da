#include "documents/text/readable.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("a time is shown in a suitable unit, with five digits") {
  CHECK(readable(Duration::picoseconds(238'131'456'789)) == "238.13 ms");
  CHECK(readable(Duration::picoseconds(1'500'000)) == "1.5 us");
  CHECK(readable(Duration::picoseconds(999)) == "999 ps");
  CHECK(readable(Duration::picoseconds(-2'000'000'000'000)) == "-2 s");
  CHECK(readable(Duration()) == "0 s");
  CHECK(readable(std::chrono::nanoseconds(1'500)) == "1.5 us");
  CHECK(readable(std::chrono::hours(24 * 365)) == "3.1536e+07 s");
}

TEST_CASE("a time is shown with no more digits than its resolution") {
  const auto t = Duration::picoseconds(238'131'456'789);
  CHECK(readable(t, Duration::picoseconds(1'000'000'000)) == "238 ms");
  CHECK(readable(t, Duration::picoseconds(100'000'000)) == "238.1 ms");
  CHECK(readable(t, Duration::picoseconds(1)) == "238.13 ms");
  CHECK(readable(t, Duration()) == "238.13 ms");
}

TEST_CASE("bytes and counts are shortened for reading") {
  CHECK(readable(Bytes{15'728'640}) == "15.73 MB");
  CHECK(readable(Bytes{512}) == "512 B");
  CHECK(readable(Bytes{0}) == "0 B");
  CHECK(readable(Bandwidth::bytes_per_second(1.061'636e9)) == "1.062 GB/s");
  CHECK(readable(Bandwidth::unlimited()) == "unlimited");
  CHECK(readable(std::uint64_t{1'204'311}) == "1,204,311");
  CHECK(readable(std::uint64_t{999}) == "999");
  CHECK(readable(1, "rank") == "1 rank");
  CHECK(readable(1024, "rank") == "1,024 ranks");
  CHECK(percent(0.1234) == "12.3 %");
}

TEST_CASE("a column of times keeps the unit of its largest") {
  const TimeColumn ms(Duration::picoseconds(238'131'456'789));
  CHECK(ms.unit == "ms");
  CHECK(ms(Duration::picoseconds(1'500'000)) == "0.002");
  CHECK(ms(Duration::picoseconds(238'131'456'789)) == "238.131");
  CHECK(TimeColumn(Duration()).unit == "s");
  CHECK(ms(std::chrono::nanoseconds(1'500'000)) == "1.500");
}
