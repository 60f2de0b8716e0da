#include "sim/program/program_builder.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "sim/base/assert.hpp"

namespace busline {
namespace {

// A full-avalanche mix (the finaliser of MurmurHash3, public domain figures).
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

std::uint64_t hash_of(const Channel& c) {
  const std::uint64_t ends = (std::uint64_t{c.source} << 32 | c.destination) * 0x9e3779b97f4a7c15ULL;
  return mixed(ends ^ (std::uint64_t{c.communicator} << 32 | static_cast<std::uint32_t>(c.tag)));
}

bool same(const Channel& a, const Channel& b) {
  return a.source == b.source && a.destination == b.destination && a.communicator == b.communicator &&
         a.tag == b.tag;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::uint32_t ranks) : channel_index_(1024, 0) {
  made_.request_slots.assign(ranks, 0);
  std::vector<std::uint32_t> world(ranks);
  std::iota(world.begin(), world.end(), 0U);
  made_.communicators.push_back({std::move(world)});
  made_.call_names.emplace_back("compute");
  call_index_["compute"] = 0;
}

std::uint32_t ProgramBuilder::add_communicator(std::vector<std::uint32_t> members) {
  made_.communicators.push_back({std::move(members)});
  return static_cast<std::uint32_t>(made_.communicators.size() - 1);
}

std::span<const std::uint32_t> ProgramBuilder::members(std::uint32_t communicator) const {
  return made_.communicators[communicator].members;
}

std::uint16_t ProgramBuilder::call_name(std::string_view name) {
  const auto [at, fresh] =
      call_index_.try_emplace(std::string(name), static_cast<std::uint16_t>(made_.call_names.size()));
  if (fresh) made_.call_names.emplace_back(name);
  return at->second;
}

void ProgramBuilder::begin_strand(std::uint32_t rank, bool sole) {
  auto& strands = made_.strands;
  SIM_ASSERT(rank < ranks() && (strands.empty() || strands.back().rank <= rank));
  const bool same_rank = !strands.empty() && strands.back().rank == rank;
  if (!same_rank) {
    slots_.clear();
    free_slots_.clear();
  }
  reuse_slots_ = sole;
  end_strand();
  strands.push_back({rank, position(), position()});
  first_of_call_ = false;
}

void ProgramBuilder::end_strand() {
  if (!made_.strands.empty()) made_.strands.back().end = position();
}

void ProgramBuilder::begin_call(std::uint16_t name) {
  call_ = name;
  first_of_call_ = true;
}

Operation& ProgramBuilder::emit(OpKind kind) {
  auto& op = made_.operations.emplace_back();
  op.kind = kind;
  op.call = call_;
  if (first_of_call_) op.flags = Operation::first_of_call;
  first_of_call_ = false;
  return op;
}

void ProgramBuilder::compute(Duration d) {
  auto& op = emit(OpKind::compute);
  op.call = 0;
  op.amount = d.count();
}

void ProgramBuilder::elapse(Duration d) {
  auto& op = emit(OpKind::compute);
  op.flags = static_cast<std::uint8_t>(op.flags | Operation::elapsed);
  op.amount = d.count();
}

void ProgramBuilder::noop() {
  emit(OpKind::noop);
}

void ProgramBuilder::mark(std::uint32_t label) {
  emit(OpKind::mark).detail = label;
}

void ProgramBuilder::local(Bytes copied) {
  emit(OpKind::local).amount = static_cast<std::int64_t>(count(copied));
}

void ProgramBuilder::event(std::uint32_t type, std::int64_t value) {
  auto& op = emit(OpKind::event);
  op.detail = type;
  op.amount = value;
}

namespace {
std::uint8_t flags_of(SendMode mode) {
  switch (mode) {
    case SendMode::synchronous:
      return Operation::synchronous;
    case SendMode::buffered:
      return Operation::buffered;
    case SendMode::standard:
      break;
  }
  return 0;
}
}  // namespace

void ProgramBuilder::send(const Envelope& to, Bytes size, SendMode mode) {
  const auto channel = channel_of(made_.strands.back().rank, to.peer, to);
  auto& op = emit(OpKind::send);
  op.flags = static_cast<std::uint8_t>(op.flags | flags_of(mode));
  op.peer = to.peer;
  op.amount = static_cast<std::int64_t>(count(size));
  op.detail = channel;
}

void ProgramBuilder::isend_and_forget(const Envelope& to, Bytes size, SendMode mode) {
  send(to, size, mode);
  made_.operations.back().kind = OpKind::isend;
}

std::uint32_t ProgramBuilder::isend(const Envelope& to, Bytes size, SendMode mode) {
  isend_and_forget(to, size, mode);
  const auto slot = take_slot(position() - 1);
  made_.operations.back().request = slot;
  return slot;
}

// Makes the channels to all possible senders now; the channel to the rank itself represents them.
void ProgramBuilder::send_to_last_source(Envelope to, Bytes size, SendMode mode) {
  const auto me = made_.strands.back().rank;
  for (const auto member : made_.communicators[to.communicator].members) channel_of(me, member, to);
  to.peer = me;
  send(to, size, mode);
  auto& op = made_.operations.back();
  op.peer = kAnySource;
  op.flags |= Operation::to_last_source;
}

void ProgramBuilder::isend_to_last_source(const Envelope& to, Bytes size) {
  send_to_last_source(to, size);
  made_.operations.back().kind = OpKind::isend;
}

void ProgramBuilder::repeat_until(std::uint64_t begin, std::int32_t tag, std::uint32_t communicator,
                                  std::uint32_t most) {
  const auto me = made_.strands.back().rank;
  SIM_ASSERT(begin >= made_.strands.back().begin && begin < position());
  const auto length = position() - begin;
  const auto detail = channel_of(me, me, {.peer = me, .tag = tag, .communicator = communicator});
  auto& op = emit(OpKind::repeat);
  op.amount = static_cast<std::int64_t>(length);
  op.detail = detail;
  op.request = most;
}

void ProgramBuilder::recv(const Envelope& from, Bytes size) {
  const auto detail = receive_detail(from);
  auto& op = emit(OpKind::recv);
  op.peer = from.peer;
  op.amount = static_cast<std::int64_t>(count(size));
  op.detail = detail;
}

std::uint32_t ProgramBuilder::irecv(const Envelope& from, Bytes size) {
  recv(from, size);
  const auto slot = take_slot(position() - 1);
  made_.operations.back().kind = OpKind::irecv;
  made_.operations.back().request = slot;
  return slot;
}

void ProgramBuilder::probe(const Envelope& from) {
  recv(from, Bytes{0});
  made_.operations.back().kind = OpKind::probe;
}

std::vector<std::uint32_t> ProgramBuilder::exchange_with_neighbors(std::span<const Neighbor> sources,
                                                                   std::span<const Neighbor> destinations,
                                                                   std::uint32_t communicator) {
  std::vector<std::uint32_t> slots;
  for (const auto& from : sources)
    slots.push_back(irecv({.peer = from.rank, .communicator = communicator}, from.size));
  for (const auto& to : destinations)
    slots.push_back(isend({.peer = to.rank, .communicator = communicator}, to.size));
  return slots;
}

std::uint32_t ProgramBuilder::one_sided(OpKind kind, const Envelope& e, Bytes size) {
  const auto me = made_.strands.back().rank;
  const bool put = kind == OpKind::put;
  const auto channel = channel_of(put ? me : e.peer, put ? e.peer : me, e);
  auto& op = emit(kind);
  op.peer = e.peer;
  op.amount = static_cast<std::int64_t>(count(size));
  op.detail = channel;
  op.request = take_slot(position() - 1);
  return op.request;
}

std::uint32_t ProgramBuilder::put(const Envelope& to, Bytes size) {
  return one_sided(OpKind::put, to, size);
}

std::uint32_t ProgramBuilder::get(const Envelope& from, Bytes size) {
  return one_sided(OpKind::get, from, size);
}

std::uint32_t ProgramBuilder::block_list(std::span<const std::uint64_t> bytes) {
  if (std::adjacent_find(bytes.begin(), bytes.end(), std::not_equal_to<>()) == bytes.end()) return 0;
  const auto hash = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{bytes.size()},
                                    [](std::uint64_t h, std::uint64_t size) { return mixed(h ^ size); });
  const BlockLists lists{made_.list_ends, made_.list_bytes};
  const auto [first, last] = list_index_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (std::ranges::equal(lists.list(at->second), bytes)) return at->second;
  made_.list_bytes.insert(made_.list_bytes.end(), bytes.begin(), bytes.end());
  made_.list_ends.push_back(made_.list_bytes.size());
  const auto number = static_cast<std::uint32_t>(made_.list_ends.size());
  list_index_.emplace(hash, number);
  return number;
}

void ProgramBuilder::collective(const CollectiveArgs& args) {
  const auto index = intern(args);
  emit(OpKind::collective).detail = index;
}

std::uint32_t ProgramBuilder::collective_start(const CollectiveArgs& args) {
  collective(args);
  const auto slot = take_slot(position() - 1);
  made_.operations.back().kind = OpKind::collective_start;
  made_.operations.back().request = slot;
  return slot;
}

void ProgramBuilder::wait(std::uint32_t slot) {
  SIM_ASSERT(slot < slots_.size() && !slots_[slot].free);
  make_wait(emit(OpKind::noop), slot);
  if (reuse_slots_) {
    slots_[slot].free = true;
    free_slots_.push_back(slot);
  }
}

std::uint64_t ProgramBuilder::wait_later() {
  SIM_ASSERT(!reuse_slots_);
  emit(OpKind::noop);
  return position() - 1;
}

void ProgramBuilder::fill_wait(std::uint64_t position, std::uint32_t slot) {
  SIM_ASSERT(slot < slots_.size() && position < made_.operations.size());
  make_wait(made_.operations[position], slot);
}

void ProgramBuilder::make_wait(Operation& op, std::uint32_t slot) const {
  const Operation& origin = made_.operations[slots_[slot].origin];
  switch (origin.kind) {
    case OpKind::isend:
    case OpKind::put:
    case OpKind::get:
      op.kind = OpKind::wait_send;
      break;
    case OpKind::irecv:
      op.kind = OpKind::wait_recv;
      break;
    case OpKind::collective_start:
      op.kind = OpKind::collective_wait;
      break;
    default:
      return;  // erased: nothing to wait for
  }
  op.peer = origin.peer;
  op.amount = origin.amount;
  op.detail = origin.detail;
  op.request = slot;
}

void ProgramBuilder::erase(std::uint64_t position) {
  auto& op = made_.operations[position];
  Operation gone;
  gone.flags = op.flags & Operation::first_of_call;
  gone.call = op.call;
  op = gone;
}

std::uint32_t ProgramBuilder::take_slot(std::uint64_t origin) {
  if (!free_slots_.empty()) {
    const auto slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[slot] = {origin, false};
    return slot;
  }
  slots_.push_back({origin, false});
  auto& most = made_.request_slots[made_.strands.back().rank];
  most = std::max(most, static_cast<std::uint32_t>(slots_.size()));
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

std::uint32_t ProgramBuilder::intern(const CollectiveArgs& args) {
  auto& all = made_.collectives;
  const auto [at, fresh] = collective_index_.try_emplace(args, static_cast<std::uint32_t>(all.size()));
  if (fresh) all.push_back(args);
  return at->second;
}

std::uint32_t ProgramBuilder::receive_detail(const Envelope& e) {
  const auto me = made_.strands.back().rank;
  if (e.peer != kAnySource && e.tag != kAnyTag) return channel_of(e.peer, me, e);
  made_.wildcards.push_back({e.peer, me, e.communicator, e.tag});
  return static_cast<std::uint32_t>(made_.wildcards.size() - 1) | kAnyChannel;
}

std::uint32_t ProgramBuilder::channel_of(std::uint32_t source, std::uint32_t destination, const Envelope& e) {
  SIM_ASSERT(source < ranks() && destination < ranks());
  auto& channels = made_.channels;
  if (channels.size() * 2 >= channel_index_.size()) grow_channel_index();
  const Channel wanted{source, destination, e.communicator, e.tag};
  const auto mask = channel_index_.size() - 1;
  auto at = hash_of(wanted) & mask;
  for (; channel_index_[at] != 0; at = (at + 1) & mask)
    if (same(channels[channel_index_[at] - 1], wanted)) return channel_index_[at] - 1;
  channels.push_back(wanted);
  channel_index_[at] = static_cast<std::uint32_t>(channels.size());
  return channel_index_[at] - 1;
}

void ProgramBuilder::grow_channel_index() {
  channel_index_.assign(channel_index_.size() * 2, 0);
  const auto mask = channel_index_.size() - 1;
  for (std::size_t i = 0; i < made_.channels.size(); ++i) {
    auto at = hash_of(made_.channels[i]) & mask;
    while (channel_index_[at] != 0) at = (at + 1) & mask;
    channel_index_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

void ProgramBuilder::append(ProgramBuilder&& part, std::span<const std::uint32_t> communicators) {
  part.end_strand();
  end_strand();
  auto& from = part.made_;
  const auto base = position();
  for (const auto& s : from.strands) {
    SIM_ASSERT(made_.strands.empty() || made_.strands.back().rank <= s.rank);
    made_.strands.push_back({s.rank, s.begin + base, s.end + base});
    made_.request_slots[s.rank] = from.request_slots[s.rank];
  }
  std::vector<std::uint32_t> channels, collectives;
  for (const auto& c : from.channels)
    channels.push_back(
        channel_of(c.source, c.destination, {.tag = c.tag, .communicator = communicators[c.communicator]}));
  const auto open = kAnyChannel + static_cast<std::uint32_t>(made_.wildcards.size());
  for (auto w : from.wildcards) {
    w.communicator = communicators[w.communicator];
    made_.wildcards.push_back(w);
  }
  const BlockLists lists{from.list_ends, from.list_bytes};
  for (auto args : from.collectives) {
    args.communicator = communicators[args.communicator];
    if (args.block_list != 0) args.block_list = block_list(lists.list(args.block_list));
    collectives.push_back(intern(args));
  }
  std::vector<std::uint16_t> names;
  for (const auto& name : from.call_names) names.push_back(call_name(name));
  made_.event_labels.insert(made_.event_labels.end(), from.event_labels.begin(), from.event_labels.end());
  if (base == 0 && made_.operations.capacity() < from.operations.size())
    made_.operations = std::move(from.operations);
  else
    made_.operations.insert(made_.operations.end(), from.operations.begin(), from.operations.end());
  for (auto at = made_.operations.begin() + static_cast<std::ptrdiff_t>(base); at != made_.operations.end();
       ++at) {
    at->call = names[at->call];
    switch (at->kind) {
      case OpKind::compute:
      case OpKind::noop:
      case OpKind::event:
      case OpKind::mark:
      case OpKind::local:
      case OpKind::start:
      case OpKind::part_send:
      case OpKind::part_receive:
        break;
      case OpKind::collective:
      case OpKind::collective_start:
      case OpKind::collective_wait:
        at->detail = collectives[at->detail];
        break;
      case OpKind::again:
        at->detail = communicators[at->detail];
        break;
      case OpKind::send:
      case OpKind::isend:
      case OpKind::recv:
      case OpKind::irecv:
      case OpKind::wait_send:
      case OpKind::wait_recv:
      case OpKind::probe:
      case OpKind::put:
      case OpKind::get:
      case OpKind::repeat:
        at->detail =
            (at->detail & kAnyChannel) != 0 ? open + (at->detail & ~kAnyChannel) : channels[at->detail];
        break;
    }
  }
}

Program ProgramBuilder::build() {
  end_strand();
  // Giving back memory means a copy; pages that were never touched cost nothing.
  auto& operations = made_.operations;
  if (operations.capacity() - operations.size() > operations.size() / 8) operations.shrink_to_fit();
  auto owner = std::make_shared<const Made>(std::exchange(made_, {}));
  const auto& m = *owner;
  const ProgramTables tables{m.strands,
                             m.operations,
                             m.channels,
                             m.wildcards,
                             m.communicators,
                             m.collectives,
                             {m.list_ends, m.list_bytes},
                             m.call_names,
                             m.event_labels,
                             m.request_slots,
                             m.traced_run_time};
  return {tables, std::move(owner)};
}

}  // namespace busline
