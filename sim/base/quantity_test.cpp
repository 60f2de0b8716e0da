#include "sim/base/quantity.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("durations are read in every form that people write") {
  CHECK(parse_duration("1.5us") == Duration::picoseconds(1'500'000));
  CHECK(parse_duration("250 ns") == Duration::picoseconds(250'000));
}

TEST_CASE("bits and bytes are distinguished") {
  CHECK(parse_bandwidth("10 Gbps")->in_bytes_per_second() == 1.25e9);
  CHECK(parse_bandwidth("10 GB/s")->in_bytes_per_second() == 1e10);
}

TEST_CASE("a missing or unknown unit names its column") {
  const auto p = parse_duration("10 furlongs");
  REQUIRE_FALSE(p);
  CHECK(p.error().column == 4);
  CHECK(parse_duration("10").error().reason.find("unit is missing") != std::string::npos);
}

TEST_CASE("quantities that are too large or not whole bytes are refused") {
  CHECK(parse_duration("1e308 s").error().reason == "the value is too large");
  CHECK(parse_duration("107 d").error().reason.starts_with("unknown unit 'd', expected one as in"));
  CHECK(parse_duration("1e9 s").error().reason == "longer than the 106 days that the simulated clock holds");
  CHECK(parse_duration("-1 s").error().reason == "expected a number that is finite and not negative");
  CHECK(parse_bandwidth("0 GB/s").error().reason == "a bandwidth must be greater than zero");
  CHECK(parse_bytes("1.5B").error().reason == "not a whole number of bytes");
  CHECK(parse_bytes("1e8 GiB").error().reason == "more than 8 PiB");
}

TEST_CASE("hostile numbers are refused") {
  for (auto text : {"", "nan s", "inf s", "-1 s", "1e400 s", "1e30 s", "0x10 s", "1 s ", " 1 s"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("the texts of to_text read back as the same value") {
  for (const std::int64_t ps : {std::int64_t{0}, std::int64_t{1}, std::int64_t{999}, std::int64_t{1'500'000},
                                std::int64_t{9'007'199'254'740'991}, std::int64_t{8'640'000'000'000'001}}) {
    CAPTURE(ps);
    CHECK(parse_duration(to_text(Duration::picoseconds(ps))) == Duration::picoseconds(ps));
  }
  for (const double v : {1.0, 12.5e9, 1048576.0 * 200.112, 1.0 / 3.0, 1e15}) {
    const auto b = Bandwidth::bytes_per_second(v);
    CAPTURE(to_text(b));
    CHECK(parse_bandwidth(to_text(b)) == b);
  }
  CHECK(to_text(Bytes{65536}) == "64 KiB");
  CHECK(to_text(Bytes{65537}) == "65537 B");
  CHECK(parse_bandwidth("unlimited")->is_unlimited());
}

TEST_CASE("a share is a number or per cent, finite and not negative") {
  CHECK(parse_share("2%") == 0.02);
  CHECK(parse_share("0.02") == 0.02);
  CHECK(parse_share("0") == 0.0);
  CHECK(parse_share("250%") == 2.5);
  CHECK(parse_share("1") == 1.0);
  CHECK(parse_share("10").error().reason == "did you mean 10%? A share above 1 is written in per cent");
  for (const char* text : {"", "1.01", "%", "-1%", "two", "2 %", "2%%", "nan", "inf", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_share(text));
  }
}
