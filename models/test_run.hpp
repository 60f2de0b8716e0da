// For tests: runs a Program on a Platform to its end, and a Program of one collective.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "sim/program/program_builder.hpp"

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

/// All ranks call one collective with this size at once; the root, if there is one, is rank 0.
inline Program one_collective(CollectiveKind kind, std::uint32_t ranks, std::uint64_t bytes) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    CollectiveArgs args;
    args.kind = kind;
    args.is_root = r == 0 && has_root(kind);
    args.send_bytes = args.recv_bytes = bytes;
    b.collective(args);
  }
  return b.build();
}

}  // namespace busline
