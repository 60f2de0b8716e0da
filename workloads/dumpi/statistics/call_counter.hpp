// Counts one rank's records: the data that its calls moved, by datatype and communicator.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "workloads/dumpi/compile/datatypes.hpp"
#include "workloads/dumpi/compile/handles.hpp"
#include "workloads/dumpi/compile/requests.hpp"
#include "workloads/dumpi/format/buffers.hpp"
#include "workloads/dumpi/format/record_counts.hpp"
#include "workloads/dumpi/statistics/call_clock.hpp"

namespace busline::dumpi {

/// Sums over ranks.
struct CallTotals {
  static constexpr std::size_t kSizeClasses = 65;  ///< empty messages, then powers of two
  /// Communicators and datatypes by origin: these, then the functions.
  static constexpr std::size_t kWorld = 0, kSelf = 1, kNoCommunicator = 2, kMadeCommunicators = 3;
  static constexpr std::size_t kNoType = 28, kMadeTypes = 29;  ///< after the predefined types

  CallClock::Functions functions{};
  std::array<WorkloadStatistics::SizeClass, kSizeClasses> message_sizes{};
  std::array<CallStatistics::Communicator, kMadeCommunicators + kFunctions> communicators{};
  std::array<CallStatistics::Datatype, kMadeTypes + kFunctions> datatypes{};
};

class CallCounter {
 public:
  /// Fills in `rank` and adds to `totals`.
  CallCounter(const TraceFile& file, CallStatistics::Rank& rank, CallTotals& totals);
  /// What stopped the reading before the end of the records, if anything; earlier records are counted.
  std::optional<Error> run();
  const CallClock& clock() const { return clock_; }

 private:
  static constexpr std::uint16_t kSends = 0xffff;  // no function
  struct Message {
    std::int64_t communicator = 0, type = 0;
    std::optional<std::uint64_t> bytes;
    bool to_a_rank = false;  // not MPI_PROC_NULL
  };
  struct Persistent {
    bool receives = false;
    Message message;  // that is sent
  };

  void count(const Record& r);
  bool count_message(const Record& r);
  void count_data(const Record& r);
  void count_completions(const Record& r);

  Message outgoing(const Record& r, std::size_t dest, std::size_t comm) const;
  void send(std::uint16_t function, const Message& m);
  void receive(std::uint16_t function, const Record& r, std::size_t source, std::size_t status);
  void receive(std::uint16_t function, const std::optional<Status>& status);
  void begin(std::int32_t request, std::uint16_t receiving_function);
  void start(std::uint16_t function, std::int32_t request);

  std::optional<std::uint64_t> bytes_of(const Record& r, Buffer buffer) const;
  void add_type(std::int64_t type, std::uint64_t bytes);
  CallStatistics::Communicator& communicator(std::int64_t id);
  void follow_makers(const Record& r);

  const TraceFile& file_;
  CallStatistics::Rank& rank_;
  CallTotals& totals_;
  CallClock clock_;
  Datatypes types_;
  HandleTable handles_;
  RequestTable requests_;
  CompletionList completions_;
  RecordCounts counts_{};
  std::vector<std::uint16_t> receiving_;  // by operation: the function that receives, or kSends
  std::unordered_map<std::int32_t, Persistent> persistent_;
  std::vector<std::uint16_t> communicator_makers_;  // functions, by instance from kFirstInstance on
  std::vector<std::uint16_t> type_makers_;  // places in CallTotals::datatypes, by id as 16 unsigned bits
};

}  // namespace busline::dumpi
