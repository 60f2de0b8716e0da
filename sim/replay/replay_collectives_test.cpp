// Collectives that do not match: no arguments may crash the replay.
#include <doctest/doctest.h>

#include <vector>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

namespace {

CollectiveArgs reduce_to(std::uint32_t root, std::uint32_t rank) {
  return {.kind = CollectiveKind::reduce,
          .sync = CollectiveArgs::Sync::root_synchronised,
          .is_root = rank == root,
          .root = root,
          .send_bytes = 10};
}

// One strand for each call; a rank may have several.
struct Call {
  std::uint32_t rank;
  CollectiveArgs args;
};

Result run(const std::vector<Call>& calls, std::uint32_t ranks) {
  ProgramBuilder b(ranks);
  for (const auto& c : calls) {
    b.begin_strand(c.rank, false);
    b.compute(ps(1));
    if (c.args.sync == CollectiveArgs::Sync::nonblocking)
      b.wait(b.collective_start(c.args));
    else
      b.collective(c.args);
    b.compute(ps(1));
  }
  return replay(b.build(), one_node(ranks, 8));
}

constexpr CollectiveArgs kNonBlocking{.kind = CollectiveKind::bcast,
                                      .sync = CollectiveArgs::Sync::nonblocking};

}  // namespace

TEST_CASE("two ranks that name each other as the root of a root-synchronised Reduce deadlock") {
  const auto r = run({{0, reduce_to(1, 0)}, {1, reduce_to(0, 1)}}, 2);
  CHECK(r.status == Result::Status::deadlock);
  CHECK(r.blocked.size() == 1);  // the other one sent its part and continued
}

TEST_CASE("a root-synchronised Reduce does not match a non-blocking collective of the same number") {
  for (const std::uint32_t root : {0U, 1U}) {
    const auto r = run({{0, reduce_to(root, 0)}, {1, kNonBlocking}}, 2);
    CAPTURE(root);
    CHECK(r.status == Result::Status::deadlock);
    CHECK(r.blocked.size() >= 1);
  }
}

TEST_CASE("a Reduce called by several threads of a rank completes or deadlocks, and never crashes") {
  const std::vector<std::vector<Call>> cases{
      {{0, reduce_to(0, 0)}, {0, reduce_to(0, 0)}, {1, reduce_to(0, 1)}},
      {{1, reduce_to(0, 1)}, {1, reduce_to(0, 1)}},
      {{0, reduce_to(0, 0)}, {1, reduce_to(0, 1)}, {1, reduce_to(0, 1)}},
      {{0, reduce_to(0, 0)}, {0, kNonBlocking}, {1, reduce_to(0, 1)}, {1, kNonBlocking}},
  };
  for (const auto& calls : cases) {
    const auto r = run(calls, 2);
    CHECK((r.status == Result::Status::complete || r.status == Result::Status::deadlock));
  }
}

TEST_CASE("a Barrier called by several threads of a rank completes or deadlocks, and never crashes") {
  const CollectiveArgs barrier;
  for (const auto& calls :
       std::vector<std::vector<Call>>{{{0, barrier}, {0, barrier}, {1, barrier}},
                                      {{0, barrier}, {0, barrier}, {0, barrier}, {1, barrier}}}) {
    const auto r = run(calls, 2);
    CHECK((r.status == Result::Status::complete || r.status == Result::Status::deadlock));
  }
}
