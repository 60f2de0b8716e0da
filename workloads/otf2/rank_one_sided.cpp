// One-sided communication. Transfers move when their epoch ends, as those of DUMPI traces do
// (docs/reference/dumpi.md): with a record that completes them, a fence, the release of a lock, or the
// window.
#include <fmt/format.h>

#include <algorithm>

#include "workloads/otf2/rank_compiler.hpp"

namespace busline::otf2 {
namespace {

constexpr std::uint8_t kCreate = 17, kDestroy = 18, kCreateAndAllocate = 21, kDestroyAndDeallocate = 22;

// A tag that no program uses, for each window.
std::int32_t tag_of_window(std::uint32_t window) {
  constexpr std::uint32_t kWindows = 1U << 30U;
  return -2 - static_cast<std::int32_t>(window % kWindows);
}

}  // namespace

/// Its index; its communicator is known and holds this rank.
std::optional<std::uint32_t> RankCompiler::window(std::uint32_t local) {
  const auto index = windows_.of(local);
  if (index == LocalIndex::kNone) return fail(fmt::format("window {} is not defined", local)), std::nullopt;
  const auto comm = shared_.definitions.windows[index];
  if (comm >= shared_.definitions.comms.size())
    return fail(fmt::format("the communicator of window {} is not defined", local)), std::nullopt;
  if (valid_comm(comm, comm) == nullptr) return std::nullopt;
  return index;
}

void RankCompiler::window_collective(const Record& r) {
  auto c = r.cursor();
  const auto operation = c.byte();
  c.number32();  // level of synchronisation
  const auto local = c.number32();
  if (!c.ok()) return fail(kRecordTooShort);
  const auto of = window(local);
  if (!of) return;
  recorded_ = true;
  const bool creates = operation == kCreate || operation == kCreateAndAllocate;
  const bool destroys = operation == kDestroy || operation == kDestroyAndDeallocate;
  begin("MPI_Win_fence");
  if (!creates) {
    const auto in_window = [&](const Transfer& t) { return t.window == *of; };
    if (destroys)
      made_.notices.open_transfers +=
          static_cast<std::uint64_t>(std::count_if(open_.begin(), open_.end(), in_window));
    end_transfers(in_window);
    move_ended();
  }
  CollectiveArgs args;
  args.kind = creates    ? CollectiveKind::win_create
              : destroys ? CollectiveKind::win_free
                         : CollectiveKind::win_fence;
  args.communicator = communicator(shared_.definitions.windows[*of]);
  emit(args);
}

void RankCompiler::transfer(const Record& r) {
  auto c = r.cursor();
  const auto local = c.number32(), remote = c.number32();
  if (r.event() == EventType::rma_atomic) c.byte();  // its operation
  Transfer t;
  const auto bytes = c.number();
  if (r.event() == EventType::rma_atomic) c.number();  // bytes received
  t.id = c.number();
  t.get = r.event() == EventType::rma_get;
  if (!c.ok()) return fail(kRecordTooShort);
  const auto of = window(local);
  if (!of) return;
  const auto target = peer_in(shared_.definitions.windows[*of], remote, "target");
  if (!target) return;
  if (bytes > kMostBytes) return fail(fmt::format("a transfer of {} bytes, expected at most 2^60", bytes));
  t.window = *of;
  t.target = *target;
  t.bytes = Bytes{bytes};
  open_.push_back(t);
}

void RankCompiler::complete_transfer(const Record& r) {
  auto c = r.cursor();
  const auto of = window(c.number32());
  const auto id = c.number();
  if (!c.ok()) return fail(kRecordTooShort);
  if (!of) return;
  // Several records may complete the same transfer: here, and at its target.
  end_transfers([&](const Transfer& t) { return t.window == *of && t.id == id; });
  if (call_ == nullptr) move_ended();
}

void RankCompiler::release(const Record& r) {
  auto c = r.cursor();
  const auto local = c.number32(), remote = c.number32();
  if (!c.ok()) return fail(kRecordTooShort);
  const auto of = window(local);
  if (!of) return;
  const auto target = peer_in(shared_.definitions.windows[*of], remote, "target");
  if (!target) return;
  end_transfers([&](const Transfer& t) { return t.window == *of && t.target == *target; });
  if (call_ == nullptr) move_ended();
}

template <class Ends>
void RankCompiler::end_transfers(Ends ends) {
  const auto at =
      std::stable_partition(open_.begin(), open_.end(), [&](const Transfer& t) { return !ends(t); });
  ended_.insert(ended_.end(), at, open_.end());
  open_.erase(at, open_.end());
}

void RankCompiler::end_all_transfers() {
  end_transfers([](const Transfer&) { return true; });
  move_ended();
}

// All start together, and the call returns when all have arrived.
void RankCompiler::move_ended() {
  if (ended_.empty()) return;
  begin("MPI_Win_unlock");
  std::vector<std::uint32_t> slots;
  for (const auto& t : ended_) {
    const Envelope to{t.target, tag_of_window(t.window), communicator(shared_.definitions.windows[t.window])};
    slots.push_back(t.get ? made_.builder.get(to, t.bytes) : made_.builder.put(to, t.bytes));
  }
  for (const auto slot : slots) made_.builder.wait(slot);
  ended_.clear();
}

}  // namespace busline::otf2
