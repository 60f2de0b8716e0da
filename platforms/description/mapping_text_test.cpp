#include "platforms/description/mapping_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace busline;

TEST_CASE("a mapping is a word, a number per node, or a list of nodes") {
  CHECK(parse_mapping("fill")->kind == Mapping::Kind::fill);
  CHECK(parse_mapping("round-robin")->kind == Mapping::Kind::round_robin);
  CHECK(parse_mapping("per-node:4")->per_node == 4);
  CHECK(parse_mapping("0,0,1,1")->nodes == std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(parse_mapping("7")->nodes == std::vector<std::uint32_t>{7});
  for (const auto* wrong :
       {"", "full", "per-node:", "per-node:0", "per-node:-1", "0,,1", "0,1,", "0,x", "0 1"})
    CHECK_FALSE(parse_mapping(wrong));
  CHECK(to_string(parse_mapping("full").error()) ==
        "--mapping: 'full' is not a mapping\n"
        "  one of fill, round-robin, per-node:K, or the node of each rank as in 0,0,1,1");
}
