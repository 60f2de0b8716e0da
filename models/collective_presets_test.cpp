// The algorithms that MPI libraries choose obey physics: no collective is faster than its bytes pass a link.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "models/costs/link_bound.hpp"
#include "models/test_machine.hpp"
#include "models/test_run.hpp"

using namespace busline;

namespace {

using enum CollectiveKind;

Result run(CollectivePreset preset, CollectiveKind kind, std::uint32_t ranks, std::uint64_t bytes) {
  auto p = test_machine(ranks, full(1));
  p.machines[0].network.latency = Duration::picoseconds(10 * kUs);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  p.mpi.collectives.preset = preset;
  return complete_run(one_collective(kind, ranks, bytes), p);
}

}  // namespace

TEST_CASE(
    "no library's collective is faster than its bytes pass a node's link, and none takes less than a "
    "latency") {
  for (const auto preset : {CollectivePreset::open_mpi, CollectivePreset::mpich})
    for (std::size_t k = 0; k <= static_cast<std::size_t>(exscan); ++k)
      for (const std::uint32_t ranks : {2U, 3U, 5U, 8U, 16U, 17U, 33U})
        for (const std::uint64_t bytes : {1ULL, 8ULL, 100ULL, 5'000ULL, 70'000ULL, 1'000'000ULL}) {
          const auto kind = static_cast<CollectiveKind>(k);
          CAPTURE(std::string(name_of(preset)));
          CAPTURE(std::string(name_of(kind)));
          CAPTURE(ranks);
          CAPTURE(bytes);
          const auto time = run(preset, kind, ranks, bytes).run_time.count();
          const auto bound = bytes_through_node(kind, {ranks, ranks, 1}, bytes) * 10'000;
          CHECK(static_cast<double>(time) >= bound + 10 * kUs);
        }
}

TEST_CASE("a machine's own entries, and a preset of its own, come before the platform's preset") {
  const auto messages = [](const CollectiveTable& own) {
    auto p = test_machine(8);
    p.mpi.collectives.preset = CollectivePreset::open_mpi;
    p.machines[0].collectives = own;
    return complete_run(one_collective(alltoall, 8, 1000), p).collective_messages;
  };
  CHECK(messages({}) == 8 * 7);  // linear
  CollectiveTable own;
  own.preset = CollectivePreset::dimemas;
  CHECK(messages(own) == 0);  // a closed form
  own = {};
  own.by_kind[static_cast<std::size_t>(alltoall)] = {{Bytes{0}, {}, Algorithm::bruck}};
  CHECK(messages(own) == 8 * 3);
}
