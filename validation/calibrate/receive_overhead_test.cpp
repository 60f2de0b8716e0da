#include "validation/calibrate/receive_overhead.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "validation/calibrate/suite_replay.hpp"

using namespace busline;
using namespace busline::calibrate;

namespace {

// Its interval, where receives take 6 us.
constexpr Interval kReceive{5.9e6, 6.1e6};

/// Two nodes, 3 us apart, 0.3 us inside; a send costs 4 us of CPU.
Platform slow_receivers(double receive_us) {
  Platform p;
  auto& group = p.machines.emplace_back();
  group.network.latency = Duration::from_double(3e6);
  group.network.latency_at = Network::LatencyAt::flight;
  group.network.bandwidth = Bandwidth::bytes_per_second(5e9);
  auto& nodes = group.nodes.emplace_back();
  nodes.count = 2;
  nodes.cpus = 2;
  nodes.intra_node.latency = Duration::from_double(0.3e6);
  nodes.intra_node.bandwidth = Bandwidth::bytes_per_second(8e9);
  nodes.overheads = {Duration::from_double(4e6), Duration::from_double(receive_us * 1e6)};
  return p;
}

/// As measured on `truth`.
measure::Suite measured_with_slow_receivers(measure::Pattern pattern, const Platform& truth) {
  measure::Suite s;
  const bool both_ways = pattern == measure::Pattern::bidirectional;
  const bool window = pattern == measure::Pattern::bandwidth || both_ways;
  s.operation = both_ways ? "exchange_window" : window ? "window" : "MPI_Send-MPI_Recv";
  s.pattern = pattern;
  s.time = window ? measure::TimeOf::one_way : measure::TimeOf::half_round_trip;
  s.route_class = window ? measure::RouteClass::inter_node : measure::RouteClass::intra_node;
  s.messages = window ? 16 : 1;
  s.ranks = {0, 1};
  s.nodes = {0, window ? 1U : 0U};
  measure::Point p;
  p.argument = 1;
  s.points.push_back(p);
  const auto time = predicted_result(s, p, truth);
  REQUIRE(time.has_value());
  s.points.front().result_ps.value = *time;
  return s;
}

}  // namespace

TEST_CASE("a receive that is longer than a send shows in a window of small messages") {
  const auto window = measured_with_slow_receivers(measure::Pattern::bandwidth, slow_receivers(6));
  const auto found = receive_overhead({window}, slow_receivers(0));
  REQUIRE(found);
  CHECK(found->value == doctest::Approx(6e6).epsilon(1e-3));
  CHECK(found->interval.low < 6e6);
  CHECK(found->interval.high > 6e6);
}

TEST_CASE(
    "without calls of MPI_Send a window both ways shows what a send costs, and the latency shrinks by it") {
  const auto window = measured_with_slow_receivers(measure::Pattern::bidirectional, slow_receivers(6));
  auto found = slow_receivers(6);
  auto& machine = found.machines.front();
  machine.nodes.front().overheads.send = {};
  machine.network.latency = Duration::from_double(7e6);
  CHECK(settle_send({window}, found));
  CHECK(machine.nodes.front().overheads.send.in_seconds() == doctest::Approx(4e-6).epsilon(1e-3));
  CHECK(machine.network.latency.in_seconds() == doctest::Approx(3e-6).epsilon(1e-3));
  const auto before = found;
  CHECK(!settle_send({window}, found));
  CHECK(!settle_send({}, found));
  CHECK(found == before);
}

TEST_CASE("a receive that is shorter than a send does not show") {
  CHECK(!receive_overhead({measured_with_slow_receivers(measure::Pattern::bandwidth, slow_receivers(2))},
                          slow_receivers(0)));
  CHECK(!receive_overhead({}, slow_receivers(0)));
}

TEST_CASE(
    "where receives are what a ping-pong waits for, the latency inside nodes is below half a round trip") {
  const auto pingpong = measured_with_slow_receivers(measure::Pattern::pingpong, slow_receivers(6));
  auto fitted = slow_receivers(6);
  auto& latency = fitted.machines.front().nodes.front().intra_node.latency;
  latency = Duration::from_double(pingpong.points.front().result_ps.value - 4e6);  // less the send
  CHECK(settle_memory_latency({pingpong}, kReceive, fitted));
  CHECK(latency.in_seconds() == doctest::Approx(0.3e-6).epsilon(1e-2));
  // Predicted as measured now, the latency is still hard to see: its interval has 2 % of both calls.
  const auto again = settle_memory_latency({pingpong}, kReceive, fitted);
  REQUIRE(again);
  CHECK(latency.in_seconds() == doctest::Approx(0.3e-6).epsilon(1e-2));
  CHECK(again->interval.low < 0.2e6);
  CHECK(again->interval.high > 0.4e6);
  // Receives that are no longer than sends hide nothing.
  auto quick = slow_receivers(4);
  CHECK(!settle_memory_latency({measured_with_slow_receivers(measure::Pattern::pingpong, quick)}, kReceive,
                               quick));
}

TEST_CASE("where receives are longer than sends, the handshake is shorter than MPI_Ssend takes longer") {
  auto truth = slow_receivers(6);
  truth.mpi.rendezvous_from = Bytes{1U << 14U};
  truth.mpi.handshake = Duration::from_double(9e6);
  auto ssend = measured_with_slow_receivers(measure::Pattern::pingpong, truth);
  ssend.operation = "MPI_Ssend-MPI_Recv";
  ssend.route_class = measure::RouteClass::inter_node;
  ssend.nodes = {0, 1};
  ssend.points.front().result_ps.value = *predicted_result(ssend, ssend.points.front(), truth);
  auto fitted = truth;
  fitted.mpi.handshake = Duration::from_double(10.5e6);
  const auto found = settle_handshake({ssend}, kReceive, fitted);
  REQUIRE(found);
  CHECK(fitted.mpi.handshake.in_seconds() == doctest::Approx(9e-6).epsilon(1e-3));
  CHECK(found->interval.low < 8.9e6);
  CHECK(found->interval.high > 9.1e6);
  CHECK(!settle_handshake({}, kReceive, fitted));
  fitted.mpi.ssend_handshake = Duration();
  CHECK(!settle_handshake({ssend}, kReceive, fitted));
}

TEST_CASE("small messages that take a while to transfer are no reason to change the latency inside nodes") {
  // 5 MB/s: 64 bytes take 12.8 us, forty latencies of this node.
  auto slow = slow_receivers(6);
  slow.machines.front().nodes.front().intra_node.bandwidth = Bandwidth::bytes_per_second(5e6);
  auto pingpong = measured_with_slow_receivers(measure::Pattern::pingpong, slow);
  for (const std::uint64_t bytes : {4U, 16U, 32U, 64U}) {
    measure::Point p;
    p.argument = bytes;
    p.result_ps.value = *predicted_result(pingpong, p, slow);
    pingpong.points.push_back(p);
  }
  settle_memory_latency({pingpong}, kReceive, slow);
  CHECK(slow.machines.front().nodes.front().intra_node.latency.in_seconds() ==
        doctest::Approx(0.3e-6).epsilon(1e-2));
}
