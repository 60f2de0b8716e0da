// What the tracer of a process knows: its settings, what it has counted, and the file that it writes. The
// wrappers of MPI's functions (wrapper.hpp) tell it of each call.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "measuring/tracer/clock.hpp"
#include "measuring/tracer/handles.hpp"
#include "measuring/tracer/mpi3_calls.hpp"
#include "measuring/tracer/rank_file.hpp"
#include "measuring/tracer/settings.hpp"
#include "workloads/dumpi/format/trace_writer.hpp"

namespace busline::tracer {

/// When a call was entered and left.
struct Interval {
  Stamp wall_entry{}, wall_exit{}, cpu_entry{}, cpu_exit{};
};

class Tracer {
 public:
  /// The one of this process, made by its first MPI call. It is never destroyed: calls may come from
  /// destructors and handlers that run when the process ends.
  static Tracer& of_process();

  /// All that follows must be done by one thread at a time; the lock does nothing as long as the program said
  /// that its threads see to that.
  std::unique_lock<std::mutex> lock() {
    return threads_ ? std::unique_lock(mutex_) : std::unique_lock(mutex_, std::defer_lock);
  }

  /// MPI_Init has returned: opens the file, and waits for all ranks.
  void start(bool many_threads);
  /// Nothing is recorded any more. MPI is not used: that may be over.
  void finish();
  /// Tells on rank 0 which calls of MPI-3 without a record all ranks made. Before finish(), and as long as
  /// MPI runs.
  void warn_of_mpi3();

  bool started() const { return handles_.has_value(); }
  bool records(std::uint16_t function) const {
    return on_ && settings_.functions[function] != Level::disable;
  }
  void ignore(std::uint16_t function) {
    if (!finished_) counts_.add_ignored(function);
  }
  Level level(std::uint16_t function) const { return settings_.functions[function]; }
  Level statuses() const { return settings_.statuses; }
  /// nullptr before MPI runs.
  Handles* handles() { return handles_ ? &*handles_ : nullptr; }

  void enter(Interval& interval) {
    if (settings_.wall_time || settings_.cpu_time) interval.wall_entry = Stamp::of(CLOCK_MONOTONIC);
    if (settings_.cpu_time) interval.cpu_entry = cpu_clock_.at(interval.wall_entry);
  }
  void leave(Interval& interval) {
    if (settings_.wall_time || settings_.cpu_time) interval.wall_exit = Stamp::of(CLOCK_MONOTONIC);
    if (settings_.cpu_time) interval.cpu_exit = cpu_clock_.at(interval.wall_exit);
  }

  /// Begins a record; its arguments are to be written, and then it is to be ended.
  dumpi::RecordWriter& begin(std::uint16_t function, const Interval& interval);
  void end(const Interval& interval);

  /// Recording is switched off and on, as by MPI_Pcontrol 0 and 1.
  void switch_to(bool on) { on_ = on && !finished_ && !failed_; }
  /// The key of an annotation with this text.
  std::uint64_t annotation(std::string_view text);
  void name_annotation(std::uint64_t key, std::string_view text);
  void annotate(std::uint64_t key, const Interval& interval);
  /// A call of MPI-3 without a record began or ended.
  void mark_mpi3(Mpi3Call call, bool enter, const Interval& interval);

 private:
  Tracer();
  void open(const std::string& prefix, int rank);
  dumpi::RecordPrefix prefix(std::uint16_t function, const Interval& interval) const;
  void mark(bool enter, std::uint64_t key, Interval interval);
  std::uint64_t mpi3_annotation(std::string_view name);
  std::uint64_t mpi3_annotation(std::uint16_t function);
  void say(const std::string& message) const;

  std::mutex mutex_;
  bool threads_ = false;
  bool on_ = true, finished_ = false, failed_ = false;
  std::vector<std::string> complaints_;
  Settings settings_;
  CpuClock cpu_clock_;
  std::int32_t cpu_bias_, wall_bias_;
  std::uint64_t start_time_;  // seconds since 1970
  std::string host_, user_;
  RankFile file_;
  dumpi::TraceWriter writer_;
  dumpi::CallCounts counts_;
  std::uint16_t annotated_ = 0;  // function of the record at hand, if annotations hold it
  std::optional<Handles> handles_;
  std::map<std::uint64_t, std::string> labels_;
  std::map<std::string, std::uint64_t, std::less<>> keys_;
  std::array<std::uint32_t, kMpi3Calls> mpi3_calls_{};
  std::array<std::uint64_t, dumpi::kFunctions> mpi3_keys_{};  // of annotations, by function
  std::int64_t flush_second_;
};

/// One while a call of the application is in progress on this thread; calls that the MPI library makes of its
/// own functions meanwhile are not the application's.
class Nesting {
 public:
  Nesting() { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool outermost() const { return depth_ == 1; }

 private:
  static thread_local int depth_;
};

}  // namespace busline::tracer
