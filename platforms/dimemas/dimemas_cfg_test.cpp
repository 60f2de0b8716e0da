#include "platforms/dimemas/dimemas_cfg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "platforms/description/platform_json.hpp"
#include "sim/base/test_text.hpp"

using namespace busline;

namespace {

const std::string kData = BUSLINE_SOURCE_DIR "/platforms/testdata/";

// One machine of 3 + 2 nodes; line numbers matter to the tests below.
const std::string kSmallCfg = R"(#DIMEMAS_CONFIGURATION

"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"m0", 0, "", 5, 100.0, 8, 3};;
"multi node information" {0, 3, "", 2, 1.5, 1e-06, 1000.0, 0, 1, 0, 1e-05, 2, 3, 0.0};;
"node information" {0, "", 1, 0.0, 0.0, 0.0, 1, 1, 1, 2e-05, 0, 0, 0.5};;
"node information" {0, "", 1, 0.0, 0.0, 0.0, 1, 1, 1, 2e-05, 0, 0, 0.5};;
"predefined mapping information" {"2 TASKS_PER_NODE"};;
"configuration files" {"", "", "", ""};;
"file system parameters" {0.0, 0.0, 8.0, 0, 1.0};;
)";

Platform platform_of(const std::string& text, Diagnostics* diagnostics = nullptr) {
  Diagnostics d;
  const auto p = parse_dimemas_cfg(text, "m.cfg", d);
  if (!p) FAIL(to_string(p.error()));
  if (diagnostics != nullptr)
    *diagnostics = d;
  else
    CHECK(d.empty());
  return *p;
}

Error error_of(const std::string& text) {
  Diagnostics d;
  const auto p = parse_dimemas_cfg(text, "m.cfg", d);
  REQUIRE_FALSE(p);
  return p.error();
}

// The messages for kSmallCfg with `from` replaced by `to`.
std::string small_cfg(const std::string& from, const std::string& to) {
  return to_string(error_of(replaced(kSmallCfg, from, to)));
}

Platform read(const std::string& name) {
  Diagnostics d;
  const auto p = read_dimemas_cfg(kData + name, d);
  if (!p) FAIL(to_string(p.error()));
  return *p;
}

const std::vector<CollectiveCost>& of(const CollectiveTable& table, CollectiveKind kind) {
  return table.by_kind[static_cast<std::size_t>(kind)];
}

constexpr ClosedForm form(FanModel model) {
  return {{model, SizeRule::current}, {model, SizeRule::current}};
}

}  // namespace

TEST_CASE("a configuration is known by its first line") {
  CHECK(is_dimemas_cfg(kSmallCfg));
  CHECK(is_dimemas_cfg("         #DIMEMAS_CONFIGURATION"));
  CHECK_FALSE(is_dimemas_cfg("          #DIMEMAS_CONFIGURATION"));
  CHECK_FALSE(is_dimemas_cfg("{\n#DIMEMAS_CONFIGURATION"));
  CHECK(to_string(error_of("SDDFA\n")) ==
        "m.cfg:1: expected '#DIMEMAS_CONFIGURATION' at the start of the first line\n"
        "  this is the format of Dimemas before version 5, which Dimemas 5 does not read either");
}

TEST_CASE("a machine of a .cfg gets Dimemas's units and limits") {
  const auto p = platform_of(kSmallCfg);
  CHECK(p.name == "m");
  CHECK(p.preset == Preset::dimemas_5_5);
  CHECK(p.mapping.kind == Mapping::Kind::per_node);
  CHECK(p.mapping.per_node == 2);
  REQUIRE(p.machines.size() == 1);
  const auto& network = p.machines[0].network;
  CHECK(network.bandwidth.in_bytes_per_second() == 100.0 * 1048576);
  CHECK(network.buses == 8);
  CHECK(network.latency.count() == 10'000'000);
  CHECK(network.latency_at == Network::LatencyAt::cpu);
  REQUIRE(p.machines[0].nodes.size() == 2);  // equal nodes are one group
  const auto& first = p.machines[0].nodes[0];
  CHECK(first.count == 3);
  CHECK(first.cpus == 2);
  CHECK(first.relative_speed == 1.5);
  CHECK(first.links == Links{Links::Kind::full_duplex, 2, 3});
  CHECK(first.intra_node.latency.count() == 1'000'000);
  CHECK(first.intra_node.buses == kUnlimited);
  CHECK(first.intra_node.links == Links{Links::Kind::half_duplex, 1, 1});
  CHECK_FALSE(first.latency);
  const auto& second = p.machines[0].nodes[1];
  CHECK(second.count == 2);
  CHECK(std::isinf(second.relative_speed));
  CHECK(second.links == Links{});
  CHECK(second.intra_node.bandwidth.is_unlimited());
  CHECK(second.intra_node.buses == 1);
  CHECK(second.latency == Duration::seconds(2e-5));
  CHECK_FALSE(second.wan_latency);
}

TEST_CASE("a machine's collective model applies to every operation except Reduce") {
  const auto p = platform_of(kSmallCfg);
  REQUIRE(p.mpi.collectives.fallback.size() == 1);
  CHECK(p.mpi.collectives.fallback[0].cost == form(FanModel::logarithmic));
  CHECK(of(p.mpi.collectives, CollectiveKind::reduce)[0].cost == form(FanModel::constant));
  CHECK(of(p.mpi.collectives, CollectiveKind::allreduce).empty());
}

TEST_CASE("comments, blank lines and line ends of other systems are skipped") {
  const auto plain = platform_of(kSmallCfg);
  auto text =
      replaced(kSmallCfg, "\"wide", "// a remark\n/* records\n \"node information\" {1}\n*/\n\n  \"wide");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  CHECK(platform_of(text) == plain);
  CHECK(to_string(error_of(kSmallCfg + "/* open\n")) ==
        "m.cfg:11: this comment never ends, expected a line with '*/'");
}

TEST_CASE("a record that a // hides is skipped as in Dimemas, and named") {
  Diagnostics d;
  platform_of(replaced(kSmallCfg, "\"file system parameters\" {0.0", "\"file system parameters\" {0.0 // ms"),
              &d);
  REQUIRE(d.size() == 1);
  CHECK(d[0].line == 10);
  CHECK(d[0].code == "skipped-record");
  CHECK(d[0].message == "this record is skipped, as in Dimemas, because its line holds '//'");
}

TEST_CASE("nodes belong to machines by the order of ids, not by the machine in their record") {
  const std::string text = R"(#DIMEMAS_CONFIGURATION
"wide area network information" {"", 2, 0, 4, 0.0, 10.0, 2};;
"environment information" {"b", 1, "", 3, 200.0, 0, 1};;
"environment information" {"a", 0, "", 2, 100.0, 0, 2};;
"multi node information" {1, 3, "", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.001, 1, 1, 0.1};;
"multi node information" {0, 2, "", 1, 2.0, 0.0, 0.0, 0, 0, 0, 0.002, 1, 1, 0.2};;
)";
  Diagnostics d;
  const auto p = platform_of(text, &d);
  REQUIRE(p.machines.size() == 2);
  CHECK(p.machines[0].name == "a");
  REQUIRE(p.machines[0].nodes.size() == 1);
  CHECK(p.machines[0].nodes[0].count == 2);
  CHECK(p.machines[0].nodes[0].relative_speed == 1);
  REQUIRE(p.machines[1].nodes.size() == 2);
  CHECK(p.machines[1].nodes[0].count == 1);
  CHECK(p.machines[1].nodes[1].relative_speed == 2);
  CHECK(p.machines[1].network.latency == Duration::seconds(1e-3));
  CHECK(p.machines[1].nodes[1].latency == Duration::seconds(2e-3));
  CHECK(p.wan.latency == Duration::seconds(0.1));
  CHECK(p.machines[1].nodes[1].wan_latency == Duration::seconds(0.2));
  CHECK(p.wan.collectives.fallback[0].cost == form(FanModel::linear));
  CHECK(p.machines[1].collectives.fallback[0].cost == form(FanModel::constant));
  REQUIRE(d.size() == 2);
  CHECK(d[0].message == "nodes of machine 1 are assigned to machine 0: ids follow the order of records");
}

TEST_CASE("older records of nodes are read") {
  const auto head = kSmallCfg.substr(0, kSmallCfg.find("\"multi"));
  const auto p = platform_of(
      head +
      "\"node information\" {0, 7, \"\", 4, 1.0, 1e-6, 1000.0, 2, 1, 1, 1e-5, 1, 1, 0.0};;\n"
      "\"multi node information\" {0, 3, \"\", 4, 1.0, 1e-6, 1000.0, 2, 1, 1, 1e-5, 1, 1, 0.0};;\n"
      "\"node information\" {0, 9, \"\", 4, 2, 0, 1e-6, 1e-5, 0.5, 1000.0, 0.0};;\n");
  REQUIRE(p.machines[0].nodes.size() == 2);
  CHECK(p.machines[0].nodes[0].count == 4);
  const auto& oldest = p.machines[0].nodes[1];
  CHECK(oldest.links == Links{Links::Kind::half_duplex, 2, 2});
  CHECK(oldest.intra_node.buses == 4);
  CHECK(oldest.intra_node.links == Links{Links::Kind::half_duplex, 1, 1});
  CHECK(oldest.intra_node.latency == Duration::seconds(1e-6));
  CHECK(oldest.intra_node.bandwidth == Bandwidth::bytes_per_second(1000.0 * 1048576));
  CHECK(oldest.relative_speed == 0.5);
  CHECK_FALSE(oldest.latency);
}

TEST_CASE("mappings of all kinds are read") {
  const std::string two = "\"predefined mapping information\" {\"2 TASKS_PER_NODE\"};;";
  CHECK(platform_of(replaced(kSmallCfg, two, "")).mapping == Mapping{});
  CHECK(platform_of(replaced(kSmallCfg, "\"2 TASKS_PER_NODE\"", "\"t.dim\", \"FILL_NODES\"")).mapping ==
        Mapping{});
  CHECK(platform_of(replaced(kSmallCfg, "2 TASKS_PER_NODE", "INTERLEAVED")).mapping.kind ==
        Mapping::Kind::round_robin);
  CHECK(read("map_explicit_hetero/platform.cfg").mapping.nodes ==
        std::vector<std::uint32_t>{0, 1, 0, 1, 1, 1, 1, 0});
  CHECK(small_cfg(two, "\"mapping information\" {\"t.dim\", 3, [2] {0, 1}};;") ==
        "m.cfg:8:36: mapping information: node of each task: expected 3 nodes, one per task, found 2");
  CHECK(small_cfg(two, "\"mapping information\" {\"t.dim\", 2, [3] {0, 1}};;") ==
        "m.cfg:8:36: mapping information: node of each task: expected [2] before a list of 2, found [3]");
  CHECK(small_cfg(two, "\"mapping information\" {\"t.dim\", 2, [2] {0, 5}};;") ==
        "m.cfg:8: mapping information: node of each task: there is no node 5, expected 0 to 4");
  CHECK(small_cfg(two, "\"mapping information\" {\"t.dim\", 2, [2] {0, x}};;") ==
        "m.cfg:8:36: mapping information: node of each task: expected whole numbers from 0 to 9999999, found "
        "'x' as "
        "number 2");
  CHECK(small_cfg("2 TASKS_PER_NODE", "0 TASKS_PER_NODE") ==
        "m.cfg:8:35: predefined mapping information: kind of mapping: expected \"FILL_NODES\", "
        "\"INTERLEAVED\" or "
        "\"k TASKS_PER_NODE\", found \"0 TASKS_PER_NODE\"");
  CHECK(small_cfg(two, two + "\n" + two) ==
        "m.cfg:9: predefined mapping information: this record is given twice, first in "
        "line 8");
}

TEST_CASE("modules divide bursts or give them a length") {
  const auto p = platform_of(kSmallCfg +
                             "\"modules information\" {7, 1, 2.0};;\n\"modules information\" {7, 2, 0.0};;\n"
                             "\"modules information\" {60000, 4, -0.0123};;\n");
  REQUIRE(p.modules.size() == 3);
  CHECK(p.modules[0] == ModuleFactor{7, 1, 2.0, {}});
  CHECK(p.modules[1].ratio == 0);
  CHECK(p.modules[2].fixed == Duration::seconds(0.0123));
  CHECK(to_string(error_of(
            kSmallCfg + "\"modules information\" {7, 1, 2.0};;\n\"modules information\" {7, 1, 3.0};;\n")) ==
        "m.cfg:12: modules information: this event already has a module, in line 11");
  CHECK(to_string(error_of(kSmallCfg + "\"modules information\" {7, 0, 2.0};;\n")) ==
        "m.cfg:11:27: modules information: event value: expected a whole number from 1 to "
        "9223372036854775807, found "
        "'0'");
  CHECK(to_string(error_of(kSmallCfg + "\"modules information\" {7, 1, -864001.0};;\n")) ==
        "m.cfg:11:30: modules information: ratio: expected a time of 10 days at most");
}

TEST_CASE("times of dedicated connections are in seconds, whatever Dimemas does with them") {
  Diagnostics d;
  const auto p = read_dimemas_cfg(kData + "wan_dedicated/platform.cfg", d);
  REQUIRE(p);
  REQUIRE(p->dedicated_connections.size() == 1);
  const auto& c = p->dedicated_connections[0];
  using Compare = DedicatedConnection::Condition::Compare;
  CHECK(c.machine_a == 0);
  CHECK(c.machine_b == 1);
  CHECK(c.tags == std::vector<std::int32_t>{0, 1});
  CHECK(c.first == DedicatedConnection::Condition{Compare::greater, Bytes{10000}});
  CHECK(c.second == DedicatedConnection::Condition{Compare::less, Bytes{800000}});
  CHECK(c.both);
  CHECK(c.latency == Duration::seconds(20000));
  CHECK(c.flight == Duration::seconds(70000));
  REQUIRE(d.size() == 1);
  CHECK(d[0].line == 17);
  CHECK(d[0].message == "a dedicated connection's communicators have no effect, as in Dimemas");
}

TEST_CASE("the communication file beside the .cfg sets single operations") {
  const auto p = read("wan_coll_ext/platform.cfg");
  const auto& m0 = of(p.machines[0].collectives, CollectiveKind::allreduce);
  const auto& m1 = of(p.machines[1].collectives, CollectiveKind::allreduce);
  const auto& wan = of(p.wan.collectives, CollectiveKind::allreduce);
  REQUIRE(m0.size() == 1);
  CHECK(m0[0].cost == ClosedForm{{FanModel::logarithmic, SizeRule::max}, {FanModel::none, SizeRule::max}});
  CHECK(m1[0].cost == ClosedForm{{FanModel::linear, SizeRule::sum}, {FanModel::constant, SizeRule::mean}});
  CHECK(wan[0].cost ==
        ClosedForm{{FanModel::logarithmic, SizeRule::max}, {FanModel::linear, SizeRule::twice_max}});
  const auto flight = read("wan_flight/platform.cfg").wan.flight;
  REQUIRE(flight.size() == 2);
  CHECK(flight[0][1] == Duration::seconds(0.0131));
  CHECK(flight[1][0] == Duration::seconds(0.0217));
  const auto one = read("coll_machine_specific/platform.cfg");
  CHECK(of(one.mpi.collectives, CollectiveKind::alltoall)[0].cost ==
        ClosedForm{{FanModel::logarithmic, SizeRule::max}, {FanModel::linear, SizeRule::min}});
}

TEST_CASE("a missing file of the .cfg is named with the line that names it") {
  const auto e =
      error_of(replaced(kSmallCfg, "{\"\", \"\", \"\", \"\"}", "{\"\", \"\", \"gone.cfg\", \"\"}"));
  CHECK(e.kind == Error::Kind::unreadable);
  CHECK(to_string(e) ==
        "gone.cfg: cannot be read: No such file or directory\n  m.cfg, line 9, names this file");
}

TEST_CASE("what cannot be simulated is refused by name") {
  const auto random =
      error_of(replaced(kSmallCfg, "{\"\", \"\", \"\", \"\"}", "{\"\", \"\", \"\", \"r.cfg\"}"));
  CHECK(random.kind == Error::Kind::unsupported);
  CHECK(to_string(random) ==
        "m.cfg:9:36: configuration files: random file: random variations are not supported; expected \"\"");
  const auto gpu =
      error_of(kSmallCfg + "\"accelerator node information\" {0, 2, 1e-6, 1e-6, 100.0, 1, 0.0};;\n");
  CHECK(gpu.kind == Error::Kind::unsupported);
  CHECK(to_string(gpu) ==
        "m.cfg:11:36: accelerator node information: number of GPUs: accelerators are not supported, expected "
        "0 GPUs");
  CHECK(platform_of(kSmallCfg + "\"accelerator node information\" {0, 0, 0.0, 0.0, 0.0, 0, 0.0};;\n") ==
        platform_of(kSmallCfg));
}

TEST_CASE("filled-in records without effect are named") {
  Diagnostics d;
  platform_of(replaced(kSmallCfg, "{0.0, 0.0, 8.0", "{0.001, 0.0, 8.0"), &d);
  REQUIRE(d.size() == 1);
  CHECK(d[0].severity == Diagnostic::Severity::note);
  CHECK(d[0].line == 10);
  CHECK(d[0].message == "file system parameters have no effect on MPI traces");
}

TEST_CASE("wrong records name line, record, field and what was expected") {
  CHECK(small_cfg("\"environment information\"", "\"enviroment information\"") ==
        "m.cfg:4: unknown record 'enviroment information'; did you mean 'environment information'?");
  CHECK(small_cfg("\"environment information\"", "environment information") ==
        "m.cfg:4:1: expected a record, as in \"environment information\" {...};;");
  CHECK(small_cfg("100.0, 8, 3};;", "100.0, 8};;") ==
        "m.cfg:4: environment information: expected 7 fields, found 6");
  CHECK(small_cfg("100.0, 8, 3};;", "100.0, 8, 3;;") ==
        "m.cfg:4:57: environment information: expected ',' or '}' after a field");
  CHECK(small_cfg("100.0, 8, 3};;", "100.0, 8, 3}") ==
        "m.cfg:4:56: environment information: expected the record to end with '};;'");
  CHECK(small_cfg("100.0, 8, 3};;", "100.0, -8, 3};;") ==
        "m.cfg:4:51: environment information: number of buses: expected a whole number from 1 to 1000000, or "
        "0 for no "
        "limit, found '-8'");
  CHECK(small_cfg("100.0, 8, 3};;", "100.0, 8, 4};;") ==
        "m.cfg:4:54: environment information: collective model (1 CTE, 2 LIN, 3 LOG): expected a whole "
        "number from 1 "
        "to 3, found '4'");
  CHECK(small_cfg("100.0, 8", "nan, 8") ==
        "m.cfg:4:44: environment information: bandwidth: expected a number of 0 or more, found 'nan'");
  CHECK(small_cfg("100.0, 8", "1e308, 8") == "m.cfg:4:44: environment information: bandwidth: is too large");
  CHECK(small_cfg("100.0, 8", "\"100\", 8") ==
        "m.cfg:4:44: environment information: bandwidth: expected a number of 0 or more, found '100'");
  CHECK(small_cfg("{0, 3, \"\", 2,", "{0, 3, \"\", 2.5,") ==
        "m.cfg:5:37: multi node information: number of CPUs: expected a whole number from 1 to 1000000, "
        "found '2.5'");
  CHECK(small_cfg("1e-05, 2, 3", "1e10, 2, 3") ==
        "m.cfg:5:69: multi node information: network latency: expected a time of 10 days at most, found "
        "'1e10'");
  CHECK(small_cfg("{0, 3, \"\"", "{0, 99999999, \"\"") ==
        "m.cfg:5:30: multi node information: number of nodes: expected a whole number from 1 to 10000000, "
        "found "
        "'99999999'");
  CHECK(small_cfg("\"\", 5, 100.0", "\"\", [1] {5}, 100.0") ==
        "m.cfg:4:41: environment information: number of nodes: expected a whole number from 1 to 10000000, "
        "found a "
        "list");
}

TEST_CASE("records that do not fit together are refused") {
  CHECK(small_cfg("{\"\", 1, 0, 4", "{\"\", 2, 0, 4") ==
        "m.cfg:3: wide area network information: number of machines: 2, but there are 1 'environment "
        "information' "
        "records");
  CHECK(small_cfg("\"m0\", 0, \"\", 5", "\"m0\", 0, \"\", 6") ==
        "m.cfg:4: environment information: number of nodes: 6, but 5 are described for machine 0");
  CHECK(small_cfg("\"m0\", 0,", "\"m0\", 1,") ==
        "m.cfg:4: environment information: machine id: expected 0 to 0, found 1");
  const auto two_machines = [](const std::string& second, int nodes) {
    std::string text =
        "#DIMEMAS_CONFIGURATION\n\"wide area network information\" {\"\", 2, 0, 4, 0.0, 0.0, 1};;\n";
    for (const std::string& id : {std::string("0"), second})
      text += fmt::format("\"environment information\" {{\"\", {}, \"\", {}, 1.0, 0, 1}};;\n", id, nodes);
    for (const int machine : {0, 1})
      text += fmt::format(
          "\"multi node information\" {{{}, {}, \"\", 1, 1.0, 0.0, 0.0, 0, 0, 0, 0.0, 1, 1, 0.1}};;\n",
          machine, nodes);
    return to_string(error_of(text));
  };
  CHECK(two_machines("0", 1) ==
        "m.cfg:4: environment information: machine id: 0 is given twice, first in line 3");
  CHECK(two_machines("1", 10'000'000) == "m.cfg: 20000000 nodes, expected 10000000 at most");
  CHECK(small_cfg("{\"\", 1, 0, 4", "{\"\", 1, 1, 4") ==
        "m.cfg:3: wide area network information: number of dedicated connections: 1, but there are 0 records "
        "of them");
  CHECK(to_string(error_of("#DIMEMAS_CONFIGURATION\n")) ==
        "m.cfg: there is no 'wide area network information' record");
}

TEST_CASE("a text damaged anywhere gives an error or a platform, never a crash") {
  const auto text = replaced(kSmallCfg, "\"predefined mapping information\" {\"2 TASKS_PER_NODE\"};;",
                             "\"mapping information\" {\"t\", 2, [2] {0,1}};;");
  const auto survives = [](const std::string& damaged) {
    Diagnostics d;
    const auto p = parse_dimemas_cfg(damaged, "m.cfg", d);
    return p || !to_string(p.error()).empty();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    CHECK(survives(text.substr(0, at)));
    for (const char damage : {'\0', '"', '{', ']', '9', '-', '/', '\n', '\xff'}) {
      auto damaged = text;
      damaged[at] = damage;
      CHECK(survives(damaged));
    }
  }
}

TEST_CASE("an imported platform survives being written as JSON and read") {
  for (const auto* name :
       {"wan_flight", "wan_coll_ext", "wan_dedicated", "coll_machine_specific", "map_explicit_hetero"}) {
    CAPTURE(name);
    const auto p = read(std::string(name) + "/platform.cfg");
    const auto back = parse_platform(to_json_text(p), "back.json");
    if (!back) FAIL(to_string(back.error()));
    CHECK(*back == p);
  }
}
