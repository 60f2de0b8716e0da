#include "platforms/description/platform_json.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/test_text.hpp"

using namespace busline;

namespace {

// Line numbers matter to the tests below.
const std::string kSmallJson = R"({
  "schema": "busline/platform/1",
  "name": "small",
  "nodes": [{"count": 4, "cpus": 2, "links": 1,
             "intra_node": {"latency": "1us", "bandwidth": "8 GB/s"}}],
  "network": {"latency": "10us", "bandwidth": "1 Gbps", "buses": 2}
}
)";

const std::string kTwoMachines = R"({
  "schema": "busline/platform/1",
  "name": "two",
  "machines": [
    {"name": "a", "nodes": [{"cpus": 1}],
     "network": {"latency": "1us", "bandwidth": "unlimited", "buses": "unlimited"}},
    {"name": "b", "nodes": [{"cpus": 1, "count": 2, "wan_latency": "3ms"}],
     "network": {"latency": "2us", "bandwidth": "1 Gbps", "buses": 1},
     "collectives": {"MPI_Bcast": {"fan_in": {"model": "none"}, "fan_out": {"model": "linear"}}}}
  ],
  "wan": {"latency": "5ms", "bandwidth": "100 Mbps", "flight": [["0s", "1ms"], ["2ms", "0s"]]},
  "dedicated_connections": [
    {"machine_a": 0, "machine_b": 1, "bandwidth": "1 GB/s", "latency": "1ms", "tags": [7],
     "sizes": [{"compare": "<", "size": "1 kB"}, {"compare": ">", "size": "1 MB"}], "match": "any"}
  ]
}
)";

std::string json_refusal(const std::string& text) {
  const auto p = parse_platform(text, "p.json");
  REQUIRE_FALSE(p);
  return to_string(p.error());
}

// The error for kSmallJson with `from` replaced by `to`.
std::string small_json(const std::string& from, const std::string& to) {
  return json_refusal(replaced(kSmallJson, from, to));
}
std::string two(const std::string& from, const std::string& to) {
  return json_refusal(replaced(kTwoMachines, from, to));
}

std::string set_refusal(const std::string& assignment) {
  auto d = Document::parse(kSmallJson, "p.json");
  REQUIRE(d);
  REQUIRE(apply_set(*d, assignment));
  const auto p = parse_platform(*d);
  REQUIRE_FALSE(p);
  CHECK(p.error().kind == Error::Kind::bad_option);
  return to_string(p.error());
}

Platform with(const std::string& assignment, const std::string& text = kSmallJson) {
  auto d = Document::parse(text, "p.json");
  REQUIRE(d);
  REQUIRE(apply_set(*d, assignment));
  const auto p = parse_platform(*d);
  if (!p) FAIL(to_string(p.error()));
  return *p;
}

void check_round_trip(const Platform& p) {
  const auto text = to_json_text(p);
  CAPTURE(text);
  const auto back = parse_platform(text, "back.json");
  if (!back) FAIL(to_string(back.error()));
  CHECK(*back == p);
  CHECK(to_json(*back) == to_json(p));
}

}  // namespace

TEST_CASE("a small document gives its figures and the defaults") {
  const auto p = parse_platform(kSmallJson, "p.json");
  REQUIRE(p);
  CHECK(p->name == "small");
  CHECK(p->preset == Preset::published);
  REQUIRE(p->machines.size() == 1);
  const auto& m = p->machines[0];
  CHECK(m.network.latency.count() == 10'000'000);
  CHECK(m.network.bandwidth.in_bytes_per_second() == 1.25e8);
  CHECK(m.network.buses == 2);
  CHECK(m.network.latency_at == Network::LatencyAt::cpu);
  REQUIRE(m.nodes.size() == 1);
  CHECK(m.nodes[0].count == 4);
  CHECK(m.nodes[0].links == Links{Links::Kind::full_duplex, 1, 1});
  CHECK(m.nodes[0].intra_node.links == Links{});
  CHECK(m.nodes[0].relative_speed == 1);
  CHECK_FALSE(p->mpi.rendezvous_from);
  CHECK(p->mpi.collectives_hold_buses);
  CHECK(p->mapping == Mapping{});
  check_round_trip(*p);
}

TEST_CASE("several machines give the WAN and connections between them") {
  const auto p = parse_platform(kTwoMachines, "p.json");
  if (!p) FAIL(to_string(p.error()));
  REQUIRE(p->machines.size() == 2);
  CHECK(p->machines[0].network.bandwidth.is_unlimited());
  CHECK(p->machines[0].network.buses == kUnlimited);
  CHECK(p->machines[1].nodes[0].wan_latency == Duration::seconds(3e-3));
  CHECK(p->wan.flight[1][0] == Duration::seconds(2e-3));
  REQUIRE(p->dedicated_connections.size() == 1);
  const auto& c = p->dedicated_connections[0];
  CHECK(c.machine_b == 1);
  CHECK(c.first.compare == DedicatedConnection::Condition::Compare::less);
  CHECK(c.second.size == Bytes{1'000'000});
  CHECK_FALSE(c.both);
  check_round_trip(*p);
}

TEST_CASE("unknown keys name their place and the nearest known one") {
  CHECK(small_json("\"bandwidth\": \"1 Gbps\"", "\"bandwith\": \"1 Gbps\"") ==
        "p.json:6:34: /network/bandwith: unknown key 'bandwith'; did you mean 'bandwidth'?");
  CHECK(small_json("\"links\"", "\"colour\"") ==
        "p.json:4:37: /nodes/0/colour: unknown key 'colour', expected one of count, cpus, shared_cpus, "
        "waiting, quantum, relative_speed, "
        "intra_node, self, links, overheads, latency, wan_latency");
  CHECK(small_json("\"buses\": 2", "\"buses\": 2, \"Buses\": 3") ==
        "p.json:6:69: /network/Buses: unknown key 'Buses'; did you mean 'buses'?");
}

TEST_CASE("unsupported features are refused by name") {
  CHECK(small_json("\"name\"", "\"topology\": {}, \"name\"") ==
        "p.json:3:3: /topology: 'topology' is a member of 'network'");
}

TEST_CASE("noise is a standard deviation or a list of factors") {
  const auto noise = [&](const std::string& value) {
    return small_json("\"name\"", "\"noise\": {\"latency\": " + value + "}, \"name\"");
  };
  CHECK(
      noise("-0.1") ==
      "p.json:3:24: /noise/latency: expected a standard deviation of the logarithm from 0 to 2, or an object "
      "with 'factors', found -0.1");
  CHECK(noise("{\"factors\": [0]}") ==
        "p.json:3:37: /noise/latency/factors/0: expected a factor from 0.001 to 1000, found 0");
  CHECK(noise("{\"factors\": []}") ==
        "p.json:3:36: /noise/latency/factors: expected a list of 1 to 10000 factors, found a list");
  CHECK(noise("{\"factor\": [1]}") ==
        "p.json:3:25: /noise/latency/factor: unknown key 'factor'; did you mean 'factors'?");
}

TEST_CASE("an algorithm must be one of its operation's") {
  const auto collectives = [&](const std::string& table) {
    return small_json("\"nodes\"", "\"mpi\": {\"collectives\": {" + table + "}}, \"nodes\"");
  };
  CHECK(
      collectives("\"MPI_Bcast\": {\"algorithm\": \"ring\"}") ==
      "p.json:4:54: /mpi/collectives/MPI_Bcast/algorithm: 'ring' is not an algorithm for MPI_Bcast, expected "
      "one of "
      "linear, binomial, chain, scatter-allgather, scatter-doubling, binary, knomial, "
      "binomial-at-once, pipeline-8KiB, pipeline-32KiB");
  CHECK(collectives("\"MPI_Gatherv\": [{\"from\": \"0 B\", \"algorithm\": \"binomial\"}]") ==
        "p.json:4:72: /mpi/collectives/MPI_Gatherv/0/algorithm: 'binomial' is not an algorithm for "
        "MPI_Gatherv, "
        "expected one of linear, linear-sync, direct");
  CHECK(collectives("\"default\": {\"algorithm\": \"linear\"}") ==
        "p.json:4:39: /mpi/collectives/default/algorithm: an algorithm belongs to one operation, give "
        "'default' "
        "fan_in and fan_out");
  CHECK(collectives("\"MPI_Bcast\": {\"algorithm\": \"binomal\"}").find("\"binomial\"") != std::string::npos);
  CHECK(collectives("\"MPI_Bcast\": {\"algorithm\": \"linear\", \"fan_in\": {}}").find("fan_in") !=
        std::string::npos);
}

TEST_CASE("algorithms and closed forms share a list by size, and survive a round trip") {
  const auto p =
      with(R"(/mpi/collectives={"MPI_Barrier": {"algorithm": "bruck"}, "MPI_Allreduce": [)"
           R"({"from": "0 B", "algorithm": "recursive-doubling"}, {"from": "64KiB", "algorithm": "ring"},)"
           R"( {"from": "1MiB", "fan_in": {"model": "linear"}, "fan_out": {"model": "none"}}]})");
  const auto& table = p.mpi.collectives;
  REQUIRE(table.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)].size() == 3);
  CHECK(table.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)][1].algorithm == Algorithm::ring);
  CHECK_FALSE(table.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)][2].algorithm.has_value());
  CHECK(table.by_kind[static_cast<std::size_t>(CollectiveKind::barrier)].front().algorithm ==
        Algorithm::bruck);
  CHECK(parse_platform(to_json_text(p), "back.json") == p);
}

TEST_CASE("missing members are named at the object that lacks them") {
  CHECK(small_json("\"latency\": \"10us\", ", "") == "p.json:6:14: /network: 'latency' is missing");
  CHECK(small_json("  \"schema\": \"busline/platform/1\",\n", "") == "p.json:1:1: 'schema' is missing");
  CHECK(small_json("\"cpus\": 2, ", "") == "p.json:4:13: /nodes/0: 'cpus' is missing");
  CHECK(small_json(",\n             \"intra_node\": {\"latency\": \"1us\", \"bandwidth\": \"8 GB/s\"}", "") ==
        "p.json:4:13: /nodes/0: 'intra_node' is missing: nodes of 2 CPUs need a latency and a bandwidth "
        "inside");
  CHECK(json_refusal(
            "{\"schema\": \"busline/platform/1\", \"name\": \"x\", \"network\": {\"latency\": \"1us\", "
            "\"bandwidth\": \"1 GB/s\", \"buses\": 1}}") == "p.json:1:1: 'nodes' is missing");
}

TEST_CASE("bare numbers and unknown units are refused where a unit is needed") {
  CHECK(small_json("\"10us\"", "10") ==
        "p.json:6:26: /network/latency: expected a time with its unit, as in \"1.5us\", found 10");
  CHECK(small_json("\"10us\"", "\"10\"") ==
        "p.json:6:29: /network/latency: a unit is missing, as in \"1.5us\"");
  CHECK(small_json("\"10us\"", "\"10 parsec\"") ==
        "p.json:6:30: /network/latency: unknown unit 'parsec', expected one as in \"1.5us\"");
  CHECK(small_json("\"10us\"", "\"-1us\"") ==
        "p.json:6:26: /network/latency: expected a number that is finite and not negative");
  CHECK(small_json("\"1 Gbps\"", "0") ==
        "p.json:6:47: /network/bandwidth: expected a bandwidth with its unit, as in \"10 Gbps\" or \"12.5 "
        "GB/s\", "
        "or \"unlimited\", found 0");
  CHECK(small_json("\"1 Gbps\"", "\"0 Gbps\"") ==
        "p.json:6:47: /network/bandwidth: a bandwidth must be greater than zero");
  CHECK(small_json("\"nodes\"", "\"mpi\": {\"rendezvous_from\": 4096}, \"nodes\"") ==
        "p.json:4:30: /mpi/rendezvous_from: expected a size with its unit, as in \"64KiB\", or \"never\", "
        "found 4096");
  CHECK(small_json("\"10us\"", std::string(500, '1').insert(0, 1, '"').append(1, '"')).size() < 200);
}

TEST_CASE("times whose sums might leave the simulated clock are refused") {
  CHECK(small_json("\"10us\"", "\"864001 s\"") ==
        "p.json:6:26: /network/latency: expected a time of 10 days at most, found \"864001 s\"");
  CHECK(with("/network/latency=864000s").machines[0].network.latency == Duration::seconds(864000));
}

TEST_CASE("wrong types and ranges say what was expected") {
  CHECK(small_json("\"count\": 4", "\"count\": 0") ==
        "p.json:4:23: /nodes/0/count: expected a whole number from 1 to 10000000, found 0");
  CHECK(small_json("\"count\": 4", "\"count\": 4.5") ==
        "p.json:4:23: /nodes/0/count: expected a whole number from 1 to 10000000, found 4.5");
  CHECK(small_json("\"count\": 4", "\"count\": 18446744073709551616") ==
        "p.json:4:23: /nodes/0/count: expected a whole number from 1 to 10000000, found "
        "1.8446744073709552e+19");
  CHECK(small_json("\"cpus\": 2", "\"cpus\": \"2\"") ==
        "p.json:4:34: /nodes/0/cpus: expected a whole number from 1 to 1000000, found \"2\"");
  CHECK(small_json("\"buses\": 2", "\"buses\": 0") ==
        "p.json:6:66: /network/buses: expected a whole number from 1 to 1000000 or \"unlimited\", found 0");
  CHECK(small_json("\"buses\": 2", "\"buses\": \"many\"") ==
        "p.json:6:66: /network/buses: expected a whole number from 1 to 1000000 or \"unlimited\", found "
        "\"many\"");
  CHECK(small_json("\"name\": \"small\"", "\"name\": \"my cluster\"") ==
        "p.json:3:11: /name: expected a name of letters, digits, '.', '_' and '-' (128 at most), found \"my "
        "cluster\"");
  CHECK(small_json("\"name\": \"small\"", "\"name\": [1]") ==
        "p.json:3:11: /name: expected a text, found a list");
  CHECK(small_json("busline/platform/1", "busline/platform/2") ==
        "p.json:2:13: /schema: expected \"busline/platform/1\", found \"busline/platform/2\"");
  CHECK(small_json("\"cpus\": 2", "\"cpus\": 2, \"relative_speed\": 0") ==
        "p.json:4:55: /nodes/0/relative_speed: expected a number greater than 0 or \"infinite\", found 0");
  CHECK(small_json("\"nodes\"", "\"preset\": \"Published\", \"nodes\"") ==
        "p.json:4:13: /preset: expected one of \"published\", \"dimemas-5.5\", found \"Published\"; did you "
        "mean "
        "\"published\"?");
  CHECK(small_json("\"nodes\": [", "\"nodes\": [[], ") ==
        "p.json:4:13: /nodes/0: expected an object, found a list");
  CHECK(json_refusal("[]") == "p.json:1:1: expected an object, found a list");
  CHECK(small_json("\"nodes\"", "\"mpi\": {\"collectives_hold_buses\": 1}, \"nodes\"") ==
        "p.json:4:37: /mpi/collectives_hold_buses: expected true or false, found 1");
}

TEST_CASE("links are a number, two numbers, half duplex or unlimited") {
  CHECK(with("/nodes/0/links=2").machines[0].nodes[0].links == Links{Links::Kind::full_duplex, 2, 2});
  CHECK(with("/nodes/0/links=unlimited").machines[0].nodes[0].links == Links{});
  CHECK(with(R"(/nodes/0/links={"in": 1, "out": 3})").machines[0].nodes[0].links ==
        Links{Links::Kind::full_duplex, 1, 3});
  CHECK(with(R"(/nodes/0/links={"half_duplex": 2})").machines[0].nodes[0].links ==
        Links{Links::Kind::half_duplex, 2, 2});
  CHECK(small_json("\"links\": 1", "\"links\": {\"in\": 1}") ==
        "p.json:4:46: /nodes/0/links: expected both 'in' and 'out', or 'half_duplex' alone");
  CHECK(small_json("\"links\": 1", "\"links\": \"two\"") ==
        "p.json:4:46: /nodes/0/links: expected a number of links, \"unlimited\", {\"in\", \"out\"} or "
        "{\"half_duplex\"}, found \"two\"");
  CHECK(small_json("\"links\": 1", "\"links\": -1") ==
        "p.json:4:46: /nodes/0/links: expected a whole number from 1 to 1000000, found -1");
}

TEST_CASE("equal flows have no weights") {
  CHECK(small_json("\"buses\": 2", "\"buses\": 2, \"flow\": {\"weight_size\": \"8775 B\"}")
            .ends_with("shares have no weights with the model max-min"));
}

TEST_CASE("size classes and collectives by size must ascend") {
  CHECK(
      small_json("\"buses\": 2",
                 "\"buses\": 2, \"size_classes\": [{\"from\": \"8KiB\"}, {\"from\": \"1KiB\"}]") ==
      "p.json:6:113: /network/size_classes/1/from: expected a larger size than in the previous class, found "
      "\"1KiB\"");
  const std::string cost = "\"fan_in\": {\"model\": \"none\"}, \"fan_out\": {\"model\": \"linear\"}}";
  const auto table = [&](const std::string& list) {
    return small_json("\"nodes\"", "\"mpi\": {\"collectives\": {\"default\": " + list + "}}, \"nodes\"");
  };
  CHECK(table("[{\"from\": \"1 B\", " + cost + "]") ==
        "p.json:4:48: /mpi/collectives/default/0/from: expected \"0 B\" in the first entry, found \"1 B\"");
  CHECK(table("[{\"from\": \"0 B\", " + cost + ", {\"from\": \"0 B\", " + cost + "]") ==
        "p.json:4:126: /mpi/collectives/default/1/from: expected a larger size than in the previous entry, "
        "found "
        "\"0 B\"");
  CHECK(
      table("[]") ==
      "p.json:4:38: /mpi/collectives/default: expected an object with fan_in and fan_out or with algorithm, "
      "or a list of those by size, found a list");
  CHECK(table("{\"fan_in\": {\"model\": \"log\"}, \"fan_out\": {\"model\": \"none\"}}") ==
        "p.json:4:59: /mpi/collectives/default/fan_in/model: expected one of \"none\", \"constant\", "
        "\"linear\", "
        "\"logarithmic\", found \"log\"");
}

TEST_CASE("collectives are listed by their MPI names") {
  const auto p = with(
      R"(/mpi/collectives={"default": {"fan_in": {"model": "linear"}, "fan_out": {"model": "none"}},)"
      R"( "MPI_Allreduce": [{"from": "0 B", "fan_in": {"model": "logarithmic", "size": "2*max"},)"
      R"( "fan_out": {"model": "constant", "size": "sum"}},)"
      R"( {"from": "64KiB", "fan_in": {"model": "linear", "size": "mean"}, "fan_out": {"model": "none"}}]})");
  const auto& table = p.mpi.collectives;
  REQUIRE(table.fallback.size() == 1);
  CHECK(table.fallback[0].cost == ClosedForm{{FanModel::linear, SizeRule::max}, {}});
  const auto& allreduce = table.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)];
  REQUIRE(allreduce.size() == 2);
  CHECK(allreduce[0].cost.fan_in == Fan{FanModel::logarithmic, SizeRule::twice_max});
  CHECK(allreduce[1].from == Bytes{65536});
  check_round_trip(p);
  CHECK(set_refusal("/mpi/collectives/MPI_Bcst={}") ==
        "--set /mpi/collectives/MPI_Bcst: unknown key 'MPI_Bcst'; did you mean 'MPI_Bcast'?");
}

TEST_CASE("one machine and several exclude each other") {
  CHECK(two("\"wan\"",
            "\"network\": {\"latency\": \"1us\", \"bandwidth\": \"1 GB/s\", \"buses\": 1}, \"wan\"") ==
        "p.json:11:3: /network: cannot be combined with 'machines', which have their own");
  CHECK(small_json("\"nodes\"", "\"wan\": {\"latency\": \"1us\", \"bandwidth\": \"1 GB/s\"}, \"nodes\"") ==
        "p.json:4:3: /wan: there is one machine, 'wan' connects several");
  CHECK(small_json("\"links\": 1", "\"wan_latency\": \"1us\"") ==
        "p.json:4:37: /nodes/0/wan_latency: there is one machine, 'wan_latency' applies between several");
  CHECK(two("\"wan\": {\"latency\": \"5ms\", \"bandwidth\": \"100 Mbps\", \"flight\": [[\"0s\", \"1ms\"], "
            "[\"2ms\", "
            "\"0s\"]]},",
            "") == "p.json:1:1: 'wan' is missing: there are several machines");
}

TEST_CASE("figures for machines and nodes that do not exist are refused") {
  CHECK(two("\"machine_b\": 1", "\"machine_b\": 2") ==
        "p.json:13:35: /dedicated_connections/0/machine_b: there is no machine 2, expected 0 to 1");
  CHECK(two("\"machine_b\": 1", "\"machine_b\": 0") ==
        "p.json:13:35: /dedicated_connections/0/machine_b: expected a machine other than machine_a");
  CHECK(two("[\"2ms\", \"0s\"]", "[\"2ms\"]") ==
        "p.json:11:80: /wan/flight/1: expected 2 lists of 2 times, from each machine to each");
  CHECK(two("\"tags\": [7]", "\"tags\": [7, 4294967296]") ==
        "p.json:13:91: /dedicated_connections/0/tags/1: expected a whole number from -2147483648 to "
        "2147483647, "
        "found 4294967296");
  CHECK(small_json("\"nodes\"", "\"mapping\": [0, 3, 4], \"nodes\"") ==
        "p.json:4:21: /mapping/2: there is no node 4, expected 0 to 3");
}

TEST_CASE("absurdly many nodes are refused before they cost memory") {
  CHECK(small_json("\"nodes\": [", "\"nodes\": [{\"cpus\": 1, \"count\": 10000000}, ") ==
        "p.json:4:45: /nodes/1: the groups so far have 10000004 nodes, expected 10000000 at most");
}

TEST_CASE("an event has one module, with a ratio or a duration") {
  CHECK(small_json("\"nodes\"",
                   "\"modules\": [{\"type\": 1, \"value\": 2}, {\"type\": 1, \"value\": 2}], \"nodes\"") ==
        "p.json:4:40: /modules/1: this event already has a module");
  CHECK(small_json(
            "\"nodes\"",
            "\"modules\": [{\"type\": 1, \"value\": 2, \"ratio\": 2, \"duration\": \"1us\"}], \"nodes\"") ==
        "p.json:4:51: /modules/0/duration: 'duration' and 'ratio' exclude each other");
}

TEST_CASE("an error that a --set causes names the --set") {
  CHECK(set_refusal("/network/latency=2 parsec") ==
        "--set /network/latency: 2 parsec: column 3: unknown unit 'parsec', expected one as in \"1.5us\"");
  CHECK(set_refusal("/network/latency=2") ==
        "--set /network/latency: 2: expected a time with its unit, as in \"1.5us\", found 2");
  CHECK(set_refusal("/network/bandwith=1 Gbps") ==
        "--set /network/bandwith: unknown key 'bandwith'; did you mean 'bandwidth'?");
  CHECK(set_refusal("/netwrk/latency=1us") ==
        "--set /netwrk/latency: /netwrk: unknown key 'netwrk'; did you mean 'network'?");
  CHECK(set_refusal("/launch/fanout=8") ==
        "--set /launch/fanout: unknown key 'fanout'; did you mean 'fan_out'?");
  CHECK(set_refusal("/launch/page_fraction=1.5") ==
        "--set /launch/page_fraction: 1.5: expected a number from 0 to 1, found 1.5");
  CHECK(set_refusal("/launch/per_child=2") ==
        "--set /launch/per_child: 2: expected a time with its unit, as in \"1.5us\", found 2");
  CHECK(set_refusal("/network={}") == "--set /network: {}: 'latency' is missing");
}

TEST_CASE("a --set may create what the schema knows") {
  CHECK(with("/network/buses=4").machines[0].network.buses == 4);
  CHECK(with("/mpi/rendezvous_from=16KiB").mpi.rendezvous_from == Bytes{16384});
  CHECK(with("/mpi/rendezvous_from=never").mpi.rendezvous_from == std::nullopt);
  CHECK(with("/mapping=round-robin").mapping.kind == Mapping::Kind::round_robin);
  CHECK(with(R"(/mapping={"per_node": 2})").mapping.per_node == 2);
  CHECK(
      with("/mpi/collectives/default/fan_in={\"model\": \"none\"}",
           replaced(
               kSmallJson, "\"nodes\"",
               "\"mpi\": {\"collectives\": {\"default\": {\"fan_in\": {\"model\": \"linear\"}, \"fan_out\": "
               "{\"model\": \"none\"}}}}, \"nodes\""))
          .mpi.collectives.fallback[0]
          .cost.fan_in.model == FanModel::none);
  CHECK(with(R"(/modules/-={"type": 3, "value": 1})").modules[0].type == 3);
  CHECK(with("/launch/fan_out=8").launch.fan_out == 8);
  CHECK(with("/launch/fan_out=unlimited").launch.fan_out == kUnlimited);
}

TEST_CASE("every member survives being written and read") {
  Platform p = *parse_platform(kTwoMachines, "p.json");
  p.description = "quotes \" and \\ and \xc3\xa9\n";
  p.preset = Preset::dimemas_5_5;
  p.context_switch = Duration::picoseconds(1);
  auto& g = p.machines[1].nodes[0];
  g.relative_speed = std::numeric_limits<double>::infinity();
  g.intra_node = {Duration::picoseconds(1'234'567),
                  Bandwidth::bytes_per_second(815.934 * 1048576),
                  3,
                  {Links::Kind::half_duplex, 2, 2}};
  g.intra_node.rendezvous_from = RendezvousLimit{Bytes{4096}};
  g.intra_node.handshake = Duration::picoseconds(0);
  g.self = {Duration::picoseconds(17), Bandwidth::bytes_per_second(5e9)};
  g.links = {Links::Kind::full_duplex, 1, 2};
  g.latency = Duration::seconds(1e-3);
  g.overheads = {Duration::seconds(1e-9), Duration::seconds(2e-9)};
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  p.machines[0].network.size_classes = {{Bytes{0}, 0.1, 1.0 / 3}, {Bytes{100}, 2, 7}};
  p.machines[0].network.packet = Bytes{8948};
  p.machines[0].nodes.push_back({});
  p.machines[0].nodes.back().cpus = 8;
  p.machines[0].nodes.back().shared_cpus = true;
  p.machines[0].nodes.back().intra_node.rendezvous_from = RendezvousLimit{};  // "never"
  p.modules = {{7, 1, 0.0, {}}, {8, std::numeric_limits<std::int64_t>::max(), 1.0, Duration::seconds(0.5)}};
  p.mpi.rendezvous_from = Bytes{12345};
  p.mpi.handshake = Duration::seconds(1e-6);
  p.mpi.local_call = Duration::seconds(3e-8);
  p.mpi.send_completes = Mpi::SendCompletes::transfer;
  p.mpi.progress = Mpi::Progress::in_calls;
  p.mpi.handshakes = Mpi::Handshakes::behind_data;
  p.mpi.collectives_hold_buses = false;
  p.mpi.ignore_traced_rendezvous = true;
  p.wan.latency_at = Network::LatencyAt::flight;
  p.dedicated_connections.push_back(p.dedicated_connections[0]);
  p.dedicated_connections[1].both = true;
  p.dedicated_connections[1].second = p.dedicated_connections[1].first;
  p.launch = {.launcher_start = Duration::picoseconds(1),
              .fan_out = kUnlimited,
              .per_child = Duration::picoseconds(2),
              .message = Bytes{3},
              .distribute = Launch::Distribute::broadcast,
              .page_fraction = 1.0 / 3,
              .fs_open_latency = Duration::picoseconds(4),
              .fs_bandwidth = Bandwidth::unlimited(),
              .daemon_start = Duration::picoseconds(5),
              .fork_exec = Duration::picoseconds(6),
              .spawn_parallelism = kUnlimited,
              .init_local = Duration::picoseconds(7),
              .modex = Launch::Modex::none,
              .modex_bytes_per_rank = Bytes{8},
              .connect = Launch::Connect::init,
              .connection_setup = Duration::picoseconds(9)};
  p.mapping.kind = Mapping::Kind::nodes;
  p.mapping.nodes = {0, 2, 1};
  check_round_trip(p);
  p.mapping = {};
  p.mapping.kind = Mapping::Kind::per_node;
  p.mapping.per_node = 3;
  check_round_trip(p);
  p.context_switch = {};
  g.waiting = NodeGroup::Waiting::polling;
  check_round_trip(p);
  g.quantum = Duration::seconds(1e-3);
  check_round_trip(p);
}

TEST_CASE("time slices are at least 1 us long, and ranks that poll have no context switches") {
  const auto with = [](const std::string& node, const std::string& more = "") {
    const auto p = parse_platform(
        R"({"schema": "busline/platform/1", "name": "p", "nodes": [{"cpus": 1)" + node +
            R"(}], "network": {"latency": "1us", "bandwidth": "1Gbps", "buses": 1})" + more + "}",
        "p.json");
    return p ? std::string("quantum ") + std::to_string(p->machines[0].nodes[0].quantum.count())
             : to_string(p.error());
  };
  CHECK(with("") == "quantum 4000000000");
  CHECK(with(R"(, "waiting": "polling", "quantum": "1us")") == "quantum 1000000");
  CHECK(with(R"(, "waiting": "polling", "quantum": "999ns")").find("expected 1us or more") !=
        std::string::npos);
  CHECK(with(R"(, "waiting": "polling")", R"(, "context_switch": "1us")").find("leave out one of them") !=
        std::string::npos);
}

TEST_CASE("a single named machine keeps its name") {
  auto p = *parse_platform(kSmallJson, "p.json");
  p.machines[0].name = "solo";
  check_round_trip(p);
}

TEST_CASE("a document damaged in any place gives an error or a platform, never a crash") {
  const auto survives = [](const std::string& text) {
    if (const auto p = parse_platform(text, "p.json"); !p) return !to_string(p.error()).empty();
    return true;
  };
  for (std::size_t at = 0; at < kTwoMachines.size(); ++at) {
    CHECK(survives(kTwoMachines.substr(0, at)));
    for (const char damage : {'\0', '"', '{', ']', '9', '-', '\xff'}) {
      auto text = kTwoMachines;
      text[at] = damage;
      CHECK(survives(text));
    }
  }
}

TEST_CASE("handshakes wait for data only with progress in calls") {
  const auto of = [](const std::string& mpi) {
    return parse_platform(
        R"({"schema": "busline/platform/1", "name": "m", "nodes": [{"count": 2, "cpus": 1}],
      "network": {"latency": "1us", "bandwidth": "1 GB/s", "buses": "unlimited"}, "mpi": )" +
            mpi + "}",
        "p.json");
  };
  CHECK(of(R"({"progress": "in-calls", "handshakes": "behind-data"})")->mpi.handshakes ==
        Mpi::Handshakes::behind_data);
  const auto refused = of(R"({"handshakes": "behind-data"})");
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()).find("/mpi/handshakes: 'behind-data' needs \"progress\": \"in-calls\"") !=
        std::string::npos);
}
