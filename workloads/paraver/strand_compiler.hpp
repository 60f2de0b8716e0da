// Compiles what a Paraver trace has of one thread into operations.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/paraver/trace.hpp"

namespace busline::paraver {

/// What is counted while compiling, for messages to the user.
struct Findings {
  std::uint64_t without_message = 0;    ///< sends and receives
  std::uint64_t without_arguments = 0;  ///< collectives
  std::uint64_t outside = 0;            ///< ends of messages outside of the calls that could be theirs
  std::uint64_t apart = 0;              ///< collective calls of unknown communicators
  std::uint64_t flushes = 0, late_flushes = 0, gaps = 0;
  std::int64_t flush_time = 0, late_flush_time = 0, gap_time = 0;  ///< units
  std::map<std::string, std::uint64_t> unknown;                    ///< calls without a meaning here
};

/// The communicators in the Program, by their numbers in the trace.
struct KnownCommunicator {
  std::uint32_t id = 0;
  std::vector<std::uint32_t> members;  ///< ascending
};
using KnownCommunicators = std::map<std::int64_t, KnownCommunicator>;

struct Compiling {
  ProgramBuilder& builder;
  const Trace& trace;
  const KnownCommunicators& communicators;
  const std::vector<std::uint32_t>& orders;      ///< communicators by ChannelOf::order
  const std::vector<std::uint16_t>& call_names;  ///< by call; then those for messages outside of calls
  std::int64_t unit = 1;                         ///< ps
  Findings& findings;
};

class StrandCompiler {
 public:
  /// `thread` is sorted here. The builder's strand has begun.
  StrandCompiler(const Compiling& job, ThreadTrace& thread);
  /// An Error: a call that cannot be replayed.
  std::optional<Error> compile();

 private:
  struct Waiting {
    std::int64_t complete = 0;
    std::uint64_t order = 0;  // in which the receives were posted
    std::uint32_t slot = 0;
    bool operator>(const Waiting& o) const {
      return std::pair(complete, order) > std::pair(o.complete, o.order);
    }
  };

  bool call(const Step& step, const Step* next);
  void send(const Step& step, const Call& call);
  void receive(const Step& step, const Call& call, const Step* next);
  void sendrecv(const Step& step);
  void start(const Step& step);
  void wait(const Step& step);
  bool collective(const Step& step, const Call& call);
  void meeting(const Step& step, const Call& call);
  void pause(const Step& step, bool calls_follow);
  void messages_before(std::int64_t at);

  void compute_until(std::int64_t at);
  void begin(const Step& step);
  void flush_compute();
  bool next_send(const Step& step);
  bool next_receive(const Step& step, std::int64_t at, std::optional<std::int64_t> complete,
                    const Step* not_for);
  void post(const ReceiveEnd& r);
  std::size_t complete_until(std::int64_t at);
  Envelope envelope(std::uint32_t channel, bool receiving) const;
  bool fail(const Step& step, const Call& call, std::string message, Error::Kind kind);

  const Compiling& job_;
  ThreadTrace& thread_;
  std::size_t send_ = 0, receive_ = 0;  // next ones
  std::vector<Waiting> waiting_;        // a heap
  std::deque<std::uint32_t> started_;   // collectives
  bool had_init_ = false;
  std::int64_t now_ = 0;
  std::int64_t pending_ = 0;  // computation that is not in the Program yet, in units
  std::uint64_t posted_ = 0;
  std::optional<Error> error_;
};

}  // namespace busline::paraver
