#include "platforms/description/platform_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {
namespace {

constexpr std::string_view kLatencyAt =
    "cpu: sender and receiver pay the latency as CPU time (Dimemas). flight: the message arrives later by "
    "the "
    "latency.";
constexpr std::string_view kSizeFrom = "Bytes per rank; applies up to the start of the next entry.";

}  // namespace

void describe(Fields& f, PlatformDocument& d) {
  auto& p = d.platform;
  f.defined_as("platform.schema.json");
  f.about(
      "docs/reference/platform.md explains every member with an example. A platform has either nodes and "
      "network, "
      "or machines with a WAN between them.");
  f.condition(R"({"oneOf": [{"required": ["nodes", "network"]}, {"required": ["machines"]}]})");
  f.required("schema", SchemaName{kPlatformSchema});
  f.required("name", Name{p.name},
             "What the platform is called: letters, digits, dots, underscores, hyphens.");
  f.optional("description", p.description, "Free text; Busline does not read it.");
  f.optional("source", p.source, "Where the values come from: a calibration, a data sheet, a paper.");
  f.optional("preset", Choice<Preset>{p.preset, kPresetNames},
             "Which interpretation of the Dimemas model applies where sources disagree.");
  f.optional("nodes", NotEmpty{d.nodes},
             "Groups of equal nodes, numbered in the order given; 10 million at most in all.");
  f.optional("network", d.network, "The network between the nodes.");
  f.optional("machines", NotEmpty{d.machines},
             "Several machines with a WAN between them; nodes are numbered over all of them.");
  f.optional("wan", d.wan, "Between machines; required with two or more, rejected with one.");
  f.optional("dedicated_connections", p.dedicated_connections,
             "Lines between two machines that replace the WAN for certain messages.");
  f.optional("modules", p.modules, "Duration of CPU bursts in traced regions of the program.");
  f.optional("context_switch", p.context_switch, "CPU time before each task that a CPU starts.");
  f.optional("mpi", p.mpi, "What the MPI library does.");
  f.optional("mapping", p.mapping, "On which node each rank sits; --mapping replaces it.");
  f.optional(
      "launch", p.launch,
      "What it costs to start a job, for 'measure ziatest' (docs/reference/ziatest.md). The defaults are "
      "plausible, not measured.");
  f.optional(
      "noise", p.noise,
      "What makes runs differ, for 'simulate --runs' (docs/how-to/noise.md). Other runs are those of the "
      "quiet machine.");
  f.optional("calibration", p.calibration,
             "What 'busline calibrate' reports about its values. For information only; no model reads it.");
  f.refused("topology", "is a member of 'network'");
}

void describe(Fields& f, Noise::Compute& c) {
  f.about("Of the time of computation.");
  f.optional("nodes", c.nodes, "A factor for each node.");
  f.optional("ranks", c.ranks, "A factor for each rank.");
  f.optional("bursts", c.bursts, "A factor for each burst.");
}

void describe(Fields& f, Noise& n) {
  f.optional("compute", n.compute, "Of the time of computation.");
  f.optional("latency", n.latency, "A factor of the latency for each message and handshake.");
  f.optional("bandwidth", n.bandwidth, "A factor of the time of each transfer.");
}

void describe(Fields& f, CalibrationRecord& c) {
  f.required("machine", c.machine, "The measured machine.");
  f.required("testbed", c.testbed, "Where the measurements were taken: mpi, simulated, local.");
  f.required("figures", c.figures, "The origin and confidence interval of each value.");
  f.optional("alternatives", c.alternatives, "Other explanations that the measurements do not exclude.");
  f.optional("suites", c.suites, "How well the platform predicts what was measured.");
  f.optional("warnings", c.warnings, "What the measurements could not determine.");
}

void describe(Fields& f, CalibratedAlternative& c) {
  f.about("Another explanation of the measurements.");
  f.required("of", c.of, "What is explained.");
  f.optional("chosen", c.chosen, "Members as they were calibrated, as --set has them: \"/network/buses=4\".");
  f.required("other", c.other, "Members as the other explanation has them.");
  f.optional("remark", c.remark, "A comment.");
}

void describe(Fields& f, CalibratedFigure& c) {
  f.about("A value of the platform, as text with its unit.");
  f.required("figure", c.figure, "Its place in this document: a JSON pointer.");
  f.required("value", c.value, "The calibrated value.");
  f.optional("low", c.low, "Lower end of the 95 % interval; missing: no bound.");
  f.optional("high", c.high, "Upper end of the 95 % interval; missing: no bound.");
  f.optional("suites", c.suites, "The measurements that it comes from; none: assumed.");
  f.optional("remark", c.remark, "Further remarks, for information only.");
}

void describe(Fields& f, CalibratedSuite& c) {
  f.about("Relative errors of the predictions, without sign.");
  f.required("name", c.name, "Name of the measured suite.");
  f.optional(
      "operation", c.operation,
      "The collective that it measures, such as MPI_Bcast, or 'messages' between nodes; missing: something "
      "else, such as the overhead of a call.");
  f.required("points", Whole{c.points, 1, kMaxServers}, "Number of its points.");
  f.required("median_error", NotNegative{c.median_error}, "Median over the points: 0.01 is 1 %.");
  f.required("worst_error", NotNegative{c.worst_error}, "Largest error of a point.");
  f.optional("worst_at", Whole{c.worst_at, 0, INT64_MAX}, "Argument of the worst point.");
  f.optional("held_out", c.held_out, "true: no value was fitted to these points.");
  f.optional("spread", NotNegative{c.spread},
             "Half the range of a point's samples, median over the points; 0: not known.");
  f.optional("off", c.off, "true: missed by more than is tolerated and more than the samples spread.");
}

void describe(Fields& f, MachineGroup& m) {
  f.about("One of several machines.");
  f.optional("name", m.name, "Free text; Busline does not read it.");
  f.required("nodes", NotEmpty{m.nodes}, "As in a platform of one machine.");
  f.required("network", m.network, "Likewise.");
  f.optional("collectives", m.collectives, "Replaces mpi.collectives in this machine.");
}

void describe(Fields& f, NodeGroup& g) {
  f.defined_as("platform.schema.json#/$defs/node_group");
  f.about("Equal nodes.");
  f.condition(R"({"if": {"properties": {"cpus": {"minimum": 2, "description":
      "With two or more CPUs, messages inside a node need a latency and a bandwidth."}}},
    "then": {"required": ["intra_node"]}})");
  f.optional("count", Whole{g.count, 1, kMaxNodes}, "Number of these nodes.");
  f.required("cpus", Whole{g.cpus, 1, kMaxServers},
             "CPUs of each node; if there are more ranks, they take turns.");
  f.optional("shared_cpus", g.shared_cpus,
             "Whether cpus is what these nodes have together: virtual machines or containers of one host.");
  f.optional("waiting", Choice<NodeGroup::Waiting>{g.waiting, kWaitingNames},
             "Whether a rank that waits inside MPI gives up its CPU, or polls. It matters where there are "
             "more ranks "
             "than CPUs.");
  f.optional(
      "quantum", g.quantum,
      "Time slice of the operating system, at least 1us: how long a rank that polls has its CPU before the "
      "next one. It counts only with polling.");
  f.optional(
      "relative_speed", Speed{g.relative_speed},
      "CPU bursts take their traced time divided by this. The reference is the machine that was traced.");
  f.optional("intra_node", g.intra_node, "Messages between ranks of one node.");
  f.optional(
      "self", g.self,
      "Messages of a rank to itself, which are copies in memory. Without it, they cost what messages inside "
      "the node cost.");
  f.optional("links", g.links, "From each node to the network.");
  f.optional("overheads", g.overheads,
             "CPU time that MPI itself costs for each message, in addition to a latency paid as CPU time.");
  f.optional("latency", g.latency, "Replaces the network's latency for messages from these nodes.");
  f.optional("wan_latency", g.wan_latency, "Replaces the WAN's latency for messages from these nodes.");
}

void describe(Fields& f, NodeGroup::Memory& m) {
  f.required("latency", m.latency, "Of a message inside the node.");
  f.required("bandwidth", m.bandwidth, "Likewise.");
  f.optional("buses", OrUnlimited{m.buses}, "Messages that can use the memory of a node at once.");
  f.optional("links", m.links, "From each rank to the node's memory.");
  f.optional("rendezvous_from", m.rendezvous_from,
             "Messages of this size or more wait for their receive. Without it: as in 'mpi'.");
  f.optional("handshake", m.handshake,
             "Before a rendezvous transfer inside the node. Without it: as in 'mpi'.");
}

void describe(Fields& f, NodeGroup::Self& s) {
  f.required("latency", s.latency, "Passes in flight, whatever latency_at says.");
  f.required("bandwidth", s.bandwidth, "Of the copy.");
}

void describe(Fields& f, LinksDocument& l) {
  f.about("Different numbers by direction, or links that carry one direction at a time.");
  f.condition(R"({"oneOf": [{"required": ["in", "out"]}, {"required": ["half_duplex"]}]})");
  f.optional("in", Whole{l.in, 1, kMaxServers}, "Links for incoming messages.");
  f.optional("out", Whole{l.out, 1, kMaxServers}, "Links for outgoing messages.");
  f.optional("half_duplex", Whole{l.half_duplex, 1, kMaxServers},
             "A message occupies one link in both directions.");
}

void describe(Fields& f, Mapping& m) {
  f.about("The same number of ranks on each node, regardless of its CPUs.");
  f.required("per_node", Whole{m.per_node, 1, kMaxServers}, "Rank r sits on node r / per_node.");
}

void describe(Fields& f, Overheads& o) {
  f.optional("send", o.send, "At the sender.");
  f.optional("receive", o.receive, "At the receiver.");
}

void describe(Fields& f, Network& n) {
  f.defined_as("platform.schema.json#/$defs/network");
  f.about(
      "The network between the nodes of a machine: an uncontended message takes latency + size / bandwidth.");
  f.required("latency", n.latency, "Paid for each message: see latency_at.");
  f.required("bandwidth", n.bandwidth, "Of a single message.");
  f.required("buses", OrUnlimited{n.buses}, "B: messages that can use the network at once.");
  f.optional("latency_at", Choice<Network::LatencyAt>{n.latency_at, kLatencyAtNames}, kLatencyAt);
  f.optional("size_classes", n.size_classes, "Factors on latency and bandwidth by message size, ascending.");
  f.optional(
      "sharing", Choice<Network::Sharing>{n.sharing, kSharingNames},
      "A message has its links and its bus to itself, or all get max-min fair shares, or so but messages "
      "between the same two nodes follow one another, or such streams are sent at full speed and packets "
      "queue for links and buses in the order in which they come.");
  f.optional(
      "packet", n.packet,
      "With queues: bytes of a message in one packet, which nothing interrupts. 0 B: as few as can be.");
  f.optional("topology", n.topology, "Its switches.");
  f.optional("flow", n.flow, "How the flow model shares a topology's links; docs/model.md.");
}

void describe(Fields& f, FlowOptions& o) {
  f.optional("model", Choice<FlowOptions::Model>{o.model, kFlowModelNames},
             "All flows on a link are equal; or SimGrid's models of these names, which give more to flows "
             "with little latency.");
  f.optional("solver", Choice<FlowOptions::Solver>{o.solver, kFlowSolverNames},
             "What computes the max-min rates: Busline itself, or SimGrid as for the other models.");
  f.optional("crosstraffic", o.crosstraffic, "A flow also takes 5 % of its rate in the opposite direction.");
  f.optional("tcp_gamma", o.tcp_gamma, "A flow's rate is at most this / (2 x latency).");
  f.optional(
      "weight_size", o.weight_size,
      "For shares, each link's latency increases by this / its bandwidth; by default the model's own value. "
      "Not with max-min.");
}

void describe(Fields& f, SizeClass& s) {
  f.about("A range of message sizes, up to the start of the next class.");
  f.required("from", s.from, "Smallest size of the class.");
  f.optional("latency_factor", NotNegative{s.latency_factor}, "Multiplies their latency.");
  f.optional("bandwidth_factor", Positive{s.bandwidth_factor}, "Multiplies their bandwidth.");
}

void describe(Fields& f, Wan& w) {
  f.required("latency", w.latency, "Paid for each message: see latency_at.");
  f.required("bandwidth", w.bandwidth, "Of a single message.");
  f.optional("latency_at", Choice<Network::LatencyAt>{w.latency_at, kLatencyAtNames}, kLatencyAt);
  f.optional("links", w.links, "From each machine to the others; 1 by default, as in Dimemas.");
  f.optional("flight", w.flight, "Time in flight from each machine (row) to each machine (column).");
  f.optional("collectives", w.collectives, "For the part of a collective between machines.");
}

void describe(Fields& f, DedicatedConnection& c) {
  f.about("A line between two machines for messages with certain tags and sizes, one at a time.");
  f.required("machine_a", Whole{c.machine_a, 0, kMaxNodes},
             "One of the two, by its index in the list of machines, from 0.");
  f.required("machine_b", Whole{c.machine_b, 0, kMaxNodes}, "The other machine.");
  f.required("bandwidth", c.bandwidth, "Of the line.");
  f.required("latency", c.latency, "Likewise.");
  f.optional("flight", c.flight, "Time in flight, in addition to the latency.");
  f.required("tags", Tags{c.tags}, "Tags of the messages that use it.");
  f.optional("sizes", Also{Conditions{c}, R"({"maxItems": 2})"}, "If empty, every size.");
  f.optional("match", Choice<bool>{c.both, kMatchNames}, "Whether both conditions must hold.");
}

void describe(Fields& f, DedicatedConnection::Condition& c) {
  f.about("A condition on the size of a message.");
  f.required("compare", Choice<Compare>{c.compare, kCompareNames},
             "How the message's size must compare with 'size'.");
  f.required("size", c.size, "The size to compare with.");
}

void describe(Fields& f, ModuleFactor& m) {
  f.about("Duration of CPU bursts while the user event (type, value) is open.");
  f.condition(R"({"not": {"required": ["ratio", "duration"]}})");
  f.required("type", Whole{m.type, 0, UINT32_MAX}, "Type of the user event.");
  f.required("value", Whole{m.value, 1, INT64_MAX}, "Its value, which names the region.");
  f.optional("ratio", NotNegative{m.ratio}, "Bursts are divided by it; 0: they take no time.");
  f.optional("duration", m.fixed, "Each burst takes this, divided by the node's relative_speed.");
}

void describe(Fields& f, Mpi& m) {
  f.optional("rendezvous_from", OrNever{m.rendezvous_from},
             "Messages of this size or more wait for their receive.");
  f.optional("handshake", m.handshake, "Before a rendezvous transfer, once its receive is posted.");
  f.optional("ssend_handshake", m.ssend_handshake,
             "The same for an MPI_Ssend of less than rendezvous_from. Without it: handshake.");
  f.optional("local_call", m.local_call, "CPU time of a call that does not communicate, such as MPI_Wtime.");
  f.optional("send_completes", Choice<Mpi::SendCompletes>{m.send_completes, kSendCompletesNames},
             "When a rendezvous send is complete.");
  f.optional(
      "progress", Choice<Mpi::Progress>{m.progress, kProgressNames},
      "When a rank takes part in the handshake of a rendezvous: always, or only while it is in an MPI call.");
  f.optional(
      "handshakes", Choice<Mpi::Handshakes>{m.handshakes, kHandshakesNames},
      "Whether the handshake of a rendezvous waits until the data that went to the same peer before it has "
      "left. With progress in-calls only.");
  f.optional("collectives", m.collectives, "What collectives cost.");
  f.optional("collectives_hold_buses", m.collectives_hold_buses, "A collective occupies all buses.");
  f.optional("ignore_traced_rendezvous", m.ignore_traced_rendezvous,
             "Dimemas traces mark sends as rendezvous; true: only rendezvous_from decides.");
}

void describe(Fields& f, Launch& l) {
  f.optional("launcher_start", l.launcher_start, "Time before the launcher contacts the first node.");
  f.optional(
      "fan_out", OrUnlimited{l.fan_out},
      "Children of the launcher and of each daemon; unlimited: the launcher contacts all nodes itself.");
  f.optional("per_child", l.per_child, "Time to contact each child, one after the other.");
  f.optional("message", l.message, "Size of the message to a daemon.");
  f.optional(
      "distribute", Choice<Launch::Distribute>{l.distribute, kDistributeNames},
      "How the executable reaches the nodes: read from a shared file system, sent down the tree of daemons, "
      "read from a local file system, or already present.");
  f.optional("page_fraction", Share{l.page_fraction},
             "Share of the executable that is read from a file system, where pages are read on demand.");
  f.optional("fs_open_latency", l.fs_open_latency, "Time to find the executable on a file system.");
  f.optional("fs_bandwidth", l.fs_bandwidth,
             "Bandwidth of the shared file system as a whole, or of each local one.");
  f.optional("daemon_start", l.daemon_start, "Time until a daemon can start processes.");
  f.optional("fork_exec", l.fork_exec, "Time to start a process.");
  f.optional("spawn_parallelism", OrUnlimited{l.spawn_parallelism},
             "Processes that a daemon starts at once.");
  f.optional("init_local", l.init_local, "MPI_Init of a process without communication.");
  f.optional("modex", Choice<Launch::Modex>{l.modex, kModexNames},
             "full: MPI_Init gives the addresses of all processes to all.");
  f.optional("modex_bytes_per_rank", l.modex_bytes_per_rank, "Size of a process's address.");
  f.optional("connect", Choice<Launch::Connect>{l.connect, kConnectNames},
             "Whether two processes connect when they first meet, or each to all others in MPI_Init.");
  f.optional("connection_setup", l.connection_setup, "Time for each peer, one after the other.");
}

void describe(Fields& f, Fan& fan) {
  f.defined_as("platform.schema.json#/$defs/fan");
  f.about("(latency + size / bandwidth) times the model's factor.");
  f.required("model", Choice<FanModel>{fan.model, kFanModelNames}, "Dimemas's 0, CTE, LIN and LOG.");
  f.optional(
      "size", Choice<SizeRule>{fan.size, kSizeRuleNames},
      "Which size counts: Dimemas's CURR (sent when fanning in, received when fanning out), MAX, MIN, MEAN, "
      "2*MAX and S+R.");
}

void describe(Fields& f, ClosedForm& c) {
  f.about("A cost of fan_in + fan_out, once all ranks have arrived.");
  f.required("fan_in", c.fan_in, "The phase towards the root.");
  f.required("fan_out", c.fan_out, "The phase from the root.");
}

void describe(Fields& f, NamedAlgorithm& a) {
  f.about("Messages replace a formula. docs/reference/algorithms.md lists the algorithms of each operation.");
  f.required("algorithm", Choice<Algorithm>{a.algorithm, kAlgorithmNames},
             "Which messages are sent: docs/reference/algorithms.md.");
}

void describe(Fields& f, SizeFrom<ClosedForm>& c) {
  f.about("A cost in closed form for a range of sizes.");
  f.required("from", c.from, kSizeFrom);
  describe(f, c.cost);
}

void describe(Fields& f, SizeFrom<NamedAlgorithm>& a) {
  f.about("An algorithm for a range of sizes.");
  f.required("from", a.from, kSizeFrom);
  describe(f, a.cost);
}

}  // namespace busline
