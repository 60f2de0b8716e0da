#include "workloads/ziatest/pair_exchange.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/replay/replay.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;
using namespace busline::ziatest;

namespace {

// ">4" sends to rank 4, "<4" receives from it, "!" takes the stamp.
std::string part(const Exchange& exchange, std::uint32_t rank) {
  std::string text;
  for (const auto& step : steps_of(exchange, rank)) {
    if (!text.empty()) text += ' ';
    if (step.kind == Step::Kind::stamp)
      text += '!';
    else
      text += (step.kind == Step::Kind::send ? ">" : "<") + std::to_string(step.peer);
  }
  return text;
}

Program program_of(const Exchange& exchange) {
  ProgramBuilder b(exchange.ranks());
  for (std::uint32_t rank = 0; rank < exchange.ranks(); ++rank) {
    b.begin_strand(rank);
    emit_exchange(b, exchange, rank);
  }
  return b.build();
}

}  // namespace

TEST_CASE("a rank exchanges with the one of the same local rank on the neighbouring node") {
  const Exchange seed{Variant::seed, 4, 2}, lanl{Variant::lanl, 4, 2};
  CHECK(part(seed, 1) == ">3 <3 !");
  CHECK(part(seed, 3) == "<1 >1");
  CHECK(part(seed, 4) == ">6 <6 !");
  CHECK(part(seed, 7) == "<5 >5");
  CHECK(part(lanl, 1) == ">3 <3 !");
  CHECK(part(lanl, 3) == "<1 >1 !");
}

TEST_CASE("the last of an odd number of nodes exchanges with node 0, after node 0's own exchange") {
  const Exchange seed{Variant::seed, 3, 2}, lanl{Variant::lanl, 3, 2};
  CHECK(part(seed, 0) == ">2 <2 ! <4 >4");
  CHECK(part(seed, 3) == "<1 >1");
  CHECK(part(seed, 5) == ">1 <1 !");
  CHECK(part(lanl, 0) == ">2 <2 <4 !");
  CHECK(part(lanl, 5) == ">1 !");
}

TEST_CASE("the ranks of a single node write to themselves") {
  CHECK(part({Variant::seed, 1, 4}, 3) == ">3 <3 >3 <3 !");
  CHECK(part({Variant::lanl, 1, 4}, 3) == ">3 <3 !");
}

TEST_CASE("every message is received, whatever the number of nodes") {
  for (const auto variant : {Variant::seed, Variant::lanl})
    for (std::uint32_t nodes = 1; nodes <= 9; ++nodes)
      for (std::uint32_t per_node = 1; per_node <= 3; ++per_node) {
        CAPTURE(nodes);
        CAPTURE(per_node);
        const Exchange exchange{variant, nodes, per_node};
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> open;
        for (std::uint32_t rank = 0; rank < exchange.ranks(); ++rank)
          for (const auto& step : steps_of(exchange, rank)) {
            if (step.kind == Step::Kind::send) ++open[{rank, step.peer}];
            if (step.kind == Step::Kind::receive) --open[{step.peer, rank}];
          }
        for (const auto& [pair, count] : open) CHECK(count == 0);
        // First eager, then with every send waiting for its receive.
        for (const std::uint64_t rendezvous_from : {std::uint64_t{100}, std::uint64_t{0}}) {
          TestNetwork network;
          network.rendezvous_from = rendezvous_from;
          const auto result = replay(program_of(exchange), nodes_for(exchange.ranks()), network);
          CHECK(result.status == Result::Status::complete);
        }
      }
}

TEST_CASE("an exchange takes a message there and one back, and its gather comes last") {
  TestNetwork network;
  network.transfer = 1000;
  network.collective = 7;
  CHECK(replay(program_of({Variant::seed, 2, 2}), nodes_for(4), network).run_time.count() == 2 * 1001 + 7);
  CHECK(replay(program_of({Variant::lanl, 2, 2}), nodes_for(4), network).run_time.count() == 2 * 1004 + 7);
  // The answer to the last node waits until node 0 is done.
  CHECK(replay(program_of({Variant::seed, 3, 2}), nodes_for(6), network).run_time.count() == 3 * 1001 + 7);
}

TEST_CASE("a rank meets each of its peers once, before it sends or after it has received") {
  const auto meetings = [](const Exchange& exchange, std::uint32_t rank) {
    ProgramBuilder b(exchange.ranks());
    b.begin_strand(rank);
    std::vector<std::uint64_t> after;  // messages sent or received before
    emit_exchange(b, exchange, rank, {.meets_peer = [&] { after.push_back(b.position()); }});
    return after;
  };
  using Positions = std::vector<std::uint64_t>;
  CHECK(meetings({Variant::seed, 2, 1}, 0) == Positions{0});
  CHECK(meetings({Variant::seed, 2, 1}, 1) == Positions{1});
  CHECK(meetings({Variant::seed, 3, 1}, 0) == Positions{0, 3});
  CHECK(meetings({Variant::lanl, 3, 1}, 0) == Positions{0, 3});
  CHECK(meetings({Variant::seed, 3, 1}, 2) == Positions{0});
  CHECK(meetings({Variant::seed, 1, 1}, 0) == Positions{0});
}
