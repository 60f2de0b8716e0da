// Sharing links and buses: the times of concurrent messages. 100 MB/s, so 1000 bytes take 10 us; no latency.
#include "models/sharing/network.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>

#include "models/test_machine.hpp"
#include "models/test_run.hpp"
#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"
#include "sim/program/test_messages.hpp"

using namespace busline;

namespace {

Platform network_with(Network::Sharing sharing, std::uint32_t nodes, Links links, Count buses) {
  auto p = test_machine(nodes, links, buses);
  p.machines[0].network.sharing = sharing;
  return p;
}

Platform shared_network(std::uint32_t nodes, Links links, Count buses) {
  return network_with(Network::Sharing::fair, nodes, links, buses);
}

std::int64_t end_of(const Result& r, std::uint32_t rank) {
  return r.ranks[rank].end.count();
}

}  // namespace

TEST_CASE("a single message takes size / bandwidth") {
  CHECK(complete_run(test_messages(2, {{0, 1}}), shared_network(2, full(1), 1)).run_time.count() ==
        kTransfer);
}

TEST_CASE("n messages out of a node over one link all end after n transfers") {
  for (const std::uint32_t n : {1U, 2U, 3U, 5U, 7U}) {
    std::vector<TestMessage> sends;
    for (std::uint32_t i = 1; i <= n; ++i) sends.push_back({0, i});
    const auto r = complete_run(test_messages(n + 1, sends), shared_network(n + 1, full(1), kUnlimited));
    for (std::uint32_t i = 1; i <= n; ++i) CHECK(end_of(r, i) == n * kTransfer);
    // Each took n - 1 transfers longer than alone.
    CHECK(r.ranks[0].link_wait.count() == n * (n - 1) * kTransfer);
  }
}

TEST_CASE("n messages into a node share its input link likewise") {
  const auto r =
      complete_run(test_messages(4, {{1, 0}, {2, 0}, {3, 0}}), shared_network(4, full(1), kUnlimited));
  CHECK(r.run_time.count() == 3 * kTransfer);
  CHECK(resource(r, "node 0/links in").wait.count() == 6 * kTransfer);
  CHECK(resource(r, "node 0/links in").peak_queue == 2);
  CHECK(resource(r, "node 0/links in").busy.count() == 3 * kTransfer);
}

TEST_CASE("n messages over B buses take n / B transfers, not whole rounds") {
  for (const Count buses : {1U, 2U, 3U, 4U}) {
    std::vector<TestMessage> sends;
    for (std::uint32_t i = 0; i < 4; ++i) sends.push_back({2 * i, 2 * i + 1, 1200});
    const auto r = complete_run(test_messages(8, sends), shared_network(8, full(1), buses));
    CAPTURE(buses);
    CHECK(r.run_time.count() == 4 * 12 * kUs / buses);
    CHECK(r.ranks[0].bus_wait.count() == r.run_time.count() - 12 * kUs);
  }
}

TEST_CASE("two links carry two messages at full speed and three at two thirds") {
  const auto p = shared_network(4, full(2), kUnlimited);
  CHECK(complete_run(test_messages(4, {{0, 1}, {0, 2}}), p).run_time.count() == kTransfer);
  CHECK(complete_run(test_messages(4, {{0, 1}, {0, 2}, {0, 3}}), p).run_time.count() == kTransfer * 3 / 2);
}

TEST_CASE("a message that ends gives its share to the others") {
  // Both at half speed until the short one ends at 2 x 4 us; then 6 us of the other are left.
  const auto r =
      complete_run(test_messages(3, {{0, 1, 400}, {0, 2, 1000}}), shared_network(3, full(1), kUnlimited));
  CHECK(end_of(r, 1) == 8 * kUs);
  CHECK(end_of(r, 2) == 14 * kUs);
}

TEST_CASE("a message that starts later takes its share from then on") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1}, kSize);
  b.compute(Duration::picoseconds(4 * kUs));
  b.isend_and_forget({.peer = 2}, kSize);
  for (std::uint32_t r = 1; r < 3; ++r) {
    b.begin_strand(r);
    b.recv({.peer = 0}, kSize);
  }
  const auto r = complete_run(b.build(), shared_network(3, full(1), kUnlimited));
  CHECK(end_of(r, 1) == (4 + 2 * 6) * kUs);
  CHECK(end_of(r, 2) == 2 * kTransfer);
}

TEST_CASE("of the time that messages of one route lose, each has what it lost itself") {
  // The second one starts at 5 us with 5 us of the first left: both at half speed until 15 us. Then it is
  // alone for its last 5 us. Each ends 5 us late.
  ProgramBuilder b(2);
  b.begin_strand(0);
  for (int i = 0; i < 2; ++i) {
    b.isend_and_forget({.peer = 1}, kSize);
    b.compute(Duration::picoseconds(kTransfer / 2));
  }
  b.begin_strand(1);
  for (int i = 0; i < 2; ++i) b.recv({.peer = 0}, kSize);
  const auto r = complete_run(b.build(), shared_network(2, full(1), kUnlimited));
  CHECK(r.run_time.count() == 2 * kTransfer);
  CHECK(r.ranks[0].link_wait.count() == kTransfer);
  CHECK(resource(r, "node 0/links out").wait.count() + resource(r, "node 1/links in").wait.count() ==
        kTransfer);
}

TEST_CASE("a message limited at the far end leaves the rest of its link to others") {
  // Node 3 receives three, a third each; so node 0's other message has two thirds of its link.
  const auto r = complete_run(test_messages(5, {{0, 3, 1000}, {1, 3, 1000}, {2, 3, 1000}, {0, 4, 600}}),
                              shared_network(5, full(1), kUnlimited));
  CHECK(end_of(r, 4) == 9 * kUs);
  CHECK(end_of(r, 3) == 3 * kTransfer);
}

namespace {

constexpr std::uint32_t kSenders = 64;

/// All ranks but the first send to it, this many messages each, of up to twice kSize and all at once or each
/// up to a transfer after the one before. Their bytes are added to `bytes`.
Program hot_spot(std::uint32_t each, bool equal, bool open, std::uint64_t& bytes) {
  Random random(20261124);
  ProgramBuilder b(kSenders + 1);
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < each; ++i)
    for (std::uint32_t r = 1; r <= kSenders; ++r) b.recv({.peer = open ? kAnySource : r}, kSize);
  for (std::uint32_t r = 1; r <= kSenders; ++r) {
    b.begin_strand(r);
    for (std::uint32_t i = 0; i < each; ++i) {
      const Bytes size{equal ? count(kSize) : 1 + random.below(2 * 1000)};
      if (!equal && i > 0) b.compute(Duration::picoseconds(random.below(kTransfer)));
      b.isend_and_forget({.peer = 0}, size);
      bytes += count(size);
    }
  }
  return b.build();
}

}  // namespace

TEST_CASE("a hot spot has the last of its messages after all bytes / bandwidth and the latency") {
  auto p = shared_network(kSenders + 1, full(1), kUnlimited);
  p.machines[0].network.latency = Duration::picoseconds(7 * kUs);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  for (const bool open : {false, true}) {
    std::uint64_t bytes = 0;
    const auto equal = complete_run(hot_spot(20, true, open, bytes), p);
    CHECK(bytes == kSenders * 20 * count(kSize));
    CHECK(equal.run_time.count() == kSenders * 20 * kTransfer + 7 * kUs);
    // Each end is rounded to a picosecond, which moves the following ends by as much at most.
    bytes = 0;
    const auto uneven = complete_run(hot_spot(20, false, open, bytes), p);
    const auto expected = static_cast<std::int64_t>(bytes) * (kTransfer / 1000) + 7 * kUs;
    CHECK(std::abs(uneven.run_time.count() - expected) <= kSenders * 20);
    CHECK(resource(uneven, "node 0/links in").messages == kSenders * 20);
  }
}

TEST_CASE("a message into a hot spot causes as many events, however many others are under way") {
  auto p = shared_network(kSenders + 1, full(1), kUnlimited);
  std::uint64_t bytes = 0;
  for (const bool equal : {false, true}) {
    const auto few = complete_run(hot_spot(10, equal, false, bytes), p);
    const auto many = complete_run(hot_spot(80, equal, false, bytes), p);
    CHECK(resource(many, "node 0/links in").peak_queue > 5 * resource(few, "node 0/links in").peak_queue);
    CHECK(many.events < 10 * few.events);
  }
}

TEST_CASE("half-duplex links carry both directions together") {
  const Links half{Links::Kind::half_duplex, 1, 1};
  const auto both = test_messages(2, {{0, 1}, {1, 0}});
  CHECK(complete_run(both, shared_network(2, half, kUnlimited)).run_time.count() == 2 * kTransfer);
  CHECK(complete_run(both, shared_network(2, full(1), kUnlimited)).run_time.count() == kTransfer);
}

TEST_CASE("memory is shared as links and buses are") {
  auto p = shared_network(1, {}, kUnlimited);
  auto& node = p.machines[0].nodes[0];
  node.cpus = 4;
  node.intra_node.bandwidth = Bandwidth::bytes_per_second(1e8);
  node.intra_node.buses = 1;
  CHECK(complete_run(test_messages(4, {{0, 1}, {2, 3}}), p).run_time.count() == 2 * kTransfer);
  node.intra_node.buses = kUnlimited;
  node.intra_node.links = full(1);
  CHECK(complete_run(test_messages(4, {{0, 1}, {0, 2}, {2, 3}}), p).run_time.count() == 2 * kTransfer);
}

TEST_CASE("a dedicated connection is shared by the messages on it") {
  auto p = shared_network(1, {}, kUnlimited);
  p.machines[0].nodes[0].cpus = 2;
  p.machines.push_back(p.machines[0]);
  DedicatedConnection d;
  d.machine_b = 1;
  d.bandwidth = Bandwidth::bytes_per_second(1e8);
  d.tags = {0};
  p.dedicated_connections.push_back(d);
  const auto r = complete_run(test_messages(4, {{0, 2}, {1, 3}}), p);
  CHECK(r.run_time.count() == 2 * kTransfer);
  CHECK(resource(r, "dedicated connection 0").wait.count() == 2 * kTransfer);
}

TEST_CASE("latency in flight comes after the transfer") {
  auto p = shared_network(3, full(1), kUnlimited);
  p.machines[0].network.latency = Duration::picoseconds(7 * kUs);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  CHECK(complete_run(test_messages(3, {{0, 1}, {0, 2}}), p).run_time.count() == 2 * kTransfer + 7 * kUs);
}

TEST_CASE("without limits sharing makes no difference") {
  const auto program = test_messages(4, {{0, 1}, {0, 2, 50'000}, {3, 2}, {2, 3, 777}, {1, 0, 1}});
  const auto p = shared_network(4, {}, kUnlimited);
  const auto shared = complete_run(program, p);
  const auto ideal = complete_run(program, p, "ideal");
  for (std::uint32_t r = 0; r < 4; ++r) CHECK(end_of(shared, r) == end_of(ideal, r));
}

TEST_CASE("closed-form collectives neither take buses nor wait for them") {
  auto p = shared_network(4, full(1), 1);
  p.machines[0].network.latency = Duration::picoseconds(kUs);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  CollectiveArgs barrier_args;
  barrier_args.kind = CollectiveKind::barrier;
  const auto barrier = [&](bool beside_a_message) {
    ProgramBuilder b(4);
    for (std::uint32_t r = 0; r < 4; ++r) {
      b.begin_strand(r);
      if (r == 0 && beside_a_message) b.isend_and_forget({.peer = 1}, kSize);
      b.collective(barrier_args);
      if (r == 1 && beside_a_message) b.recv({.peer = 0}, kSize);
    }
    return complete_run(b.build(), p);
  };
  CHECK(end_of(barrier(true), 2) == end_of(barrier(false), 2));
  CHECK(end_of(barrier(true), 1) == kTransfer + kUs);
}

namespace {

Platform stream_network(std::uint32_t nodes, Links links, Count buses) {
  return network_with(Network::Sharing::streams, nodes, links, buses);
}

Platform queue_network(std::uint32_t nodes, Links links, Count buses) {
  return network_with(Network::Sharing::queues, nodes, links, buses);
}

}  // namespace

TEST_CASE("messages of a stream follow one another, in the order in which they start") {
  const auto r =
      complete_run(test_messages(3, {{0, 1}, {0, 1, 500}, {0, 1}}), stream_network(3, full(1), kUnlimited));
  CHECK(r.run_time.count() == 25 * kUs);
  CHECK(r.ranks[0].link_wait.count() == (10 + 15) * kUs);
}

TEST_CASE("streams to several nodes share a link") {
  // Two streams of two messages each: every message is at half speed, and the second ones follow the first.
  const auto r = complete_run(test_messages(3, {{0, 1}, {0, 1}, {0, 2}, {0, 2}}),
                              stream_network(3, full(1), kUnlimited));
  CHECK(end_of(r, 1) == 4 * kTransfer);
  CHECK(end_of(r, 2) == 4 * kTransfer);
  const auto one_more = test_messages(3, {{0, 1}, {0, 1}, {0, 2}});
  const auto both = complete_run(one_more, stream_network(3, full(1), kUnlimited));
  CHECK(end_of(both, 2) == 2 * kTransfer);
  CHECK(end_of(both, 1) == 3 * kTransfer);
  // Without streams all three share.
  CHECK(end_of(complete_run(one_more, shared_network(3, full(1), kUnlimited)), 2) == 3 * kTransfer);
}

TEST_CASE("all ranks of two nodes share one stream, and a second link does not speed it up") {
  auto p = stream_network(2, full(2), kUnlimited);
  p.machines[0].nodes[0].cpus = 2;
  CHECK(complete_run(test_messages(4, {{0, 2}, {1, 3}}), p).run_time.count() == 2 * kTransfer);
  CHECK(complete_run(test_messages(4, {{0, 2}, {3, 1}}), p).run_time.count() == kTransfer);
  p.machines[0].network.sharing = Network::Sharing::fair;
  CHECK(complete_run(test_messages(4, {{0, 2}, {1, 3}}), p).run_time.count() == kTransfer);
}

TEST_CASE("an empty message waits for its turn in a stream") {
  const auto r = complete_run(test_messages(2, {{0, 1}, {0, 1, 0}}), stream_network(2, full(1), kUnlimited));
  CHECK(r.run_time.count() == kTransfer);
}

TEST_CASE("packets queue: messages that leave at once, or arrive at once, all end together") {
  const auto p = queue_network(4, full(1), kUnlimited);
  for (const auto& program :
       {test_messages(4, {{0, 1}, {0, 2}, {0, 3}}), test_messages(4, {{1, 0}, {2, 0}, {3, 0}})}) {
    const auto r = complete_run(program, p);
    CHECK(r.run_time.count() == 3 * kTransfer);
  }
  CHECK(complete_run(test_messages(4, {{0, 1}, {1, 0}, {2, 3}}), p).run_time.count() == kTransfer);
  // Two links take two of them at full speed; four messages over two buses take twice as long.
  CHECK(
      complete_run(test_messages(4, {{0, 1}, {0, 2}, {0, 3}, {0, 1}}), queue_network(4, full(2), kUnlimited))
          .run_time.count() == 2 * kTransfer);
  CHECK(complete_run(test_messages(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}), queue_network(4, full(1), 2))
            .run_time.count() == 2 * kTransfer);
}

TEST_CASE("packets queue: a message waits for packets before its end, not for later ones") {
  // 0 sends 1000 bytes to 1 at 0 us, to 2 at 5 us, to 3 at 10 us. The first is in the queue after 10 us, with
  // 5 us of the second before its end, and ends at 15 us: the third does not affect it. With max-min fair
  // shares the third would slow it from 10 us on.
  const auto staggered = [](const Platform& p) {
    ProgramBuilder b(4);
    b.begin_strand(0);
    for (std::uint32_t to = 1; to < 4; ++to) {
      b.isend_and_forget({.peer = to}, kSize);
      b.compute(Duration::picoseconds(kTransfer / 2));
    }
    for (std::uint32_t r = 1; r < 4; ++r) {
      b.begin_strand(r);
      b.recv({.peer = 0}, kSize);
    }
    return complete_run(b.build(), p);
  };
  const auto queues = staggered(queue_network(4, full(1), kUnlimited));
  CHECK(end_of(queues, 1) == 15 * kUs);
  CHECK(end_of(queues, 2) == 25 * kUs);
  CHECK(end_of(queues, 3) == 30 * kUs);
  const auto streams = staggered(stream_network(4, full(1), kUnlimited));
  CHECK(end_of(streams, 1) > 15 * kUs);
  CHECK(end_of(streams, 3) == 30 * kUs);
}

TEST_CASE("packets queue: nothing interrupts a message of one packet, and longer ones take turns") {
  const auto ends = [](std::uint64_t packet) {
    auto p = queue_network(4, full(1), kUnlimited);
    p.machines[0].network.packet = Bytes{packet};
    const auto r = complete_run(test_messages(4, {{0, 1}, {0, 2}, {0, 3}}), p);
    return std::array{end_of(r, 1), end_of(r, 2), end_of(r, 3)};
  };
  CHECK(ends(5000) == std::array{10 * kUs, 20 * kUs, 30 * kUs});
  CHECK(ends(1000) == std::array{10 * kUs, 20 * kUs, 30 * kUs});
  // 1a 2a 3a 1b 2b 3b, each of 5 us.
  CHECK(ends(500) == std::array{20 * kUs, 25 * kUs, 30 * kUs});
  // The last of two packets may be short: 6 6 6 4 4 4 us.
  CHECK(ends(600) == std::array{22 * kUs, 26 * kUs, 30 * kUs});
  CHECK(ends(1) == std::array{2998 * kUs / 100, 2999 * kUs / 100, 30 * kUs});
  CHECK(ends(0) == std::array{30 * kUs, 30 * kUs, 30 * kUs});
}

TEST_CASE("packets queue: of what size they are does not matter to a message alone, or in memory") {
  for (const std::uint64_t packet : {1U, 7U, 300U, 999U}) {
    auto p = queue_network(2, full(1), kUnlimited);
    p.machines[0].network.packet = Bytes{packet};
    CHECK(complete_run(test_messages(2, {{0, 1}, {0, 1}}), p).run_time.count() == 2 * kTransfer);
    p.machines[0].nodes[0].cpus = 3;
    p.machines[0].nodes[0].intra_node = {Duration(), p.machines[0].network.bandwidth, 1, full(1)};
    CHECK(end_of(complete_run(test_messages(3, {{0, 1}, {0, 2}}), p), 1) == 2 * kTransfer);
  }
}

TEST_CASE("packets queue: the longest queue on the route counts, and its wait is reported") {
  // Two messages out of 0 and two others into 1: the one from 0 to 1 waits for one message in each, and ends
  // after two.
  const auto r =
      complete_run(test_messages(4, {{0, 1}, {0, 2}, {3, 1}}), queue_network(4, full(1), kUnlimited));
  CHECK(end_of(r, 1) == 2 * kTransfer);
  CHECK(r.ranks[0].link_wait.count() == 2 * kTransfer);
  CHECK(r.ranks[3].link_wait.count() == kTransfer);
}
