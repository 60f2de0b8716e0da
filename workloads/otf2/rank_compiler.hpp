// Compiles the events of one rank into operations (docs/reference/otf2.md says which becomes which).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/otf2/collective_sizes.hpp"
#include "workloads/otf2/definitions.hpp"
#include "workloads/otf2/local_definitions.hpp"
#include "workloads/otf2/notices.hpp"
#include "workloads/otf2/record_reader.hpp"
#include "workloads/otf2/survey.hpp"

namespace busline::otf2 {

inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60U;  ///< of a message or a collective
inline constexpr const char* kRecordTooShort = "the record ends before its last value";

/// A collective that a trace has only the call of.
struct Guess {
  std::uint32_t region = 0;    ///< index
  std::uint64_t place = 0;     ///< how many collectives of all ranks were before it
  std::uint64_t position = 0;  ///< of its operation
};

/// What holds for all ranks of a job.
struct Conventions {
  const Definitions& definitions;
  SizeMeaning sizes = SizeMeaning::arguments;
  bool records_null_messages = false;  ///< a call without a message's record had no partner
  /// As EZTrace: messages to and from MPI_PROC_NULL have records, and the completions of requests may have
  /// none.
  bool is_eztrace = false;
};

/// A communicator of the job by its index, and the rank that it consists of if it stands for one on each.
using CommKey = std::pair<std::uint32_t, std::uint32_t>;

/// What became of one rank. Ids and positions are those of its own builder.
struct RankPart {
  explicit RankPart(std::uint32_t ranks) : builder(ranks) {}
  ProgramBuilder builder;
  Notices notices;
  std::vector<CommKey> communicators;  ///< those after the world
  std::vector<bool> events;            ///< by region: whether its user event is used
  std::vector<Guess> guesses;
  std::optional<std::uint64_t> init, finalize;  ///< positions
  std::vector<std::uint64_t> null_sends;        ///< positions of sends to MPI_PROC_NULL, ascending
  std::uint64_t open_receives = 0;              ///< of which the trace does not record what they received
  Duration run_time;
};

class RankCompiler {
 public:
  /// All arguments must outlive this.
  RankCompiler(std::uint32_t rank, LocalDefinitions& local, const Survey& survey, const Conventions& shared,
               RankPart& made);

  /// Appends the rank's operations. `path` is for errors only.
  Expected<void> run(std::string_view file, std::uint64_t chunk_size, const std::string& path);

 private:
  enum class Phase : std::uint8_t { before_init, running, finalized };
  struct Request {
    bool receive = false;
    std::uint32_t slot = kNoRequest;  // kNoRequest: of MPI_PROC_NULL
    std::uint64_t number = 0;         // in order of their starts
    std::uint64_t position = 0;       // of its operation
    bool open = false;                // nothing tells what it received
  };
  struct Message {
    Envelope envelope;
    Bytes bytes{};
  };
  struct Place {
    static constexpr std::uint32_t kUnknown = 0xffff'fffe;
    std::uint32_t position = kUnknown;  // of this rank in its group; kUndefined: in none
    bool is_remote = false;             // in group B of an inter-communicator
  };
  struct Transfer {
    std::uint32_t window = 0, target = 0;
    bool get = false;
    Bytes bytes{};
    std::uint64_t id = 0;
  };

  // Time and regions.
  void take(const Record& r);
  void enter(const Record& r);
  void leave(const Record& r);
  void end_call();
  void initialise(std::int64_t now);
  void finalise();
  void switch_recording(const Record& r);
  void flush_buffer(const Record& r);
  void user_event(std::uint32_t region, bool enters);
  void advance_to(std::int64_t now);
  void flush_compute();
  Duration duration(std::int64_t ticks) const;
  void begin(std::string_view otherwise);
  RegionClass call_class() const;

  // Messages.
  std::optional<Message> message(const MessageFields& f, const char* peer);
  void send(const Record& r);
  void start_send(const Record& r);
  void complete_send(const Record& r);
  void start_receive(const Record& r);
  void receive(const Record& r);
  void complete_receive(const Record& r);
  void cancel(const Record& r);
  void exchange();
  bool is_null(const MessageFields& f) const;
  void without_partner(std::string_view call);
  void start(std::uint64_t id, Request request);
  void complete(std::uint64_t id);
  void complete_unrecorded();
  void abandon(std::uint64_t id);
  void abandon_all();

  // Collectives.
  void collective(const Record& r);
  void start_collective(const Record& r);
  void complete_collective(const Record& r);
  std::optional<CollectiveArgs> arguments(const CollectiveFields& f);
  void guess_creation();
  void emit(const CollectiveArgs& args);

  // One-sided.
  std::optional<std::uint32_t> window(std::uint32_t local);
  void window_collective(const Record& r);
  void transfer(const Record& r);
  void complete_transfer(const Record& r);
  void release(const Record& r);
  template <class Ends>
  void end_transfers(Ends ends);
  void end_all_transfers();
  void move_ended();

  const Comm* comm_of(std::uint32_t local, std::uint32_t& index);
  const Comm* valid_comm(std::uint32_t index, std::uint32_t local);
  const Place& place_in(std::uint32_t comm);
  /// The ranks that messages on a communicator name.
  const std::vector<std::uint32_t>& peers_in(std::uint32_t comm);
  std::optional<std::uint32_t> peer_in(std::uint32_t comm, std::uint32_t peer, const char* what);
  std::uint32_t communicator(std::uint32_t comm);
  void fail(std::string message, std::string hint = {}, Error::Kind kind = Error::Kind::bad_input);

  std::uint32_t rank_;
  const Survey& survey_;
  const Conventions& shared_;
  RankPart& made_;
  LocationClock clock_;
  LocalIndex regions_, comms_, windows_;
  std::optional<Error> wrong_;

  Phase phase_;
  std::uint32_t depth_ = 0;        // of calls of MPI
  const Region* call_ = nullptr;   // the outermost one
  std::uint32_t call_region_ = 0;  // its index
  bool begun_ = false;             // it has an operation
  bool recorded_ = false;          // it has the record of a collective
  bool sent_or_received_ = false;  // it has the record of a message
  bool started_ = false;
  std::int64_t last_ = 0;                  // until here the time is accounted for
  std::int64_t pending_ = 0;               // ticks of computation that no operation has yet
  std::int64_t run_begin_ = 0, lost_ = 0;  // ticks; lost: recording off, buffer flushes
  std::optional<std::int64_t> off_since_;
  std::size_t next_fate_ = 0, next_started_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> started_collectives_;  // slots, by request
  std::unordered_map<std::uint64_t, Request> requests_;
  bool restores_ = false;  // completions may lack a record
  bool tested_ = false;    // MPI_Test or the like was called since the last start
  std::uint64_t started_requests_ = 0;
  std::map<std::uint64_t, std::uint64_t> receives_, sends_;  // ids in order of their starts, if restores_
  std::vector<std::optional<std::uint16_t>> call_names_;     // by region
  std::map<CommKey, std::uint32_t> communicators_;           // ids in made_.builder
  std::optional<Message> sent_, received_;                   // halves of an MPI_Sendrecv
  std::vector<Place> places_;                                // by communicator
  std::vector<std::uint32_t> alone_;                         // this rank
  std::uint64_t of_all_ = 0;                                 // collectives of all ranks so far
  std::vector<Transfer> open_, ended_;
};

}  // namespace busline::otf2
