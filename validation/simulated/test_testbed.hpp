// For tests: simulated testbeds, and that of the published examples.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"

namespace busline {

/// Fails the test if there can be none.
inline std::unique_ptr<SimulatedTestbed> simulated_testbed(Platform platform, std::uint32_t ranks) {
  auto testbed = SimulatedTestbed::create(std::move(platform), ranks);
  REQUIRE(testbed);
  return *std::move(testbed);
}

/// Node i is a CPU with rank i.
inline std::unique_ptr<SimulatedTestbed> textbook_testbed(std::uint32_t ranks) {
  return simulated_testbed(textbook::machine(ranks), ranks);
}

}  // namespace busline
