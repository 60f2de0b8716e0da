#include "platforms/loggops/loggops.hpp"

#include <doctest/doctest.h>

using namespace busline;

namespace {

Platform loggops_platform(const std::string& text) {
  Diagnostics diagnostics;
  auto p = parse_loggops(text, "p.txt", diagnostics);
  if (!p) FAIL(to_string(p.error()));
  CHECK(diagnostics.empty());
  return *std::move(p);
}

std::string loggops_refusal(const std::string& text) {
  Diagnostics diagnostics;
  const auto p = parse_loggops(text, "p.txt", diagnostics);
  REQUIRE_FALSE(p);
  return to_string(p.error());
}

}  // namespace

TEST_CASE("LogGOPS parameters become overheads, a latency in flight and a link") {
  // L' = L + o - G = 2500 + 1500 - 6 ns; 1 byte in 6 ns.
  const auto p = loggops_platform("# by hand\n-L 2500 -o 1500 -g 1000 -G 6 -O 0\n-S 65535\n");
  const auto& nodes = p.machines[0].nodes[0];
  const auto& network = p.machines[0].network;
  CHECK(nodes.overheads == Overheads{Duration::picoseconds(1'500'000), Duration::picoseconds(1'500'000)});
  CHECK(network.latency == Duration::picoseconds(3'994'000));
  CHECK(network.latency_at == Network::LatencyAt::flight);
  CHECK(Bytes{1000} / network.bandwidth == Duration::picoseconds(6'000'000));
  CHECK(p.mpi.rendezvous_from == Bytes{65536});
}

TEST_CASE("LogGOPS parameters of a platform that came from them are the same") {
  const std::string values = "-L 2500000 -o 1500000 -g 6000 -G 6000 -O 0 -S 65535\n";
  Diagnostics diagnostics;
  const auto text =
      to_loggops_text(loggops_platform("# unit 1ps\n" + values), Duration::picoseconds(1), diagnostics);
  REQUIRE(text);
  CHECK(*text ==
        "# LogGOPS parameters of LogGOPS, for the command line of LogGOPSim; a schedule must have the same "
        "unit.\n# unit 1 ps\n" +
            values);
  CHECK(is_loggops(*text));
  CHECK(diagnostics.empty());
}

TEST_CASE("what LogGOPS parameters do not say is reported") {
  auto p = loggops_platform("-G 1.4");
  p.machines[0].network.buses = 3;
  Diagnostics diagnostics;
  REQUIRE(to_loggops_text(p, Duration::picoseconds(1000), diagnostics));
  REQUIRE(diagnostics.size() == 3);
  CHECK(diagnostics[0].message == "LogGOPS parameters do not say: buses");
  CHECK(diagnostics[2].message ==
        "-G is rounded from 1.4 to 1 of 1 ns; a smaller unit may be chosen with --goal-unit");
  p.machines.push_back(p.machines[0]);
  CHECK_FALSE(to_loggops_text(p, Duration::picoseconds(1), diagnostics));
}

TEST_CASE("a bandwidth that would be unlimited in LogGOPS parameters is refused") {
  Diagnostics diagnostics;
  const auto text = to_loggops_text(loggops_platform("-G 0.1"), Duration::picoseconds(1000), diagnostics);
  REQUIRE_FALSE(text);
  CHECK(text.error().message == "-G is 0.1 ns, which is 0 in units of 1 ns: data would take no time");
}

TEST_CASE("a text that is not LogGOPS parameters is refused by line") {
  CHECK_FALSE(is_loggops("{\"schema\": 1}"));
  CHECK_FALSE(is_loggops(""));
  CHECK(loggops_refusal("-L 1\nx") == "p.txt:2: expected -L, -o, -g, -G, -O or -S and a number");
  CHECK(loggops_refusal("-L -1") == "p.txt:1: expected a number from 0 on after -L");
  CHECK(loggops_refusal("-L") == "p.txt:1: expected a number after -L");
  CHECK(loggops_refusal("# unit 1\n-L 1") == "p.txt:1: expected a unit of time, as in # unit 1ps");
}
