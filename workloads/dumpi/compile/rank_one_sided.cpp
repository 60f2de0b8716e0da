// One-sided communication: operations made from the calls of the three kinds of epochs
// (docs/reference/dumpi.md).
#include <utility>

#include "workloads/dumpi/compile/groups.hpp"
#include "workloads/dumpi/compile/rank_compiler.hpp"

namespace busline::dumpi {

void RankCompiler::compile_one_sided(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Put"):
    case function_id("MPI_Get"):
    case function_id("MPI_Accumulate"):
      return compile_transfer(r);
    case function_id("MPI_Win_lock"):
    case function_id("MPI_Win_unlock"):
      return compile_lock(r);
    case function_id("MPI_Win_post"):
    case function_id("MPI_Win_start"):
      return open_epoch(r);
    case function_id("MPI_Win_test"):
      if (r[argument("MPI_Win_test", "flag")] == 0) return;
      [[fallthrough]];
    default:
      return close_epoch(r);
  }
}

// The window that the call is on, or nullptr: MPI-3 makes windows without a record.
Window* RankCompiler::window(const Record& r, std::size_t argument) {
  auto* const w = windows_.find(r[argument]);
  if (w == nullptr) ++shared_.notices.on_unknown_windows[r.function];
  return w;
}

void RankCompiler::compile_transfer(const Record& r) {
  static_assert(argument("MPI_Put", "win") == argument("MPI_Get", "win") &&
                argument("MPI_Put", "targetrank") == argument("MPI_Accumulate", "targetrank"));
  const bool accumulate = r.function == function_id("MPI_Accumulate");
  auto* const w = window(r, accumulate ? argument("MPI_Accumulate", "win") : argument("MPI_Put", "win"));
  if (w == nullptr) return;
  const auto target = r[argument("MPI_Put", "targetrank")];
  if (target >= 0) {  // else it is MPI_PROC_NULL
    const Bytes size{bytes(r[argument("MPI_Put", "origincount")], r[argument("MPI_Put", "origintype")])};
    const auto rank = peer(w->communicator, target, "target");
    if (wrong_) return;
    const auto lock = w->locked.find(rank);
    const bool get = r.function == function_id("MPI_Get");
    (lock == w->locked.end() ? w->open : lock->second).push_back({rank, get, size});
  }
  begin_call(r);
  put_operation(Step::Kind::noop, 0);
}

void RankCompiler::compile_lock(const Record& r) {
  const bool lock = r.function == function_id("MPI_Win_lock");
  auto* const w = window(r, lock ? argument("MPI_Win_lock", "win") : argument("MPI_Win_unlock", "win"));
  if (w == nullptr) return;
  begin_call(r);
  const auto winrank = r[lock ? argument("MPI_Win_lock", "winrank") : argument("MPI_Win_unlock", "winrank")];
  if (winrank >= 0) {  // else it is MPI_PROC_NULL
    const auto target = peer(w->communicator, winrank, "target");
    if (wrong_) return;
    auto& transfers = w->locked[target];
    if (!lock) {
      move(*w, transfers);
      w->locked.erase(target);
    }
  }
  put_operation(Step::Kind::noop, 0);
}

// MPI_Win_post tells all origins that they may start; MPI_Win_start waits for the word of all targets.
void RankCompiler::open_epoch(const Record& r) {
  static_assert(argument("MPI_Win_post", "win") == argument("MPI_Win_start", "win"));
  const auto group = survey_.communicators.epoch_groups()[next_epoch_++];
  auto* const w = window(r, argument("MPI_Win_post", "win"));
  if (w == nullptr) return;
  const bool post = r.function == function_id("MPI_Win_post");
  auto& epoch = post ? w->posted : w->started;
  if (epoch.group != group) {
    auto members = members_of(survey_.communicators.groups(), group, [this](std::uint32_t i, bool remote) {
      return shared_.communicators.members(rank_, i, remote);
    });
    if (!members) return fail("the members of the group are not known from the recorded calls");
    epoch = {group, std::move(*members)};
  }
  begin_call(r);
  notify(*w, epoch, Window::Purpose::post, post);
}

// MPI_Win_complete moves the bytes and then tells all targets; MPI_Win_wait waits for the word of all
// origins.
void RankCompiler::close_epoch(const Record& r) {
  static_assert(argument("MPI_Win_wait", "win") == argument("MPI_Win_complete", "win") &&
                argument("MPI_Win_wait", "win") == argument("MPI_Win_test", "win"));
  auto* const w = window(r, argument("MPI_Win_wait", "win"));
  if (w == nullptr) return;
  const bool complete = r.function == function_id("MPI_Win_complete");
  begin_call(r);
  if (complete) move(*w, w->open);
  notify(*w, complete ? w->started : w->posted, Window::Purpose::complete, complete);
}

// A message without data to each rank of the group, or from each.
void RankCompiler::notify(const Window& w, const EpochGroup& group, Window::Purpose purpose, bool tells) {
  Step step;
  step.kind = tells ? Step::Kind::isend_and_forget : Step::Kind::recv;
  step.mode = SendMode::buffered;
  step.envelope.communicator = shared_.communicators.program_id(w.communicator);
  step.envelope.tag = w.tag(purpose);
  for (const auto rank : group.ranks) {
    step.envelope.peer = rank;
    put(step);
  }
  put_operation(Step::Kind::noop, 0);
}

// All start together, and the call returns when all have arrived.
void RankCompiler::move(const Window& w, std::vector<Transfer>& transfers) {
  if (transfers.empty()) return;
  Step step;
  step.envelope.communicator = shared_.communicators.program_id(w.communicator);
  step.envelope.tag = w.tag(Window::Purpose::transfer);
  for (const auto& t : transfers) {
    step.kind = t.get ? Step::Kind::get : Step::Kind::put;
    step.envelope.peer = t.target;
    step.bytes = t.bytes;
    put(step);
  }
  put_operation(Step::Kind::wait_transfers, 0);
  transfers.clear();
}

// Transfers that no recorded call has moved.
void RankCompiler::move_rest(Window& w) {
  const auto count = [&](const std::vector<Transfer>& t) { shared_.notices.open_transfers += t.size(); };
  count(w.open);
  move(w, w.open);
  for (auto& [target, transfers] : w.locked) {
    count(transfers);
    move(w, transfers);
  }
}

void RankCompiler::compile_window(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Win_create"): {
      const auto v = communicator(r[argument("MPI_Win_create", "comm")]);
      if (wrong_) return;
      begin_call(r);
      const auto id = r[argument("MPI_Win_create", "win")];
      if (auto* const earlier = windows_.find(id); earlier != nullptr) move_rest(*earlier);
      windows_.create(id, v);
      return meet(CollectiveKind::win_create, v);
    }
    case function_id("MPI_Win_fence"): {
      auto* const w = window(r, argument("MPI_Win_fence", "win"));
      if (w == nullptr) return;
      begin_call(r);
      move(*w, w->open);
      return meet(CollectiveKind::win_fence, w->communicator);
    }
    default: {  // MPI_Win_free
      auto* const w = window(r, argument("MPI_Win_free", "win"));
      if (w == nullptr) return;
      begin_call(r);
      move_rest(*w);
      meet(CollectiveKind::win_free, w->communicator);
      windows_.free(r[argument("MPI_Win_free", "win")]);
    }
  }
}

// A collective without data on the communicator of a window.
void RankCompiler::meet(CollectiveKind kind, CommunicatorView v) {
  Step step;
  step.kind = Step::Kind::collective;
  step.collective.kind = kind;
  step.collective.communicator = shared_.communicators.program_id(v);
  put(step);
}

}  // namespace busline::dumpi
