// The second pass over a rank's records: turns them into operations of the Program.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "sim/base/error.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/compile/communicators.hpp"
#include "workloads/dumpi/compile/datatypes.hpp"
#include "workloads/dumpi/compile/events.hpp"
#include "workloads/dumpi/compile/functions.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/compile/requests.hpp"
#include "workloads/dumpi/compile/strand_writer.hpp"
#include "workloads/dumpi/compile/survey.hpp"
#include "workloads/dumpi/compile/windows.hpp"
#include "workloads/dumpi/format/buffers.hpp"

namespace busline::dumpi {

/// Receives of a rank on a communicator of the Program with a tag (kAnyTag: any).
using ReceiveKey = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

/// State that all ranks share while they are compiled one after the other.
struct Compilation {
  const DumpiOptions& options;
  Communicators& communicators;
  ProgramBuilder& builder;
  Notices& notices;
  bool with_init = true, with_finalize = true;  ///< every rank has the record
  /// Open receives without a status that are from MPI_PROC_NULL.
  std::set<ReceiveKey> null_receives{};
  EventNumbers events{};
};

class RankCompiler {
 public:
  RankCompiler(const TraceFile& file, std::uint32_t rank, const RankSurvey& survey, Compilation& shared);
  /// The operations of the surveyed records, or of those before the first wrong one.
  Expected<void> run();
  /// The number of these records.
  std::uint64_t records() const { return records_; }

 private:
  Expected<void> compile_records();
  /// One side of a point-to-point call, translated.
  struct Message {
    Envelope envelope;
    Bytes bytes{};
    bool null = false;  ///< to or from MPI_PROC_NULL
  };
  struct Persistent {
    Message message;
    SendMode mode = SendMode::standard;
    bool receive = false;
    CommunicatorView communicator;
    std::optional<CollectiveArgs> collective{};
    std::optional<Exchange> exchange{};  ///< of a neighbourhood collective
  };
  /// Where a record holds the arguments of a message.
  struct MessageArguments {
    std::size_t count = 0, type = 0, peer = 0, tag = 0;
  };
  static constexpr std::size_t kAbsent = kMostArguments;
  struct Thread {
    bool started = false;
    std::int64_t last_exit = 0;
    bool in_mpi3 = false;           ///< inside an MPI-3 call that annotations mark
    std::string_view unrecorded{};  ///< its name, as long as no record of it was found
    std::int64_t pending = 0;       ///< nanoseconds of computation not yet in any operation
  };
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;
  enum class Phase { before_init, running, finalized };

  // Time and calls.
  void follow_time(const Record& r);
  void flush_compute();
  void begin_call(const Record& r);
  void put(const Step& step) { writer_.put(thread_, step); }
  void put_operation(Step::Kind kind, std::uint32_t operation);
  void put_isend(std::int32_t request, const Message& m, SendMode mode);
  void put_irecv(std::int32_t request, Message m, CommunicatorView v);

  // Calls by family; each function gets a record of its family.
  void compile(const Record& r);
  void compile_border(const Record& r);
  void compile_send(const Record& r, const SendCall& call);
  void compile_receive(const Record& r);
  void compile_sendrecv(const Record& r);
  void compile_probe(const Record& r);
  std::optional<Message> probe(const Record& r, const MessageArguments& a, std::size_t comm,
                               std::size_t status);
  void compile_starts(const Record& r);
  void compile_start(const Record& r, std::int32_t request);
  void compile_request(const Record& r);
  void compile_completions(const Record& r);
  void compile_collective(const Record& r, CollectiveKind kind);
  void start_collective(std::int32_t request, const CollectiveArgs& args);
  void compile_neighbourhood(const Record& r);
  void put_exchange(std::uint32_t operation, Exchange exchange, CommunicatorView v);
  std::vector<Neighbor> neighbours(const Record& r, CommunicatorView v, std::size_t ranks, Buffer buffer);
  void compile_matched(const Record& r);
  void compile_event(const Record& r);
  void count_unrecorded(Thread& thread) const;
  void keep_time_of(const Record& r);

  // One-sided communication (rank_one_sided.cpp).
  void compile_one_sided(const Record& r);
  void compile_transfer(const Record& r);
  void compile_lock(const Record& r);
  void compile_flush(const Record& r);
  void open_epoch(const Record& r);
  void close_epoch(const Record& r);
  void compile_window(const Record& r);
  void meet(CollectiveKind kind, CommunicatorView v);
  void notify(const Window& w, const EpochGroup& group, Window::Purpose purpose, bool tells);
  void move(const Window& w, std::vector<Transfer>& transfers);
  void move_rest(Window& w);
  Window* window(const Record& r, std::size_t argument);

  // Arguments (also rank_messages.cpp). Errors in one go to `fail`.
  CommunicatorView communicator(std::int64_t id);
  Message outgoing(const Record& r, const MessageArguments& a, CommunicatorView v);
  Message incoming(const Record& r, const MessageArguments& a, CommunicatorView v);
  void settle(Message& m, CommunicatorView v, const Status& status);
  void settle(Message& m, CommunicatorView v, const Record& r, std::size_t status);
  void leave_open(Message& m);
  std::uint32_t peer(CommunicatorView v, std::int64_t rank, const char* what);
  std::uint64_t bytes(std::int64_t count, std::int64_t type);
  const Fate* fate_of(std::uint32_t operation);
  /// The first failure counts. Without a hint, the error says that the file is damaged.
  void fail(std::string message, std::string hint = {});

  // Sizes of collectives (rank_collectives.cpp).
  struct Sizes {
    std::uint64_t send = 0, recv = 0;
  };
  CommunicatorView collective_communicator(const Record& r, CollectiveKind kind);
  std::optional<std::int64_t> root_of(const Record& r) const;
  bool is_root(CommunicatorView v, std::int64_t root);
  Sizes sizes_across_groups(const Record& r);
  Sizes transfer_sizes(const Record& r);
  Sizes collective_sizes(const Record& r, CommunicatorView v, bool root);
  std::uint64_t sum(IntegerView<std::int32_t> counts, std::int64_t type);
  std::uint64_t mean(IntegerView<std::int32_t> counts, std::int64_t type);
  std::uint64_t mean(IntegerView<std::int32_t> counts, IntegerView<std::int16_t> types);
  template <class TypeOf>
  void keep_blocks(IntegerView<std::int32_t> counts, const TypeOf& type_of);
  std::uint32_t block_list(CommunicatorView v);

  const TraceFile& file_;
  std::uint32_t rank_;
  std::uint64_t records_ = 0;
  const RankSurvey& survey_;
  Compilation& shared_;
  StrandWriter writer_;
  RankClock clock_;
  HandleTable handles_;
  Datatypes types_;
  RequestTable requests_;
  FileRequests file_requests_;
  CompletionList completions_;
  std::unordered_map<std::int32_t, Persistent> persistent_;
  std::unordered_map<std::int32_t, Message> matched_;  // by the number of the message
  WindowTable windows_;
  std::size_t next_epoch_ = 0;  // of those that the survey logged
  std::unordered_map<std::uint64_t, std::string_view> event_labels_;
  std::array<std::uint16_t, kFunctions> call_numbers_{};
  std::size_t next_fate_ = 0;
  Phase phase_ = Phase::before_init;
  std::optional<std::int64_t> origin_;  // where computation starts: the end of MPI_Init
  std::map<std::uint16_t, Thread> threads_;
  std::uint16_t thread_ = 0;
  Thread* current_ = nullptr;
  bool call_begun_ = false;
  std::vector<std::uint64_t> blocks_;  // bytes by member, of the collective at hand if it lists them
  std::optional<std::string> wrong_;
  std::string hint_;
  bool unsupported_ = false;
};

}  // namespace busline::dumpi
