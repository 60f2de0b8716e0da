// For tests: runs a Program on a Platform to its end.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"

namespace busline {

/// Places the ranks and simulates; fails the test unless the run completes.
inline Result complete_run(const Program& program, const Platform& platform,
                           const std::string& model = "dimemas") {
  const auto machine = place_ranks(platform, program.ranks());
  REQUIRE(machine);
  SimulateOptions options;
  options.model = model;
  auto result = simulate(program, platform, *machine, options);
  if (!result) FAIL(to_string(result.error()));
  REQUIRE(result->status == Result::Status::complete);
  return *std::move(result);
}

}  // namespace busline
