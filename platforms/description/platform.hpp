// The description of the machine to simulate: plain values, all of them checked. platform_json.hpp reads and
// writes the document (docs/reference/platform.md), dimemas_cfg.hpp imports Dimemas's .cfg into the same
// structs. Two platforms are equal if every figure is.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platforms/description/calibration_record.hpp"
#include "platforms/topology/description.hpp"
#include "sim/algorithms/libraries.hpp"
#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"

namespace busline {

/// Servers of a kind; 0 stands for "unlimited".
using Count = std::uint32_t;
inline constexpr Count kUnlimited = 0;
/// Nodes of all machines together, and servers of one kind: more counts as a mistake.
inline constexpr std::uint32_t kMaxNodes = 10'000'000;
inline constexpr Count kMaxServers = 1'000'000;

/// The interpretation of the Dimemas model where sources disagree (docs/model.md, section 6).
enum class Preset { published, dimemas_5_5 };

/// L. Full duplex: in and out are separate. Half duplex: `in` == `out` == L, and a message occupies one link
/// in both directions.
struct Links {
  enum class Kind { unlimited, full_duplex, half_duplex };
  Kind kind = Kind::unlimited;
  Count in = 0, out = 0;
  bool operator==(const Links&) const = default;
};

/// Applies to messages of `from` bytes and more, until the next class.
struct SizeClass {
  Bytes from{};
  double latency_factor = 1, bandwidth_factor = 1;
  bool operator==(const SizeClass&) const = default;
};

/// CPU time that MPI itself costs per message, in addition to a latency paid as CPU time.
struct Overheads {
  Duration send, receive;
  bool operator==(const Overheads&) const = default;
};

/// The size from which messages wait for their receive.
struct RendezvousLimit {
  std::optional<Bytes> from;  ///< none: never
  bool operator==(const RendezvousLimit&) const = default;
};

/// Equal nodes; numbered in the order given.
struct NodeGroup {
  std::uint32_t count = 1;
  std::uint32_t cpus = 1;
  bool shared_cpus = false;  ///< `cpus` are of all these nodes together: virtual machines of one host
  /// What a rank does with its CPU while it waits inside MPI: gives it up, or looks again and again.
  enum class Waiting : std::uint8_t { blocking, polling };
  Waiting waiting = Waiting::blocking;
  /// With polling, the time slice of ranks that are more than the CPUs: by default the tick of Linux at 250
  /// Hz.
  Duration quantum = kTick;
  static constexpr Duration kTick = Duration::picoseconds(4'000'000'000);
  double relative_speed = 1;  ///< > 0; infinity: bursts take no time
  struct Memory {
    Duration latency;
    Bandwidth bandwidth;
    Count buses = kUnlimited;
    Links links;  ///< of each rank
    /// Of messages inside the node; none: as in Mpi, where they are the network's.
    std::optional<RendezvousLimit> rendezvous_from{};
    std::optional<Duration> handshake{};  ///< of an MPI_Ssend of any size, too
    bool operator==(const Memory&) const = default;
  } intra_node;
  /// A message of a rank to itself, which is a copy in memory: the latency passes in flight.
  struct Self {
    Duration latency;
    Bandwidth bandwidth;
    bool operator==(const Self&) const = default;
  };
  std::optional<Self> self;  ///< none: as intra_node, which is what Dimemas does
  Links links;               ///< of each node, to the network
  Overheads overheads;
  std::optional<Duration> latency;      ///< network latency of messages that leave these nodes
  std::optional<Duration> wan_latency;  ///< WAN latency likewise
  bool operator==(const NodeGroup&) const = default;
};

// ---- collectives: T = FAN_IN + FAN_OUT, each (L + size/BW) * factor, or an algorithm (docs/model.md,
// section 5.2)
enum class FanModel : std::uint8_t { none, constant, linear, logarithmic };
enum class SizeRule : std::uint8_t { current, min, max, mean, twice_max, sum };
struct Fan {
  FanModel model = FanModel::none;
  SizeRule size = SizeRule::max;
  bool operator==(const Fan&) const = default;
};
struct ClosedForm {
  Fan fan_in, fan_out;
  bool operator==(const ClosedForm&) const = default;
};
/// What an operation costs for `from` bytes per rank and more: a closed form, or the messages of an
/// algorithm.
struct CollectiveCost {
  Bytes from{};
  ClosedForm cost;
  std::optional<Algorithm> algorithm{};  ///< replaces `cost`
  bool operator==(const CollectiveCost&) const = default;
};
/// By operation; `fallback` is the document's "default" entry. Operations without an entry cost what `preset`
/// says, without one what the platform's preset says.
struct CollectiveTable {
  std::optional<CollectivePreset> preset{};
  std::array<std::vector<CollectiveCost>, kCollectiveKinds> by_kind;
  std::vector<CollectiveCost> fallback;
  bool operator==(const CollectiveTable&) const = default;
};

/// How the flow model shares the links of a topology (docs/model.md, section 8.3).
struct FlowOptions {
  /// All flows on a link are equal; or, as in SimGrid's models of these names, those with little latency get
  /// more, and LV08 corrects latencies and bandwidths for TCP.
  enum class Model { max_min, cm02, lv08 };
  Model model = Model::max_min;
  /// What computes the rates: Busline's own solver where it supports the law (plain max-min), or always
  /// SimGrid.
  enum class Solver { local, simgrid };
  Solver solver = Solver::local;
  bool crosstraffic = false;       ///< a flow also takes 5 % of its rate in the opposite direction
  std::optional<Bytes> tcp_gamma;  ///< a flow's rate is at most this / (2 x latency)
  /// For shares, each link's latency increases by this / its bandwidth; none: the model's own value. Not for
  /// max_min.
  std::optional<Bytes> weight_size;
  bool operator==(const FlowOptions&) const = default;
};

/// The network of one machine.
struct Network {
  enum class LatencyAt { cpu, flight };
  /// How messages share links, buses and memory: one after the other; all at once with max-min fair rates;
  /// the latter, but with messages from one node (inside a node: rank) to another in sequence, as on a
  /// connection; or with such streams sent at full speed, and links and buses that take packets in the order
  /// of arrival.
  enum class Sharing { exclusive, fair, streams, queues };
  Duration latency;
  Bandwidth bandwidth;
  Count buses = kUnlimited;
  LatencyAt latency_at = LatencyAt::cpu;
  std::vector<SizeClass> size_classes;
  Sharing sharing = Sharing::exclusive;  ///< the same for all machines of a platform
  /// Of Sharing::queues: bytes of a message in one packet, which nothing interrupts. 0: as few as can be.
  Bytes packet{};
  /// The switches, for models that route messages; node i is its host i.
  std::optional<TopologyDescription> topology;
  FlowOptions flow;  ///< the same for all machines of a platform
  bool operator==(const Network&) const = default;
};

struct MachineGroup {
  std::string name;
  std::vector<NodeGroup> nodes;
  Network network;
  CollectiveTable collectives;  ///< replaces Platform::mpi.collectives where it has an entry
  bool operator==(const MachineGroup&) const = default;
};

/// Between machines.
struct Wan {
  Duration latency;
  Bandwidth bandwidth;
  Network::LatencyAt latency_at = Network::LatencyAt::cpu;
  Links links{Links::Kind::full_duplex, 1, 1};  ///< of each machine; Dimemas has one each way
  std::vector<std::vector<Duration>> flight;    ///< [from machine][to machine]; empty: none
  CollectiveTable collectives;
  bool operator==(const Wan&) const = default;
};

/// A line between two machines that carries one message at a time and replaces the WAN for messages with
/// certain tags and sizes.
struct DedicatedConnection {
  struct Condition {
    enum class Compare { less, equal, greater };
    Compare compare = Compare::greater;
    Bytes size{};
    bool operator==(const Condition&) const = default;
  };
  std::uint32_t machine_a = 0, machine_b = 0;
  Bandwidth bandwidth;
  Duration latency, flight;
  std::vector<std::int32_t> tags;
  /// A condition on the message's size; by default every size fits.
  Condition first{}, second{Condition::Compare::equal, {}};
  bool both = false;  ///< both conditions must hold; else one is enough
  bool operator==(const DedicatedConnection&) const = default;
};

/// While the user event (type, value) is open, bursts are divided by `ratio` (0: no time), or last `fixed`.
struct ModuleFactor {
  std::uint32_t type = 0;
  std::int64_t value = 0;
  double ratio = 1;
  std::optional<Duration> fixed;
  bool operator==(const ModuleFactor&) const = default;
};

struct Mpi {
  enum class SendCompletes { launch, transfer };
  enum class Progress { asynchronous, in_calls };
  enum class Handshakes { beside_data, behind_data };
  std::optional<Bytes> rendezvous_from;       ///< none: every standard send is eager
  Duration handshake;                         ///< of a rendezvous
  std::optional<Duration> ssend_handshake{};  ///< of an MPI_Ssend below the limit; none: the same
  Duration local_call;  ///< CPU time of a call that does not communicate, such as MPI_Wtime
  SendCompletes send_completes = SendCompletes::launch;
  Progress progress = Progress::asynchronous;  ///< of handshakes: always, or in calls of the rank concerned
  Handshakes handshakes = Handshakes::beside_data;  ///< and whether they follow data to the same peer
  CollectiveTable collectives;
  bool collectives_hold_buses = true;
  /// Dimemas's -S and -F: the rendezvous bits of a .dim trace are ignored.
  bool ignore_traced_rendezvous = false;
  bool operator==(const Mpi&) const = default;
};

/// The costs of starting a job, as measured by ZiaTest (docs/reference/ziatest.md); simulate does not read
/// it. The defaults are plausible, not measured.
struct Launch {
  enum class Distribute { shared_fs, broadcast, local, cached };
  enum class Modex { full, none };
  enum class Connect { lazy, init };
  Duration launcher_start = Duration::seconds(0.03);  ///< before the launcher contacts the first node
  Count fan_out =
      32;  ///< children of the launcher and of each daemon; unlimited: the launcher contacts all nodes
  Duration per_child = Duration::seconds(0.002);  ///< to contact each child, one after the other
  Bytes message{1024};                            ///< size of the message to a daemon
  Distribute distribute = Distribute::shared_fs;  ///< how the executable reaches the nodes
  double page_fraction = 0.05;                    ///< share of the executable that is read with demand paging
  Duration fs_open_latency = Duration::seconds(0.005);        ///< to find the executable on a file system
  Bandwidth fs_bandwidth = Bandwidth::bytes_per_second(2e9);  ///< of the shared file system, or of local ones
  Duration daemon_start = Duration::seconds(0.2);             ///< until a daemon can start processes
  Duration fork_exec = Duration::seconds(0.005);              ///< to start a process
  Count spawn_parallelism = 1;                                ///< processes that a daemon starts at once
  Duration init_local = Duration::seconds(0.1);               ///< MPI_Init of a process without communication
  Modex modex = Modex::full;        ///< whether MPI_Init gives all addresses to all processes
  Bytes modex_bytes_per_rank{256};  ///< size of an address
  Connect connect = Connect::lazy;  ///< when two processes meet, or to all others in MPI_Init
  Duration connection_setup = Duration::seconds(0.0005);  ///< for each peer, one after the other
  bool operator==(const Launch&) const = default;
};

struct Mapping {
  enum class Kind { fill, round_robin, per_node, nodes };
  Kind kind = Kind::fill;
  std::uint32_t per_node = 1;        ///< for per_node
  std::vector<std::uint32_t> nodes;  ///< for nodes: the node of each rank
  bool operator==(const Mapping&) const = default;
};

/// A factor that differs from one time to the next: log-normal with median 1 or, if there are any, one of
/// `factors`, all equally likely.
struct Spread {
  double deviation = 0;         ///< of the factor's natural logarithm
  std::vector<double> factors;  ///< above 0
  bool none() const { return deviation == 0 && factors.empty(); }
  bool operator==(const Spread&) const = default;
};

/// What makes runs of a program differ. The other figures are of the quiet machine, and runs have no noise
/// unless SimulateOptions::noise_seed asks for it.
struct Noise {
  struct Compute {  ///< of the time of computation: for each node, each rank, and each burst
    Spread nodes, ranks, bursts;
    bool none() const { return nodes.none() && ranks.none() && bursts.none(); }
    bool operator==(const Compute&) const = default;
  } compute;
  Spread latency;    ///< of L for each message, and of handshakes
  Spread bandwidth;  ///< of the time of each transfer
  bool none() const { return compute.none() && latency.none() && bandwidth.none(); }
  bool operator==(const Noise&) const = default;
};

struct Platform {
  std::string name, description, source;
  Preset preset = Preset::published;
  std::vector<MachineGroup> machines;  ///< at least one
  Wan wan;                             ///< meaningful with two machines or more
  std::vector<DedicatedConnection> dedicated_connections;
  std::vector<ModuleFactor> modules;
  Duration context_switch;
  Mpi mpi;
  Mapping mapping;
  Launch launch;
  Noise noise;
  std::optional<CalibrationRecord> calibration;
  bool operator==(const Platform&) const = default;
};

}  // namespace busline
