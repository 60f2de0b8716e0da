#include "cli/convert_options.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::cli;

TEST_CASE("ranks are numbers and ranges, with commas between them") {
  using Ranks = std::vector<std::uint32_t>;
  CHECK(*parse_ranks("3") == Ranks{3});
  CHECK(*parse_ranks("0-3,7") == Ranks{0, 1, 2, 3, 7});
  CHECK(*parse_ranks("7,5-5") == Ranks{7, 5});
  for (const auto* wrong : {"", ",", "1,", "-1", "1-", "3-1", "1-2-3", "x", "1 2", "99999999999", "10000000"})
    CHECK_FALSE(parse_ranks(wrong));
  CHECK(to_string(parse_ranks("0,3-1").error()) ==
        "--ranks: '3-1' is neither a rank nor a range of ranks from 0 to 9999999\n  such as --ranks 0-3,7");
  CHECK(to_string(parse_ranks("0-9999999,0-9999999").error()) ==
        "--ranks: names more than 9999999 ranks\n  name each rank once");
}

TEST_CASE("a selection has the times in whole nanoseconds, rounded up") {
  const auto selection = parse_selection("1", "1.5us", "2.0001us");
  REQUIRE(selection.has_value());
  CHECK(selection->ranks == std::vector<std::uint32_t>{1});
  CHECK(selection->range.from == 1500);
  CHECK(selection->range.to == 2001);
  CHECK(parse_selection("", "", "")->range.is_everything());
  CHECK(parse_selection("", "", "")->ranks.empty());
  CHECK(parse_selection("", "0s", "")->range.from == 0);
}

TEST_CASE("a selection of no time, or of a time without its unit, is refused") {
  CHECK(to_string(parse_selection("", "2s", "2s").error()) == "--to: 2s is not after --from 2s");
  CHECK(to_string(parse_selection("", "2", "").error()) ==
        "--from: 2: column 2: a unit is missing, as in \"1.5us\"\n"
        "  a time from the end of MPI_Init: --from 1.5s");
}
