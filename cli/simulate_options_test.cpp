#include "cli/simulate_options.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::cli;

TEST_CASE("a call is counted from the start or from the end") {
  CHECK(parse_call("MPI_Barrier:2", "--from")->number == 2);
  CHECK(parse_call("MPI_Barrier:-1", "--from")->number == -1);
  CHECK(parse_call("MPI_Barrier", "--from")->number == 1);
  for (const auto* wrong : {"", ":1", "MPI_Barrier:", "MPI_Barrier:0", "MPI_Barrier:one"})
    CHECK_FALSE(parse_call(wrong, "--from"));
}

TEST_CASE("a region is what its options say, and nothing without them") {
  CHECK_FALSE(parse_region("", "", "")->has_value());
  const auto calls = parse_region("MPI_Init:1", "MPI_Finalize:-1", "");
  CHECK(describe(**calls) == "from MPI_Init 1 to MPI_Finalize -1");
  const auto times = parse_region("", "", "1ms..2.5ms");
  CHECK((*times)->after == Duration::picoseconds(1'000'000'000));
  CHECK((*times)->before == Duration::picoseconds(2'500'000'000));
  CHECK(describe(**parse_region("", "", "..2ms")) == "before 2 ms");
  CHECK(describe(**parse_region("", "", "2ms..")) == "after 2 ms");
}

TEST_CASE("a meaningless time range is refused") {
  CHECK(to_string(parse_region("", "", "1ms").error()) ==
        "--time-range: '1ms': expected two times with '..' between them\n"
        "  such as 1ms..2.5ms; you can leave out either");
  CHECK_FALSE(parse_region("", "", "1..2ms"));
  CHECK_FALSE(parse_region("", "", "2ms..1ms"));
}
