// The result of a LinkTest run, whichever version's file it comes from or goes into
// (docs/reference/linktest.md). Files hold seconds as doubles, and they stay that here: nothing is lost
// between reading and writing.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace busline::linktest {

/// One value for every two ranks.
template <class T>
class PairMatrix {
 public:
  PairMatrix() = default;
  explicit PairMatrix(std::uint32_t ranks) : ranks_(ranks), values_(std::size_t{ranks} * ranks) {}
  std::uint32_t ranks() const { return ranks_; }
  T& operator()(std::uint32_t initiator, std::uint32_t responder) { return row(initiator)[responder]; }
  const T& operator()(std::uint32_t initiator, std::uint32_t responder) const {
    return row(initiator)[responder];
  }
  /// By responder.
  T* row(std::uint32_t initiator) { return values_.data() + std::size_t{initiator} * ranks_; }
  const T* row(std::uint32_t initiator) const { return values_.data() + std::size_t{initiator} * ranks_; }
  bool operator==(const PairMatrix&) const = default;

 private:
  std::uint32_t ranks_ = 0;
  std::vector<T> values_;
};

/// The version of LinkTest, or of the layout of its file.
struct Version {
  std::uint32_t major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};

/// The exchange of a pair in a measurement of n messages.
enum class KernelKind : std::uint8_t {
  semidirectional,  ///< n round trips; the time is that of one message, half a round trip
  bidirectional,    ///< both send at the same time; the time is that of one exchange
  unidirectional,   ///< n messages one way, then one back; the time is that of one message
};

/// The nine bytes of 2.1.x headers whose meaning is not documented, as we read and write them
/// (docs/reference/linktest.md, "Version 2.1"). The first two are also what 1.x files say.
enum Flag : std::uint8_t {
  kShuffledSteps,
  kSerial,  ///< one measurement at a time
  kNoFile,
  kParallelFile,
  kGpuMemory,
  kSeveralBuffers,
  kRandomBuffers,
  kCheckedBuffers,
  kBufferAllocator,
  kFlags
};

struct Settings {
  std::string mode;      ///< what carried the messages: "mpi", "ucp", "simulation"; empty: not told (1.x)
  std::string git_hash;  ///< of the program that measured
  std::uint64_t messages = 0;
  std::uint64_t message_bytes = 0;
  std::optional<std::uint64_t> warmup_messages;  ///< not told by 1.x
  KernelKind kernel = KernelKind::semidirectional;
  bool bisection = false;
  bool all_to_all = false;
  bool mixed_order = false;  ///< 1.x: the ranks were in LinkTest's one random order
  bool by_node = false;      ///< whole nodes met; LinkTest's files do not have it
  std::array<std::uint8_t, kFlags> flags{};
  std::uint64_t retests = 0;  ///< how many of the slowest pairs were to be measured again
  std::uint64_t buffers = 1;  ///< used in turn
  std::uint64_t buffer_seed = 0;
  std::uint64_t shuffled_orders = 0;  ///< runs with the ranks in random order
  std::uint64_t order_seed = 0;
  std::uint64_t collect_number = 0;  ///< without a meaning since 2.0
  bool operator==(const Settings&) const = default;
};

/// Where a rank ran.
struct Place {
  std::string host;
  std::int32_t core = -1;  ///< -1: not known
  /// 1.x: in the network of a Blue Gene, 4 or 6 numbers; elsewhere the rank and zeros.
  std::vector<std::int32_t> coordinates;
  bool operator==(const Place&) const = default;
};

/// Over all pairs, in seconds, as the file says it.
struct Summary {
  double min = 0, avg = 0, max = 0;
  bool operator==(const Summary&) const = default;
};

/// One of the slowest pairs, measured again alone. In seconds.
struct Retest {
  std::uint32_t initiator = 0, responder = 0;
  double first = 0, second = 0;
  bool operator==(const Retest&) const = default;
};

/// How a file records which ranks were paired in each step.
enum class AccessPattern : std::uint8_t {
  step_of_partner,  ///< by partner: the number of the step
  partner_of_step,  ///< by step: the partner
  unmapped,         ///< neither makes sense: see Unmapped
};

/// Times and access pattern of a rank as they stand in the file, by rank and entry.
struct Unmapped {
  std::uint32_t entries = 0;  ///< of each rank
  std::vector<double> seconds;
  std::vector<std::uint64_t> access;
  bool operator==(const Unmapped&) const = default;
};

/// One pass over all pairs. LinkTest 2 makes several, with the ranks in different orders.
struct Iteration {
  std::string start_time, end_time;  ///< as text, in any form
  Summary summary;
  std::optional<Summary> all_to_all_summary;
  AccessPattern access = AccessPattern::step_of_partner;
  /// Time by initiator and responder, in seconds as the kernel defines it. 0 where nothing was measured.
  PairMatrix<double> seconds;
  /// The step of the measurement, from 1. 0: the two ranks were never paired.
  PairMatrix<std::uint32_t> step;
  /// Time of MPI_Alltoall in seconds: by rank, or (1.x) by rank and step, N values each, the first 0.
  std::vector<double> all_to_all;
  std::vector<Retest> retests;  ///< the slowest first
  Unmapped unmapped;            ///< only with AccessPattern::unmapped; seconds and step are empty then
  bool operator==(const Iteration&) const = default;
};

struct LinkTestResult {
  Version version;
  Settings settings;
  std::vector<Place> places;  ///< by rank
  std::vector<Iteration> iterations;

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(places.size()); }
  bool operator==(const LinkTestResult&) const = default;
};

}  // namespace busline::linktest
