#include "measuring/mpi/call_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "workloads/kernels/kernel.hpp"

namespace busline::mpi {
namespace {

constexpr std::uint64_t kMostMessage = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::pair<std::string_view, LocalCall>, 6> kLocalCalls{
    {{"MPI_Wtime", LocalCall::wtime},
     {"MPI_Comm_rank", LocalCall::comm_rank},
     {"MPI_Comm_size", LocalCall::comm_size},
     {"MPI_Iprobe", LocalCall::iprobe},
     {"MPI_Buffer_attach", LocalCall::buffer_attach},
     {"memcpy", LocalCall::memory_copy}}};

/// Those that kernels have.
bool has_nonblocking_form(CollectiveKind k) {
  using enum CollectiveKind;
  return k == barrier || k == bcast || k == allreduce || k == alltoall;
}

class Translator {
 public:
  Translator(const Program& program, std::uint32_t rank) : program_(program), rank_(rank) {}

  Expected<CallList> translate() {
    const Strand* strand = nullptr;
    for (const auto& s : program_.strands()) {
      if (s.rank != rank_) continue;
      if (strand != nullptr) return refuse("has several strands");
      strand = &s;
    }
    list_.slot_bytes.assign(program_.request_slots(rank_), 0);
    if (strand == nullptr) return std::move(list_);
    call_of_.assign(strand->end - strand->begin + 1, 0);
    for (at_ = strand->begin; at_ < strand->end;) {
      const auto begin = at_;
      call_of_[begin - strand->begin] = static_cast<std::uint32_t>(list_.calls.size());
      begin_ = strand->begin;
      end_ = strand->end;
      if (auto ok = next(); !ok) return tl::unexpected(std::move(ok.error()));
      for (auto i = begin + 1; i < at_; ++i) call_of_[i - strand->begin] = call_of_[begin - strand->begin];
    }
    mark_starts();
    return std::move(list_);
  }

 private:
  tl::unexpected<Error> refuse(std::string message) const {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.where = fmt::format("rank {}", rank_);
    e.message = std::move(message);
    return tl::unexpected(std::move(e));
  }

  const Operation& op(std::uint64_t at) const { return program_.operations()[at]; }
  std::string_view name(const Operation& o) const { return program_.call_names()[o.call]; }
  bool same_call(std::uint64_t at) const {
    if (at >= end_ || (op(at).flags & Operation::first_of_call) != 0) return false;
    const auto kind = op(at).kind;  // a mark belongs to no call
    return kind == OpKind::isend || kind == OpKind::irecv || kind == OpKind::wait_send ||
           kind == OpKind::wait_recv;
  }

  // A message's other end and tag, as MPI wants them.
  void address(Call& call, const Operation& o) const {
    if ((o.detail & kAnyChannel) != 0) {
      const auto& w = program_.wildcards()[o.detail & ~kAnyChannel];
      call.communicator = w.communicator;
      call.tag = w.tag == kAnyTag ? kAny : w.tag;
      call.peer = w.source == kAnySource ? kAny : rank_in(w.communicator, w.source);
      return;
    }
    const auto& c = program_.channels()[o.detail];
    call.communicator = c.communicator;
    call.tag = c.tag;
    call.peer = rank_in(c.communicator, c.source == rank_ ? c.destination : c.source);
  }

  std::int32_t rank_in(std::uint32_t communicator, std::uint32_t rank) const {
    const auto& members = program_.communicators()[communicator].members;
    return static_cast<std::int32_t>(std::find(members.begin(), members.end(), rank) - members.begin());
  }

  static SendMode mode_of(const Operation& o) {
    if ((o.flags & Operation::synchronous) != 0) return SendMode::synchronous;
    return (o.flags & Operation::buffered) != 0 ? SendMode::buffered : SendMode::standard;
  }

  Expected<void> next() {
    const auto& o = op(at_);
    const bool begins_a_message = o.kind == OpKind::isend || o.kind == OpKind::irecv;
    if (begins_a_message && name(o).starts_with("MPI_Sendrecv")) return sendrecv();
    switch (o.kind) {
      case OpKind::compute:
        ++at_;
        // A picosecond of the Program's time is the speed-independent measure: docs/reference/measuring.md,
        // "Work".
        if (o.amount > 0) add(Call::Kind::work).bytes = static_cast<std::uint64_t>(o.amount) / 1000;
        return {};
      case OpKind::noop:
        ++at_;
        return {};
      case OpKind::mark:
        ++at_;
        add(Call::Kind::mark).first = o.detail;
        return {};
      case OpKind::local:
        return local(o);
      case OpKind::send:
      case OpKind::isend:
        return send(o);
      case OpKind::recv:
      case OpKind::irecv:
        return receive(o);
      case OpKind::wait_send:
      case OpKind::wait_recv:
      case OpKind::collective_wait:
        return wait();
      case OpKind::probe: {
        ++at_;
        auto& call = add(Call::Kind::iprobe);
        address(call, o);
        return {};
      }
      case OpKind::collective:
      case OpKind::collective_start:
        return collective(o);
      case OpKind::repeat:
        return repeat(o);
      case OpKind::start:
      case OpKind::again:
      case OpKind::event:
      case OpKind::put:
      case OpKind::get:
      case OpKind::part_send:
      case OpKind::part_receive:
        break;
    }
    return refuse(fmt::format("{} is not supported with real MPI", name(o)));
  }

  Call& add(Call::Kind kind) {
    list_.calls.push_back({});
    list_.calls.back().kind = kind;
    return list_.calls.back();
  }

  Expected<void> check_size(const Operation& o) const {
    if (static_cast<std::uint64_t>(o.amount) <= kMostMessage) return {};
    return refuse(fmt::format("{} of {} bytes, expected less than 2 GiB", name(o), o.amount));
  }

  Expected<void> send(const Operation& o) {
    ++at_;
    if (auto ok = check_size(o); !ok) return ok;
    const bool answers = (o.flags & Operation::to_last_source) != 0;
    auto& call = add(answers                   ? Call::Kind::answer
                     : o.kind == OpKind::isend ? Call::Kind::isend
                                               : Call::Kind::send);
    call.mode = mode_of(o);
    call.bytes = static_cast<std::uint64_t>(o.amount);
    call.slot = o.request;
    call.waits = o.kind == OpKind::send;
    if (answers) {
      call.communicator = program_.channels()[o.detail].communicator;
      call.tag = program_.channels()[o.detail].tag;
    } else {
      address(call, o);
      if (o.kind == OpKind::isend && o.request == kNoRequest)
        return refuse("sends without waiting for the send");
    }
    list_.message_bytes = std::max(list_.message_bytes, call.bytes);
    if (call.mode == SendMode::buffered) {
      list_.buffered_bytes += call.bytes;
      ++list_.buffered_sends;
    }
    return {};
  }

  Expected<void> receive(const Operation& o) {
    ++at_;
    if (auto ok = check_size(o); !ok) return ok;
    auto& call = add(o.kind == OpKind::irecv ? Call::Kind::irecv : Call::Kind::recv);
    address(call, o);
    call.bytes = static_cast<std::uint64_t>(o.amount);
    call.slot = o.request;
    list_.has_open_receives |= (o.detail & kAnyChannel) != 0;
    auto& room = o.kind == OpKind::irecv ? list_.slot_bytes[o.request] : list_.message_bytes;
    room = std::max(room, call.bytes);
    return {};
  }

  Expected<void> wait() {
    const auto first = static_cast<std::uint32_t>(list_.waited.size());
    std::uint32_t count = 0;
    do {
      list_.waited.push_back(op(at_).request);
      ++count;
      ++at_;
    } while (same_call(at_));
    auto& call = add(count == 1 ? Call::Kind::wait : Call::Kind::wait_all);
    call.slot = list_.waited[first];
    call.first = first;
    call.count = count;
    return {};
  }

  // An irecv, an isend and the waits for both: one call of MPI.
  Expected<void> sendrecv() {
    const bool replace = name(op(at_)) == "MPI_Sendrecv_replace";
    Call call;
    call.kind = Call::Kind::sendrecv;
    call.replace = replace;
    bool sends = false, receives = false;
    do {
      const auto& o = op(at_);
      if (auto ok = check_size(o); !ok) return ok;
      Call part;
      if (o.kind == OpKind::isend || o.kind == OpKind::irecv) address(part, o);
      if (o.kind == OpKind::isend) {
        sends = true;
        call.peer = part.peer;
        call.tag = part.tag;
        call.communicator = part.communicator;
        call.bytes = static_cast<std::uint64_t>(o.amount);
      } else if (o.kind == OpKind::irecv) {
        receives = true;
        call.other = part.peer;
      }
      ++at_;
    } while (same_call(at_));
    if (!sends || !receives) return refuse("a Sendrecv lacks one of its halves");
    list_.message_bytes = std::max(list_.message_bytes, call.bytes);
    list_.calls.push_back(call);
    return {};
  }

  Expected<void> local(const Operation& o) {
    ++at_;
    const auto found = std::find_if(kLocalCalls.begin(), kLocalCalls.end(),
                                    [&](const auto& entry) { return entry.first == name(o); });
    if (found == kLocalCalls.end()) return refuse(fmt::format("{} is not supported with real MPI", name(o)));
    auto& call = add(Call::Kind::local);
    call.first = static_cast<std::uint32_t>(found->second);
    call.bytes = static_cast<std::uint64_t>(o.amount);
    list_.copied_bytes = std::max(list_.copied_bytes, call.bytes);
    return {};
  }

  Expected<void> collective(const Operation& o) {
    ++at_;
    const auto& args = program_.collectives()[o.detail];
    const auto members = program_.communicators()[args.communicator].members.size();
    const auto largest = std::max(args.send_bytes, args.recv_bytes);
    // In Gather and the like the root, in Alltoall and the like every rank holds a part for each.
    if (largest > kMostMessage || largest * members > (std::uint64_t{1} << 40U))
      return refuse(fmt::format("{} of {} bytes per rank on {} ranks is too large", name_of(args.kind),
                                largest, members));
    const bool waits = o.kind == OpKind::collective;
    if (!waits && !has_nonblocking_form(args.kind))
      return refuse(fmt::format("{} is not supported with real MPI", name(o)));
    auto& call = add(waits ? Call::Kind::collective : Call::Kind::collective_start);
    if (!waits) call.slot = o.request;
    call.communicator = args.communicator;
    call.first = static_cast<std::uint32_t>(list_.collectives.size());
    list_.collectives.push_back(args);
    list_.collective_bytes = std::max(list_.collective_bytes, largest * members);
    return {};
  }

  Expected<void> repeat(const Operation& o) {
    const auto target = at_ - static_cast<std::uint64_t>(o.amount);
    ++at_;
    auto& call = add(Call::Kind::repeat);
    const auto here = static_cast<std::uint32_t>(list_.calls.size() - 1);
    call.count = here - call_of_[target - begin_];
    call.bytes = o.request;
    call.tag = program_.channels()[o.detail].tag;
    return {};
  }

  // The Barrier, or agreed time, that a sample's first mark follows.
  void mark_starts() {
    for (std::size_t i = 1; i < list_.calls.size(); ++i) {
      const auto& mark = list_.calls[i];
      auto& before = list_.calls[i - 1];
      if (mark.kind != Call::Kind::mark || mark.first != kSampleBegins ||
          before.kind != Call::Kind::collective)
        continue;
      const auto kind = list_.collectives[before.first].kind;
      before.starts_a_sample = kind == CollectiveKind::barrier || kind == CollectiveKind::init;
    }
  }

  const Program& program_;
  std::uint32_t rank_;
  std::uint64_t at_ = 0, begin_ = 0, end_ = 0;
  std::vector<std::uint32_t> call_of_;  // by operation of the strand
  CallList list_;
};

}  // namespace

Expected<CallList> call_list(const Program& program, std::uint32_t rank) {
  return Translator(program, rank).translate();
}

}  // namespace busline::mpi
