#include "workloads/dumpi/statistics/call_clock.hpp"

#include <algorithm>

namespace busline::dumpi {
namespace {

bool is_finalize(const Record& r) {
  return r.function == function_id("MPI_Finalize");
}

// Functions and annotations recorded through the tracer are not MPI calls.
bool is_event(const Record& r) {
  return r.function == function_id("Function_enter") || r.function == function_id("Function_exit");
}

std::uint64_t length(std::int64_t from, std::int64_t to) {
  return to > from ? static_cast<std::uint64_t>(to - from) : 0;
}

}  // namespace

void CallClock::follow(const Record& r) {
  if (is_init(r)) begin_run();
  if ((r.mask & Record::has_wall_time) != 0) follow_wall(r);
  if ((r.mask & Record::has_cpu_time) != 0) follow_cpu(r);
  if (is_finalize(r)) run_is_over_ = true;
}

// Earlier calls are not part of the run.
void CallClock::begin_run() {
  run_begin_.reset();
  cpu_begin_.reset();
  cpu_end_.reset();
  last_exits_.clear();
  run_ns_.fill(0);
  rank_.mpi_ns = rank_.outside_ns = rank_.cpu_mpi_ns = 0;
}

void CallClock::follow_wall(const Record& r) {
  const auto time = wall_clock_.read(r.wall, r.thread);
  const auto inside = length(time.entry, time.exit);
  first_ = std::min(first_.value_or(time.entry), time.entry);
  last_ = std::max(last_, time.exit);
  auto& function = functions_[r.function];
  add(function.wall_ns, inside);
  function.longest_ns = std::max(function.longest_ns, inside);
  if (run_is_over_) return;
  if (!run_begin_) run_begin_ = is_init(r) ? time.exit : time.entry;
  if (is_event(r)) return;
  const auto before = last_exits_.try_emplace(r.thread, *run_begin_).first;
  add(rank_.outside_ns, length(before->second, time.entry));
  before->second = std::max(before->second, time.exit);
  if (is_finalize(r)) {
    run_end_ = time.entry;
  } else if (!is_init(r)) {
    add(rank_.mpi_ns, inside);
    add(run_ns_[r.function], inside);
  }
}

void CallClock::follow_cpu(const Record& r) {
  const auto time = cpu_clock_.read(r.cpu, r.thread);
  const auto inside = length(time.entry, time.exit);
  add(functions_[r.function].cpu_ns, inside);
  if (run_is_over_) return;
  if (!cpu_begin_) cpu_begin_ = is_init(r) ? time.exit : time.entry;
  cpu_end_ = std::max(cpu_end_.value_or(*cpu_begin_), is_finalize(r) ? time.entry : time.exit);
  if (!is_event(r) && !is_init(r) && !is_finalize(r)) add(rank_.cpu_mpi_ns, inside);
}

void CallClock::finish(std::int32_t wall_bias) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  rank_.threads = std::max<std::uint64_t>(1, last_exits_.size());
  for (std::size_t f = 0; f < kFunctions; ++f) add(functions_[f].run_ns, run_ns_[f]);
  if (first_) {
    rank_.first_ns = *first_ + wall_bias * kSecond;
    rank_.last_ns = last_ + wall_bias * kSecond;
    rank_.run_ns = length(run_begin_.value_or(last_), run_end_.value_or(last_));
  }
  if (cpu_begin_) rank_.cpu_ns = length(*cpu_begin_, *cpu_end_);
}

}  // namespace busline::dumpi
