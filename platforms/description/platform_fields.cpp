#include "platforms/description/platform_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, PlatformDocument& d) {
  auto& p = d.platform;
  f.required("schema", SchemaName{kPlatformSchema});
  f.required("name", Name{p.name});
  f.optional("description", p.description);
  f.optional("source", p.source);
  f.optional("preset", Choice<Preset>{p.preset, kPresetNames});
  f.optional("nodes", d.nodes);
  f.optional("network", d.network);
  f.optional("machines", d.machines);
  f.optional("wan", d.wan);
  f.optional("dedicated_connections", p.dedicated_connections);
  f.optional("modules", p.modules);
  f.optional("context_switch", p.context_switch);
  f.optional("mpi", p.mpi);
  f.optional("mapping", p.mapping);
  f.optional("launch", p.launch);
  f.optional("calibration", p.calibration);
  f.refused("topology", "is a member of 'network'");
  f.refused("noise", kNotYet);
}

void describe(Fields& f, CalibrationRecord& c) {
  f.required("machine", c.machine);
  f.required("testbed", c.testbed);
  f.required("figures", c.figures);
  f.optional("alternatives", c.alternatives);
  f.optional("suites", c.suites);
  f.optional("warnings", c.warnings);
}

void describe(Fields& f, CalibratedAlternative& c) {
  f.required("of", c.of);
  f.optional("chosen", c.chosen);
  f.required("other", c.other);
  f.optional("remark", c.remark);
}

void describe(Fields& f, CalibratedFigure& c) {
  f.required("figure", c.figure);
  f.required("value", c.value);
  f.optional("low", c.low);
  f.optional("high", c.high);
  f.optional("suites", c.suites);
  f.optional("remark", c.remark);
}

void describe(Fields& f, CalibratedSuite& c) {
  f.required("name", c.name);
  f.optional("operation", c.operation);
  f.required("points", Whole{c.points, 1, kMaxServers});
  f.required("median_error", NotNegative{c.median_error});
  f.required("worst_error", NotNegative{c.worst_error});
  f.optional("worst_at", Whole{c.worst_at, 0, INT64_MAX});
  f.optional("held_out", c.held_out);
  f.optional("spread", NotNegative{c.spread});
  f.optional("off", c.off);
}

void describe(Fields& f, MachineGroup& m) {
  f.optional("name", m.name);
  f.required("nodes", m.nodes);
  f.required("network", m.network);
  f.optional("collectives", m.collectives);
}

void describe(Fields& f, NodeGroup& g) {
  f.optional("count", Whole{g.count, 1, kMaxNodes});
  f.required("cpus", Whole{g.cpus, 1, kMaxServers});
  f.optional("shared_cpus", g.shared_cpus);
  f.optional("waiting", Choice<NodeGroup::Waiting>{g.waiting, kWaitingNames});
  f.optional("quantum", g.quantum);
  f.optional("relative_speed", Speed{g.relative_speed});
  f.optional("intra_node", g.intra_node);
  f.optional("self", g.self);
  f.optional("links", g.links);
  f.optional("overheads", g.overheads);
  f.optional("latency", g.latency);
  f.optional("wan_latency", g.wan_latency);
}

void describe(Fields& f, NodeGroup::Memory& m) {
  f.required("latency", m.latency);
  f.required("bandwidth", m.bandwidth);
  f.optional("buses", OrUnlimited{m.buses});
  f.optional("links", m.links);
  f.optional("rendezvous_from", m.rendezvous_from);
  f.optional("handshake", m.handshake);
}

void describe(Fields& f, NodeGroup::Self& s) {
  f.required("latency", s.latency);
  f.required("bandwidth", s.bandwidth);
}

void describe(Fields& f, LinksDocument& l) {
  f.optional("in", Whole{l.in, 1, kMaxServers});
  f.optional("out", Whole{l.out, 1, kMaxServers});
  f.optional("half_duplex", Whole{l.half_duplex, 1, kMaxServers});
}

void describe(Fields& f, Mapping& m) {
  f.required("per_node", Whole{m.per_node, 1, kMaxServers});
}

void describe(Fields& f, Overheads& o) {
  f.optional("send", o.send);
  f.optional("receive", o.receive);
}

void describe(Fields& f, Network& n) {
  f.required("latency", n.latency);
  f.required("bandwidth", n.bandwidth);
  f.required("buses", OrUnlimited{n.buses});
  f.optional("latency_at", Choice<Network::LatencyAt>{n.latency_at, kLatencyAtNames});
  f.optional("size_classes", n.size_classes);
  f.optional("sharing", Choice<Network::Sharing>{n.sharing, kSharingNames});
  f.optional("topology", n.topology);
  f.optional("flow", n.flow);
}

void describe(Fields& f, FlowOptions& o) {
  f.optional("model", Choice<FlowOptions::Model>{o.model, kFlowModelNames});
  f.optional("solver", Choice<FlowOptions::Solver>{o.solver, kFlowSolverNames});
  f.optional("crosstraffic", o.crosstraffic);
  f.optional("tcp_gamma", o.tcp_gamma);
  f.optional("weight_size", o.weight_size);
}

void describe(Fields& f, SizeClass& s) {
  f.required("from", s.from);
  f.optional("latency_factor", NotNegative{s.latency_factor});
  f.optional("bandwidth_factor", Positive{s.bandwidth_factor});
}

void describe(Fields& f, Wan& w) {
  f.required("latency", w.latency);
  f.required("bandwidth", w.bandwidth);
  f.optional("latency_at", Choice<Network::LatencyAt>{w.latency_at, kLatencyAtNames});
  f.optional("links", w.links);
  f.optional("flight", w.flight);
  f.optional("collectives", w.collectives);
}

void describe(Fields& f, DedicatedConnection& c) {
  f.required("machine_a", Whole{c.machine_a, 0, kMaxNodes});
  f.required("machine_b", Whole{c.machine_b, 0, kMaxNodes});
  f.required("bandwidth", c.bandwidth);
  f.required("latency", c.latency);
  f.optional("flight", c.flight);
  f.required("tags", Tags{c.tags});
  f.optional("sizes", Conditions{c});
  f.optional("match", Choice<bool>{c.both, kMatchNames});
}

void describe(Fields& f, DedicatedConnection::Condition& c) {
  f.required("compare", Choice<Compare>{c.compare, kCompareNames});
  f.required("size", c.size);
}

void describe(Fields& f, ModuleFactor& m) {
  f.required("type", Whole{m.type, 0, UINT32_MAX});
  f.required("value", EventValue{m.value});
  f.optional("ratio", NotNegative{m.ratio});
  f.optional("duration", m.fixed);
}

void describe(Fields& f, Mpi& m) {
  f.optional("rendezvous_from", OrNever{m.rendezvous_from});
  f.optional("handshake", m.handshake);
  f.optional("ssend_handshake", m.ssend_handshake);
  f.optional("local_call", m.local_call);
  f.optional("send_completes", Choice<Mpi::SendCompletes>{m.send_completes, kSendCompletesNames});
  f.optional("progress", Choice<Mpi::Progress>{m.progress, kProgressNames});
  f.optional("handshakes", Choice<Mpi::Handshakes>{m.handshakes, kHandshakesNames});
  f.optional("collectives", m.collectives);
  f.optional("collectives_hold_buses", m.collectives_hold_buses);
  f.optional("ignore_traced_rendezvous", m.ignore_traced_rendezvous);
}

void describe(Fields& f, Launch& l) {
  f.optional("launcher_start", l.launcher_start);
  f.optional("fan_out", OrUnlimited{l.fan_out});
  f.optional("per_child", l.per_child);
  f.optional("message", l.message);
  f.optional("distribute", Choice<Launch::Distribute>{l.distribute, kDistributeNames});
  f.optional("page_fraction", Share{l.page_fraction});
  f.optional("fs_open_latency", l.fs_open_latency);
  f.optional("fs_bandwidth", l.fs_bandwidth);
  f.optional("daemon_start", l.daemon_start);
  f.optional("fork_exec", l.fork_exec);
  f.optional("spawn_parallelism", OrUnlimited{l.spawn_parallelism});
  f.optional("init_local", l.init_local);
  f.optional("modex", Choice<Launch::Modex>{l.modex, kModexNames});
  f.optional("modex_bytes_per_rank", l.modex_bytes_per_rank);
  f.optional("connect", Choice<Launch::Connect>{l.connect, kConnectNames});
  f.optional("connection_setup", l.connection_setup);
}

void describe(Fields& f, Fan& fan) {
  f.required("model", Choice<FanModel>{fan.model, kFanModelNames});
  f.optional("size", Choice<SizeRule>{fan.size, kSizeRuleNames});
}

void describe(Fields& f, ClosedForm& c) {
  f.required("fan_in", c.fan_in);
  f.required("fan_out", c.fan_out);
}

void describe(Fields& f, NamedAlgorithm& a) {
  f.required("algorithm", Choice<Algorithm>{a.algorithm, kAlgorithmNames});
}

void describe(Fields& f, SizeFrom<ClosedForm>& c) {
  f.required("from", c.from);
  describe(f, c.cost);
}

void describe(Fields& f, SizeFrom<NamedAlgorithm>& a) {
  f.required("from", a.from);
  describe(f, a.cost);
}

}  // namespace busline
