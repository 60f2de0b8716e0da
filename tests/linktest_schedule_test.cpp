// The schedule of LinkTest against tables of who met whom in real runs (validation/golden/linktest).
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "workloads/linktest/schedule.hpp"

using namespace busline;
using namespace busline::linktest;

TEST_CASE("ranks meet in the order in which they met in LinkTest 1.2") {
  std::ifstream in(std::string(BUSLINE_SOURCE_DIR) + "/validation/golden/linktest/schedules.json");
  const auto tables = nlohmann::json::parse(in);
  std::size_t checked = 0;
  for (const auto& item : tables.items()) {
    const auto& name = item.key();
    const auto& table = item.value();
    CAPTURE(name);
    const auto ranks = table["n"].get<std::uint32_t>();
    const auto order = name.starts_with("mixed") ? linktest12_mixed_order(ranks) : identity_order(ranks);
    REQUIRE(table["vec"] == nlohmann::json(order));
    const linktest::Schedule schedule(order);
    REQUIRE(table["steps"].size() == schedule.steps());
    for (std::uint32_t step = 0; step < schedule.steps(); ++step) {
      CAPTURE(step);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (const auto& p : schedule.pairs(step)) pairs.emplace_back(p.first, p.second);
      CHECK(table["steps"][step] == nlohmann::json(pairs));
      ++checked;
    }
  }
  CHECK(checked == 2 * (3 + 5 + 7));
}
