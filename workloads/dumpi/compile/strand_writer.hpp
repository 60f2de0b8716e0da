// Collects the operations of one rank. A rank's threads are strands, which the builder takes one after the
// other. A trace interleaves them, so with several threads the steps are kept until the rank is complete.
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline::dumpi {

/// One call of the builder. Non-blocking operations are named by their number in the rank's trace.
struct Step {
  enum class Kind : std::uint8_t {
    begin_call,
    compute,
    elapse,  ///< time inside the call
    noop,    ///< stands for a call that has no other operation, so that calls can be counted
    event,
    send,
    recv,
    probe,
    isend,
    isend_and_forget,
    irecv,
    nothing,  ///< a non-blocking operation without effect: to or from MPI_PROC_NULL, or cancelled
    wait,
    put,  ///< one-sided, like the next
    get,
    request_put,  ///< the same, for a wait of its own
    request_get,
    wait_transfers,  ///< for all puts and gets of the thread since the last such wait
    collective,
    collective_start,
    exchange,  ///< the messages of a neighbourhood collective
  };
  Kind kind = Kind::noop;
  SendMode mode = SendMode::standard;
  std::uint16_t call = 0;
  std::uint32_t operation = 0;
  Envelope envelope;
  Bytes bytes{};
  Duration duration;
  std::uint32_t event_type = 0;
  std::int64_t event_value = 0;
  CollectiveArgs collective;
  std::uint32_t exchange = 0;  ///< as StrandWriter::keep_exchange numbered it
};

/// A neighbourhood collective of one rank.
struct Exchange {
  std::vector<Neighbor> sources, destinations;
};

/// Numbers for the two halves of an MPI_Sendrecv, which are complete before the call returns. Numbers from
/// the trace start after them.
inline constexpr std::uint32_t kSendPart = 0, kReceivePart = 1, kFirstOperation = 2;

class StrandWriter {
 public:
  StrandWriter(ProgramBuilder& builder, std::uint32_t rank, bool several_threads);
  /// The operations that follow belong to a new call of a thread.
  void begin_call(std::uint16_t thread, std::uint16_t call) {
    if (several_threads_)
      keep(thread, Step::Kind::begin_call).call = call;
    else
      play_begin_call(call);
  }
  void compute(std::uint16_t thread, Duration duration) {
    if (several_threads_)
      keep(thread, Step::Kind::compute).duration = duration;
    else
      builder_.compute(duration);
  }
  void wait(std::uint16_t thread, std::uint32_t operation) {
    if (several_threads_)
      keep(thread, Step::Kind::wait).operation = operation;
    else
      play_wait(operation);
  }
  /// The next operation of a thread, of any other kind.
  void put(std::uint16_t thread, const Step& step) {
    if (several_threads_)
      threads_[thread].push_back(step);
    else
      play(step);
  }
  /// The number of an exchange for the next step.
  std::uint32_t keep_exchange(Exchange exchange) {
    if (!several_threads_) exchanges_.clear();
    exchanges_.push_back(std::move(exchange));
    return static_cast<std::uint32_t>(exchanges_.size() - 1);
  }
  /// Call it once, after all steps.
  void finish();

 private:
  static constexpr std::uint32_t kNotMade = 0xffff'ffff, kDone = 0xffff'fffe, kSeveral = 0xffff'fffd;
  Step& keep(std::uint16_t thread, Step::Kind kind) {
    auto& step = threads_[thread].emplace_back();
    step.kind = kind;
    return step;
  }
  void play(const Step& step);
  void play_begin_call(std::uint16_t call) {
    builder_.begin_call(call);
    call_position_ = builder_.position();
  }
  void play_noop();
  void play_wait(std::uint32_t operation);
  void play_exchange(const Step& step);
  void set_slot(std::uint32_t operation, std::uint32_t slot);

  ProgramBuilder& builder_;
  std::uint32_t rank_;
  bool several_threads_;
  std::uint64_t call_position_ = 0;   // where the operations of the current call begin
  std::vector<std::uint32_t> slots_;  // by operation
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
      several_;  // slots of operations that have kSeveral
  std::vector<Exchange> exchanges_;
  std::vector<std::uint32_t> transfers_;                          // slots of puts and gets to wait for
  std::unordered_map<std::uint32_t, std::uint64_t> early_waits_;  // by operation: places of the builder
  std::map<std::uint16_t, std::vector<Step>> threads_;
};

}  // namespace busline::dumpi
