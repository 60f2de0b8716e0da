#include "workloads/dumpi/compile/rank_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

constexpr std::int64_t kMostNanoseconds =
    std::numeric_limits<std::int64_t>::max() / kPicosecondsPerNanosecond;

// These return only when something is complete, so they count as calls even if nothing was outstanding.
bool is_wait(std::uint16_t function) {
  return function == function_id("MPI_Wait") || function == function_id("MPI_Waitall") ||
         function == function_id("MPI_Waitany") || function == function_id("MPI_Waitsome");
}

}  // namespace

RankCompiler::RankCompiler(const TraceFile& file, std::uint32_t rank, const RankSurvey& survey,
                           Compilation& shared)
    : file_(file),
      rank_(rank),
      survey_(survey),
      shared_(shared),
      writer_(shared.builder, rank, survey.several_threads),
      clock_(shared.options.cpu_time),
      types_(file),
      phase_(survey.has_init ? Phase::before_init : Phase::running) {}

Expected<void> RankCompiler::run() {
  auto done = compile_records();
  for (auto& [number, thread] : threads_) count_unrecorded(thread);
  if (phase_ == Phase::running)
    for (auto& [number, thread] : threads_) {
      thread_ = number;
      current_ = &thread;
      flush_compute();
    }
  writer_.finish();
  return done;
}

Expected<void> RankCompiler::compile_records() {
  CallReader reader(file_);
  while (records_ != survey_.records) {
    const Record* const r = reader.next();
    if (r == nullptr) break;
    if (current_ == nullptr || r->thread != thread_) current_ = &threads_[thread_ = r->thread];
    call_begun_ = false;
    follow_time(*r);
    if (call_class(r->function) != CallClass::event) current_->in_mpi3 = false;
    if (r->function >= kFirstMpi3) current_->unrecorded = {};
    if (phase_ == Phase::running) compile(*r);
    const bool handles_may_change = !leaves_handles(r->function);
    if (!wrong_ && handles_may_change) wrong_ = types_.apply(*r);
    if (wrong_) {
      auto e = reader.error_in(*r, *wrong_);
      if (!hint_.empty()) e.hint = hint_;
      if (unsupported_) e.kind = Error::Kind::unsupported;
      return tl::unexpected(std::move(e));
    }
    ++records_;
    if (handles_may_change) handles_.apply(*r);
    if (phase_ == Phase::finalized) break;
  }
  if (reader.error()) return tl::unexpected(*reader.error());
  return {};
}

// ---- time

void RankCompiler::follow_time(const Record& r) {
  const auto time = clock_.read(r);
  if (is_init(r)) {
    phase_ = Phase::running;
    current_->pending = 0;
    if (time) {
      origin_ = time->exit;
      current_->last_exit = time->exit;
    }
    current_->started = true;
    return;
  }
  if (!time || phase_ == Phase::before_init) return;
  if (!current_->started) {
    current_->started = true;
    if (!origin_) origin_ = time->entry;
    current_->last_exit = *origin_;
  }
  const auto gap = time->entry - current_->last_exit;
  if (gap < 0) ++shared_.notices.negative_gaps;
  if (gap > 0 && !current_->in_mpi3) current_->pending += std::min(gap, kMostNanoseconds - current_->pending);
  current_->last_exit = time->exit;
}

// An annotation marked a call whose record was not found.
void RankCompiler::count_unrecorded(Thread& thread) const {
  if (const auto name = std::exchange(thread.unrecorded, {}); !name.empty())
    ++shared_.notices.mpi3[std::string(name)];
}

void RankCompiler::flush_compute() {
  if (current_->pending == 0) return;
  const auto ns = std::exchange(current_->pending, 0);
  const auto scale = shared_.options.compute_scale;
  if (scale == 0) return;
  writer_.compute(thread_, scale == 1 ? Duration::picoseconds(ns * kPicosecondsPerNanosecond)
                                      : Duration::from_double(static_cast<double>(ns) *
                                                              kPicosecondsPerNanosecond * scale));
}

void RankCompiler::begin_call(const Record& r) {
  if (call_begun_) return;
  call_begun_ = true;
  flush_compute();
  auto& number = call_numbers_[r.function];
  if (number == 0) number = shared_.builder.call_name(kFunctionTable[r.function].name);
  writer_.begin_call(thread_, number);
}

// ---- calls

void RankCompiler::compile(const Record& r) {
  switch (call_class(r.function)) {
    using enum CallClass;
    case send:
      return compile_send(r, *send_call(r.function));
    case receive:
      return compile_receive(r);
    case sendrecv:
      return compile_sendrecv(r);
    case start:
      return compile_starts(r);
    case probe:
      return compile_probe(r);
    case wait:
      return compile_completions(r);
    case request:
      return compile_request(r);
    case border:
      return compile_border(r);
    case collective:
    case nonblocking_collective:
    case persistent_collective:
    case creation:
    case file_collective:
      return compile_collective(r, *collective_kind_of_form(blocking_form(r.function)));
    case neighbourhood:
      return compile_neighbourhood(r);
    case matched:
      return compile_matched(r);
    case window:
      return compile_window(r);
    case transfer:
    case epoch:
      return compile_one_sided(r);
    case event:
      return compile_event(r);
    case file:
      file_requests_.apply(r.function);
      if (shared_.options.keep_io) keep_time_of(r);
      return;
    case dynamic:
    case handle:
    case local:
    case unrecorded:
      return;
  }
}

void RankCompiler::compile_request(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Grequest_start"):
      put_operation(Step::Kind::nothing, kFirstOperation + requests_.activate(r.i32(0)));
      break;
    case function_id("MPI_Request_free"):
      requests_.complete(r.i32(0));
      persistent_.erase(r.i32(0));
      break;
    default:  // MPI_Cancel: its outcome is a Fate
      break;
  }
}

// MPI_Init and MPI_Finalize synchronise at no cost, if all ranks' records of them are there.
void RankCompiler::compile_border(const Record& r) {
  const bool finalize = r.function == function_id("MPI_Finalize");
  if (finalize) phase_ = Phase::finalized;
  if (finalize)
    for (auto& [id, w] : windows_.all()) move_rest(w);
  if (!(finalize ? shared_.with_finalize : shared_.with_init)) {
    if (finalize) flush_compute();
    return;
  }
  begin_call(r);
  Step step;
  step.kind = Step::Kind::collective;
  step.collective.kind = finalize ? CollectiveKind::finalize : CollectiveKind::init;
  put(step);
}

void RankCompiler::compile_completions(const Record& r) {
  if (auto wrong = completions_.read(r)) return fail(std::move(*wrong));
  if (completions_.all().empty() && !is_wait(r.function)) return;
  begin_call(r);
  bool of_messages = false, of_files = false;
  for (const auto& c : completions_.all()) {
    if (const auto operation = requests_.complete(c.request)) {
      writer_.wait(thread_, kFirstOperation + *operation);
      of_messages = true;
    } else if (c.request > kRequestNull && !persistent_.contains(c.request) && file_requests_.complete()) {
      of_files = true;
    }
  }
  if (of_files && !of_messages && shared_.options.keep_io) keep_time_of(r);
  put_operation(Step::Kind::noop, 0);
}

// The call takes as long as in the traced run.
void RankCompiler::keep_time_of(const Record& r) {
  begin_call(r);
  Step step;
  step.kind = Step::Kind::elapse;
  step.duration = Duration::picoseconds(length_of(r) * kPicosecondsPerNanosecond);
  if (step.duration > Duration{}) put(step);
}

void RankCompiler::compile_event(const Record& r) {
  const auto key = static_cast<std::uint64_t>(r[0]);
  if (event_labels_.empty())
    for (const auto& label : file_.labels()) event_labels_.emplace(label.key, label.text);
  const auto at = event_labels_.find(key);
  const bool enter = r.function == function_id("Function_enter");
  if (const auto call = at == event_labels_.end() ? std::nullopt : mpi3_call(at->second)) {
    current_->in_mpi3 = enter;
    count_unrecorded(*current_);
    if (enter) current_->unrecorded = *call;
    return;
  }
  const auto text = at == event_labels_.end() ? fmt::format("{:#x}", key) : std::string(at->second);
  flush_compute();
  Step step;
  step.kind = Step::Kind::event;
  const auto event = shared_.events.of(text, shared_.builder);
  step.event_type = event.type;
  step.event_value = enter ? event.value : 0;
  put(step);
}

void RankCompiler::put_operation(Step::Kind kind, std::uint32_t operation) {
  Step step;
  step.kind = kind;
  step.operation = operation;
  put(step);
}

// ---- arguments

CommunicatorView RankCompiler::communicator(std::int64_t id) {
  const auto instance = handles_.communicator(id);
  const auto v =
      instance < kDynamicInstance ? shared_.communicators.view(rank_, instance) : CommunicatorView{};
  if (!v.known()) fail(unknown_communicator(id, instance), kUnknownCommunicatorHint);
  unsupported_ = instance == kDynamicInstance;
  return v;
}

std::uint64_t RankCompiler::bytes(std::int64_t count, std::int64_t type) {
  if (count < 0) fail(fmt::format("the count is {}, expected 0 or more", count));
  if (count <= 0) return 0;
  const auto size = types_.size(type);
  if (!size) {
    fail(fmt::format("neither a record nor the file's table has the size of datatype {}", type),
         "the file is damaged, or an MPI-3 call, which leaves no record, made the type");
    return 0;
  }
  if (*size > kMostBytes / static_cast<std::uint64_t>(count)) {
    fail(fmt::format("{} elements of {} bytes are too many", count, *size));
    return 0;
  }
  return static_cast<std::uint64_t>(count) * *size;
}

void RankCompiler::fail(std::string message, std::string hint) {
  if (wrong_) return;
  wrong_ = std::move(message);
  hint_ = std::move(hint);
}

}  // namespace busline::dumpi
