#include "validation/calibrate/calibration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "platforms/description/platform_json.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

Suite pingpong(RouteClass where, double latency_ps, double ps_per_byte) {
  Suite s;
  s.name = where == RouteClass::inter_node ? "pingpong-inter" : "pingpong-intra";
  s.operation = "MPI_Send-MPI_Recv";
  s.time = TimeOf::half_round_trip;
  s.route_class = where;
  s.ranks = {0, 1};
  s.nodes = {0, where == RouteClass::inter_node ? 1U : 0U};
  for (std::uint64_t bytes = 1; bytes <= 1U << 20U; bytes *= 4) {
    Point p;
    p.argument = bytes;
    p.result_ps.value = latency_ps + ps_per_byte * double(bytes);
    s.points.push_back(p);
  }
  return s;
}

Measurement measured() {
  Measurement m;
  m.testbed = TestbedKind::mpi;
  m.machine.name = "cluster of ours";
  m.machine.nodes = {"a", "b"};
  m.machine.cpus_per_node = 4;
  m.suites = {pingpong(RouteClass::inter_node, 2e6, 100), pingpong(RouteClass::intra_node, 3e5, 50)};
  return m;
}

Suite work(double ps) {
  Suite s;
  s.name = "work";
  s.operation = "work";
  s.pattern = Pattern::compute;
  s.time = TimeOf::call;
  s.varies = Varies::nothing;
  Point p;
  p.result_ps = {ps, 0};
  s.points = {p};
  return s;
}

Suite to_self(double latency_ps, double ps_per_byte) {
  auto s = pingpong(RouteClass::intra_node, latency_ps, ps_per_byte);
  s.name = s.operation = "sendrecv-self";
  s.pattern = Pattern::local;
  s.time = TimeOf::call;
  s.route_class.reset();
  s.ranks = s.nodes = {0};
  return s;
}

std::string message(const Expected<calibrate::Calibrated>& result) {
  return result ? "no error" : to_string(result.error());
}

}  // namespace

TEST_CASE("a window of messages between two nodes shows a single link") {
  auto m = measured();
  auto window = pingpong(RouteClass::inter_node, 2e6 / 16, 100);  // one transfer after the other
  window.name = "bandwidth-inter";
  window.operation = "window";
  window.pattern = Pattern::bandwidth;
  window.time = TimeOf::one_way;
  window.messages = 16;
  m.suites.push_back(window);
  const auto result = calibrate::calibrate({m});
  REQUIRE(result);
  CHECK(result->platform.machines.front().nodes.front().links == Links{Links::Kind::full_duplex, 1, 1});
  CHECK(result->platform.machines.front().network.buses == kUnlimited);
}

TEST_CASE("messages to oneself cost what was measured of them, and change no other figure") {
  auto m = measured();
  const auto without = calibrate::calibrate({m});
  m.suites.push_back(to_self(8e5, 200));
  const auto with = calibrate::calibrate({m});
  REQUIRE(without);
  REQUIRE(with);
  const auto& nodes = with->platform.machines.front().nodes.front();
  REQUIRE(nodes.self);
  CHECK(nodes.self->latency.in_seconds() == doctest::Approx(8e-7));
  CHECK(nodes.self->bandwidth.in_bytes_per_second() == doctest::Approx(5e9));
  CHECK(nodes.intra_node == without->platform.machines.front().nodes.front().intra_node);
  CHECK(with->platform.machines.front().network == without->platform.machines.front().network);
  // The suite is replayed, too: its own figures explain it.
  const auto& suites = with->platform.calibration->suites;
  const auto self =
      std::find_if(suites.begin(), suites.end(), [](const auto& s) { return s.name == "sendrecv-self"; });
  REQUIRE(self != suites.end());
  CHECK(self->worst_error < 0.001);
}

TEST_CASE("calls for messages that are there are what a receive costs, the copy aside") {
  auto m = measured();
  auto late = pingpong(RouteClass::inter_node, 4e5, 10);
  late.name = "recv-inter";
  late.operation = "late-receive";
  late.pattern = Pattern::overhead;
  late.time = TimeOf::call;
  auto send = late;
  send.name = "send-inter";
  send.operation = "MPI_Send";
  for (auto& p : send.points) p.result_ps.value = 5e5;
  m.suites.push_back(late);
  m.suites.push_back(send);
  const auto result = calibrate::calibrate({m});
  REQUIRE(result);
  const auto& overheads = result->platform.machines.front().nodes.front().overheads;
  CHECK(overheads.receive.in_seconds() == doctest::Approx(4e-7).epsilon(1e-3));
  CHECK(overheads.send.in_seconds() == doctest::Approx(5e-7).epsilon(1e-3));
}

TEST_CASE("a limit and a handshake of their own inside a node are found, and only there") {
  auto m = measured();
  const auto jump = [&](std::size_t suite, std::uint64_t limit, double handshake_ps) {
    for (auto& p : m.suites[suite].points)
      if (p.argument >= limit) p.result_ps.value += handshake_ps;
  };
  jump(0, 65536, 4e6);
  const auto inside_of = [&] {
    const auto result = calibrate::calibrate({m});
    REQUIRE(result);
    // Sizes are powers of four; the limit is the power of two between the last eager one and the next.
    CHECK(result->platform.mpi.rendezvous_from == Bytes{32768});
    CHECK(result->platform.mpi.handshake.in_seconds() == doctest::Approx(4e-6).epsilon(0.01));
    return result->platform.machines.front().nodes.front().intra_node;
  };
  SUBCASE("another limit and another handshake") {
    jump(1, 4096, 6e5);
    const auto inside = inside_of();
    CHECK(inside.rendezvous_from == RendezvousLimit{Bytes{2048}});
    REQUIRE(inside.handshake);
    CHECK(inside.handshake->in_seconds() == doctest::Approx(6e-7).epsilon(0.01));
  }
  SUBCASE("the same limit, another handshake") {
    jump(1, 65536, 6e5);
    const auto inside = inside_of();
    CHECK_FALSE(inside.rendezvous_from);
    REQUIRE(inside.handshake);
    CHECK(inside.handshake->in_seconds() == doctest::Approx(6e-7).epsilon(0.01));
  }
  SUBCASE("both the same") {
    jump(1, 65536, 4e6);
    const auto inside = inside_of();
    CHECK_FALSE(inside.rendezvous_from);
    CHECK_FALSE(inside.handshake);
  }
}

TEST_CASE("a calibrated platform has latency and bandwidth of its ping-pongs, and says what is not known") {
  const auto result = calibrate::calibrate({measured()});
  REQUIRE(result);
  const auto& p = result->platform;
  CHECK(p.name == "cluster-of-ours");
  const auto& network = p.machines.front().network;
  const auto& nodes = p.machines.front().nodes.front();
  CHECK(nodes.count == 2);
  CHECK(nodes.cpus == 4);
  CHECK(network.latency.in_seconds() == doctest::Approx(2e-6));
  CHECK(network.bandwidth.in_bytes_per_second() == doctest::Approx(1e10));
  CHECK(network.latency_at == Network::LatencyAt::flight);
  CHECK(network.sharing == Network::Sharing::queues);
  CHECK(network.buses == kUnlimited);
  CHECK(nodes.intra_node.latency.in_seconds() == doctest::Approx(3e-7));
  // Not measured, and never what the network costs.
  CHECK(nodes.self == NodeGroup::Self{Duration::picoseconds(1'000'000), Bandwidth::bytes_per_second(5e9)});
  REQUIRE(p.calibration);
  CHECK(p.calibration->machine == "cluster of ours");
  CHECK(p.calibration->suites.size() == 2);
  CHECK(p.calibration->suites.front().worst_error < 0.001);
  CHECK(result->diagnostics.size() == p.calibration->warnings.size());
  CHECK_FALSE(p.calibration->warnings.empty());
  const auto back = parse_platform(to_json_text(p), "back.json");
  REQUIRE(back);
  CHECK(back->calibration == p.calibration);
}

TEST_CASE("a calibrated platform records the machine of its measurements") {
  auto m = measured();
  for (const auto& [kind, name] : {std::pair(TestbedKind::mpi, "mpi"),
                                   {TestbedKind::local, "local"},
                                   {TestbedKind::simulated, "simulated"}}) {
    m.testbed = kind;
    const auto result = calibrate::calibrate({m});
    REQUIRE(result);
    CHECK(result->platform.calibration->testbed == name);
  }
}

TEST_CASE("held-out points are not part of the fit and are reported separately") {
  auto m = measured();
  calibrate::CalibrationOptions options;
  options.hold_out = 0.5;
  const auto result = calibrate::calibrate({m}, options);
  REQUIRE(result);
  std::size_t held_out = 0;
  for (const auto& r : result->residuals) held_out += r.held_out;
  CHECK(held_out > 0);
  CHECK(held_out < result->residuals.size());
  CHECK(result->platform.calibration->suites.back().held_out);
}

TEST_CASE("half the time for the same work is twice the speed") {
  auto m = measured(), reference = measured();
  m.suites.push_back(work(5e8));
  reference.suites.push_back(work(1e9));
  calibrate::CalibrationOptions options;
  options.reference = reference;
  const auto result = calibrate::calibrate({m}, options);
  REQUIRE(result);
  CHECK(result->platform.machines.front().nodes.front().relative_speed == doctest::Approx(2));
}

TEST_CASE("measurements that cannot be calibrated are refused") {
  CHECK(message(calibrate::calibrate({})) == "measurements: are missing, expected one or more");
  auto other = measured();
  other.machine.name = "another";
  CHECK(message(calibrate::calibrate({measured(), other})) ==
        "measurements: are from different machines, 'cluster of ours' and 'another'\n"
        "  calibrate each machine separately");
  auto broken = measured();
  broken.suites.front().points[1].result_ps.value = std::numeric_limits<double>::quiet_NaN();
  CHECK(message(calibrate::calibrate({broken})) ==
        "suite pingpong-inter: at 4: a result of nan ps is not a time, expected a number of 0 or more\n"
        "  leave the point out, or measure again");
  auto empty = measured();
  empty.suites.front().points.clear();
  CHECK(message(calibrate::calibrate({empty})) == "suite pingpong-inter: has no points");
  auto none = measured();
  none.suites = {work(1e9)};
  CHECK(
      message(calibrate::calibrate({none})) ==
      "measurements: no ping-pong of MPI_Send over sizes was measured, neither between nodes nor inside one\n"
      "  measure everything calibrate needs with 'busline measure calibration'");
  calibrate::CalibrationOptions options;
  options.reference = none;
  CHECK(message(calibrate::calibrate({measured()}, options)) ==
        "measurements: no fixed work was measured, expected a suite of pattern compute\n"
        "  measure it with 'busline measure calibration'");
}
