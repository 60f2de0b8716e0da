#include "models/sharing/flow_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "sim/base/random.hpp"

using namespace busline;

TEST_CASE("a table of flows has what was added and not removed, also where hashes collide") {
  for (const std::uint32_t hashes : {1U, 7U, 1000U}) {
    Random random(hashes);
    FlowTable table;
    std::map<std::uint32_t, std::uint32_t> hash_of;  // by flow
    for (std::uint32_t step = 0; step < 2000; ++step) {
      if (!hash_of.empty() && random.below(100) < 45) {
        const auto gone =
            std::next(hash_of.begin(), random.below(static_cast<std::uint32_t>(hash_of.size())));
        table.remove(gone->second, gone->first);
        hash_of.erase(gone);
      } else {
        hash_of[step] = random.below(hashes) * 0x1000'0001U;
        table.add(hash_of[step], step);
      }
      const auto asked = random.below(step + 1);
      const auto known = hash_of.find(asked);
      const auto hash = known != hash_of.end() ? known->second : random.below(hashes) * 0x1000'0001U;
      const auto found = table.find(hash, [&](std::uint32_t flow) { return flow == asked; });
      CHECK(found == (known != hash_of.end() ? asked : FlowTable::kNobody));
    }
  }
}

TEST_CASE("routes in another order, other lengths and other speeds have other hashes") {
  const std::vector<std::uint32_t> way{1, 2, 3}, turned{3, 2, 1}, shorter{1, 2};
  const auto hash = FlowTable::hash_of(way, 1);
  CHECK(hash == FlowTable::hash_of(way, 1));
  CHECK(hash != FlowTable::hash_of(turned, 1));
  CHECK(hash != FlowTable::hash_of(shorter, 1));
  CHECK(hash != FlowTable::hash_of(way, 0.5));
}
