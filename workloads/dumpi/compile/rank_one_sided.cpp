// One-sided communication: operations made from the calls of the three kinds of epochs
// (docs/reference/dumpi.md).
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/groups.hpp"
#include "workloads/dumpi/compile/rank_compiler.hpp"

namespace busline::dumpi {
namespace {

constexpr std::int64_t kTypeOfNoOperand = 1;

// Whether the call reads the memory of its target.
bool reads_target(std::uint16_t function) {
  switch (function) {
    case function_id("MPI_Get"):
    case function_id("MPI_Rget"):
    case function_id("MPI_Get_accumulate"):
    case function_id("MPI_Rget_accumulate"):
    case function_id("MPI_Fetch_and_op"):
    case function_id("MPI_Compare_and_swap"):
      return true;
    default:
      return false;
  }
}

constexpr auto kWindowArgument = places_of("win"), kTargetArgument = places_of("targetrank");

}  // namespace

void RankCompiler::compile_one_sided(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Put"):
    case function_id("MPI_Get"):
    case function_id("MPI_Accumulate"):
      return compile_transfer(r);
    case function_id("MPI_Get_accumulate"):
    case function_id("MPI_Fetch_and_op"):
    case function_id("MPI_Compare_and_swap"):
    case function_id("MPI_Rput"):
    case function_id("MPI_Rget"):
    case function_id("MPI_Raccumulate"):
    case function_id("MPI_Rget_accumulate"):
      return compile_transfer(r);
    case function_id("MPI_Win_lock"):
    case function_id("MPI_Win_unlock"):
      return compile_lock(r);
    case function_id("MPI_Win_lock_all"):
    case function_id("MPI_Win_unlock_all"):
    case function_id("MPI_Win_flush"):
    case function_id("MPI_Win_flush_all"):
    case function_id("MPI_Win_flush_local"):
    case function_id("MPI_Win_flush_local_all"):
      return compile_flush(r);
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

// The window that the call is on, or nullptr if no recorded call made it.
Window* RankCompiler::window(const Record& r, std::size_t argument) {
  auto* const w = windows_.find(r[argument]);
  if (w == nullptr) ++shared_.notices.on_unknown_windows[r.function];
  return w;
}

// What a call sends to its target and gets from there: one of them, or both for a call that changes what it
// reads.
RankCompiler::Sizes RankCompiler::transfer_sizes(const Record& r) {
  const auto size = [&](std::size_t count, std::size_t type) { return bytes(r[count], r[type]); };
  switch (r.function) {
    case function_id("MPI_Get"):
    case function_id("MPI_Rget"):
      return {0, size(argument("MPI_Get", "origincount"), argument("MPI_Get", "origintype"))};
    case function_id("MPI_Get_accumulate"):
    case function_id("MPI_Rget_accumulate"): {
      const auto origin = r[argument("MPI_Get_accumulate", "origintype")];  // null for MPI_NO_OP
      return {
          origin == kTypeOfNoOperand ? 0 : bytes(r[argument("MPI_Get_accumulate", "origincount")], origin),
          size(argument("MPI_Get_accumulate", "resultcount"), argument("MPI_Get_accumulate", "resulttype"))};
    }
    case function_id("MPI_Fetch_and_op"): {
      const auto element = bytes(1, r[argument("MPI_Fetch_and_op", "datatype")]);
      return {element, element};
    }
    case function_id("MPI_Compare_and_swap"): {
      const auto element = bytes(1, r[argument("MPI_Compare_and_swap", "datatype")]);
      return {2 * element, element};
    }
    default:
      return {size(argument("MPI_Put", "origincount"), argument("MPI_Put", "origintype")), 0};
  }
}

void RankCompiler::compile_transfer(const Record& r) {
  auto* const w = window(r, kWindowArgument[r.function]);
  const bool has_request = makes_request(r.function);
  if (w == nullptr) {
    if (has_request)
      put_operation(Step::Kind::nothing,
                    kFirstOperation + requests_.activate(r.i32(request_argument(r.function))));
    return;
  }
  begin_call(r);
  const auto target = r[kTargetArgument[r.function]];
  Step step;
  step.kind = has_request ? Step::Kind::nothing : Step::Kind::noop;
  if (target >= 0) {  // else it is MPI_PROC_NULL
    const auto sizes = transfer_sizes(r);
    const auto rank = peer(w->communicator, target, "target");
    if (wrong_) return;
    const bool gets = reads_target(r.function), puts = !gets || sizes.send > 0;
    const auto lock = w->locked.find(rank);
    auto& transfers = lock == w->locked.end() ? w->open : lock->second;
    if (has_request) {  // begins now; what else the call moves waits for the end of the epoch
      step.kind = gets ? Step::Kind::request_get : Step::Kind::request_put;
      step.envelope = {rank, w->tag(Window::Purpose::transfer),
                       shared_.communicators.program_id(w->communicator)};
      step.bytes = Bytes{gets ? sizes.recv : sizes.send};
    } else if (gets) {
      transfers.push_back({rank, true, Bytes{sizes.recv}});
    }
    if (puts && (gets || !has_request)) transfers.push_back({rank, false, Bytes{sizes.send}});
  }
  if (has_request) step.operation = kFirstOperation + requests_.activate(r.i32(request_argument(r.function)));
  put(step);
}

// An epoch with all targets; MPI_Win_flush_local is taken for MPI_Win_flush.
void RankCompiler::compile_flush(const Record& r) {
  const bool one =
      r.function == function_id("MPI_Win_flush") || r.function == function_id("MPI_Win_flush_local");
  auto* const w = window(r, kWindowArgument[r.function]);
  if (w == nullptr) return;
  begin_call(r);
  std::vector<Transfer> ready;
  const auto take = [&](std::vector<Transfer>& from, std::optional<std::uint32_t> target) {
    const auto rest = std::stable_partition(from.begin(), from.end(),
                                            [&](const Transfer& t) { return target && t.target != *target; });
    ready.insert(ready.end(), rest, from.end());
    from.erase(rest, from.end());
  };
  if (one) {
    const auto winrank = r[argument("MPI_Win_flush", "winrank")];
    if (winrank >= 0) {  // else it is MPI_PROC_NULL
      const auto target = peer(w->communicator, winrank, "target");
      if (wrong_) return;
      take(w->open, target);
      if (const auto lock = w->locked.find(target); lock != w->locked.end()) take(lock->second, target);
    }
  } else if (r.function != function_id("MPI_Win_lock_all")) {
    take(w->open, std::nullopt);
    for (auto& [target, transfers] : w->locked) take(transfers, std::nullopt);
  }
  move(*w, ready);
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
    case function_id("MPI_Win_create"):
    case function_id("MPI_Win_allocate"):
    case function_id("MPI_Win_allocate_shared"):
    case function_id("MPI_Win_create_dynamic"): {
      const auto maker = *window_maker(r.function);
      const auto v = communicator(r[maker.communicator]);
      if (wrong_) return;
      begin_call(r);
      const auto id = r[maker.made];
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
