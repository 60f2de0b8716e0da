#include <fmt/format.h>

#include "workloads/dim/dim_reader.hpp"
#include "workloads/dim/record_codes.hpp"
#include "workloads/dim/scan.hpp"

namespace busline::dim {

Calls::Calls(ProgramBuilder& b)
    : send(b.call_name("MPI_Send")),
      ssend(b.call_name("MPI_Ssend")),
      isend(b.call_name("MPI_Isend")),
      issend(b.call_name("MPI_Issend")),
      recv(b.call_name("MPI_Recv")),
      irecv(b.call_name("MPI_Irecv")),
      wait(b.call_name("MPI_Wait")) {
  for (std::size_t i = 0; i < collective.size(); ++i) {
    const auto kind = static_cast<CollectiveKind>(i);
    collective[i] = b.call_name(name_of(kind));
    icollective[i] = b.call_name(nonblocking_name(kind));
  }
}

// ---- records

bool DimReader::burst(const char* seconds) {
  Duration d;
  const char* after = scan_seconds(seconds, d);
  if (after != nullptr && *after == '\r') ++after;
  if (after == nullptr || *after != '\n') return bad(3, "seconds: 0 or more, below 106 days");
  if (!enter_thread()) return false;
  builder_.compute(d);
  begin_ = after + 1;
  return true;
}

bool DimReader::envelope(bool receiving, Envelope& e) {
  constexpr std::size_t kPeer = 3, kPeerThread = 4;
  constexpr std::int64_t kMostTag = 0x7fff'ffff;
  const std::size_t tag_field = fields_ - 3, communicator_field = fields_ - 2;
  const auto peer = field_[kPeer], tag = field_[tag_field];
  if (peer >= 0 && peer < builder_.ranks())
    e.peer = static_cast<std::uint32_t>(peer);
  else if (receiving && peer == -1)
    e.peer = kAnySource;
  else
    return bad(kPeer,
               fmt::format("a task, 0 to {}{}", builder_.ranks() - 1, receiving ? ", or -1 (any)" : ""));
  if (fields_ == 9 && field_[kPeerThread] >= 0)
    return fail(kPeerThread,
                fmt::format("a dependency on thread {}; only messages are simulated, which have -1 here",
                            field_[kPeerThread]),
                {}, Error::Kind::unsupported);
  if (tag >= 0 && tag <= kMostTag)
    e.tag = static_cast<std::int32_t>(tag);
  else if (receiving && tag == -1)
    e.tag = kAnyTag;
  else
    return bad(tag_field, fmt::format("a tag, 0 to {}{}", kMostTag, receiving ? ", or -1 (any)" : ""));
  const auto& communicator = communicators_.get(field_[communicator_field]);
  e.communicator = communicator.id;
  if (!communicator.defined && !warned_of_communicator_) {
    warned_of_communicator_ = true;
    warn("undefined-communicator", fmt::format("messages use communicator {}, which is not defined (others "
                                               "may follow); they still match one another",
                                               field_[communicator_field]));
  }
  return true;
}

bool DimReader::size(std::size_t field, std::uint64_t& bytes) {
  if (field_[field] < 0 || field_[field] > kMostBytes)
    return bad(field, fmt::format("bytes, 0 to {}", kMostBytes));
  bytes = static_cast<std::uint64_t>(field_[field]);
  return true;
}

bool DimReader::send() {
  using namespace send_mode;
  Envelope to;
  std::uint64_t bytes = 0;
  if (!envelope(false, to) || !size(fields_ - 4, bytes)) return false;
  switch (field_[fields_ - 1]) {
    case kStandard:
      builder_.begin_call(calls_.send);
      builder_.send(to, Bytes{bytes});
      return true;
    case kRendezvous:
      builder_.begin_call(calls_.ssend);
      builder_.send(to, Bytes{bytes}, SendMode::synchronous);
      return true;
    case kImmediate:
      builder_.begin_call(calls_.isend);
      builder_.isend_and_forget(to, Bytes{bytes});
      return true;
    case kImmediateRendezvous:
      builder_.begin_call(calls_.issend);
      builder_.isend_and_forget(to, Bytes{bytes}, SendMode::synchronous);
      return true;
    default:
      return bad(fields_ - 1, "0 (Send), 1 (rendezvous), 2 (Isend) or 3 (immediate rendezvous)");
  }
}

bool DimReader::receive() {
  using namespace receive_mode;
  Envelope from;
  std::uint64_t bytes = 0;
  if (!envelope(true, from) || !size(fields_ - 4, bytes)) return false;
  const PendingRequests::Name name{from.peer, from.tag, from.communicator};
  switch (field_[fields_ - 1]) {
    case kRecv:
      builder_.begin_call(calls_.recv);
      builder_.recv(from, Bytes{bytes});
      return true;
    case kIrecv:
      builder_.begin_call(calls_.irecv);
      receives_.add(name, builder_.irecv(from, Bytes{bytes}));
      return true;
    case kWait:
      builder_.begin_call(calls_.wait);
      // In Dimemas a wait without an Irecv still takes a message; it does here too.
      if (const auto slot = receives_.take(name))
        builder_.wait(*slot);
      else
        builder_.recv(from, Bytes{bytes});
      return true;
    case kWaitall:
      return fail(fields_ - 1, "mode 3 (Waitall) is not simulated", {}, Error::Kind::unsupported);
    default:
      return bad(fields_ - 1, "0 (Recv), 1 (Irecv) or 2 (Wait)");
  }
}

// Fields of record 10.
enum : std::size_t { kOperation = 3, kCommunicator, kRoot, kRootThread, kSendSize, kReceiveSize, kSync };

bool DimReader::collective() {
  const auto operation = field_[kOperation];
  if (operation < 0 || operation >= 2 * kCollectiveIds)
    return bad(kOperation, fmt::format("0 to {}", 2 * kCollectiveIds - 1));
  if (field_[kCommunicator] <= 0) return true;  // a pseudo-operation, which Dimemas also skips
  const auto& communicator = communicators_.get(field_[kCommunicator]);
  if (!communicator.defined) return bad(kCommunicator, "a communicator that a line d:1:... defines");
  if (!communicator.has(task_)) return bad(kCommunicator, fmt::format("a communicator with task {}", task_));

  CollectiveArgs args;
  const auto id = static_cast<std::size_t>(operation % kCollectiveIds);
  const bool immediate = operation >= kCollectiveIds;
  const auto sync = fields_ > kSync ? field_[kSync] : synchronisation::kBlocking;
  args.kind = static_cast<CollectiveKind>(id);
  args.communicator = communicator.id;
  if (!root(communicator, args, sync, immediate) || !size(kSendSize, args.send_bytes) ||
      !size(kReceiveSize, args.recv_bytes))
    return false;
  if (immediate && sync != synchronisation::kStart && sync != synchronisation::kWait)
    return fields_ > kSync
               ? bad(kSync, "0 (start) or 2 (wait), since operations 16 to 31 are the non-blocking ones")
               : wrong_number_of_fields();
  switch (sync) {
    case synchronisation::kStart:
    case synchronisation::kWait:
      args.sync = CollectiveArgs::Sync::nonblocking;
      return nonblocking_collective(args, calls_.icollective[id], sync);
    case synchronisation::kAtRoot:
      if (args.kind != CollectiveKind::reduce) return bad(kSync, "0, 1 or 2: 3 is for operation 10 (Reduce)");
      args.sync = CollectiveArgs::Sync::root_synchronised;
      break;
    case synchronisation::kBlocking:
      break;
    default:
      return bad(kSync, "0 (start), 1 (blocking), 2 (wait) or 3 (Reduce synchronised at its root)");
  }
  builder_.begin_call(calls_.collective[id]);
  builder_.collective(args);
  return true;
}

// Operations mark their root with 1; Reduce names the root's task.
bool DimReader::root(const Communicators::Entry& communicator, CollectiveArgs& args, std::int64_t sync,
                     bool immediate) {
  const auto root = field_[kRoot];
  if (args.kind != CollectiveKind::reduce || immediate) {
    if (root != 0 && root != 1) return bad(kRoot, "1 on the root, 0 on others");
    args.is_root = root == 1;
    return true;
  }
  if (root < 0 || root >= builder_.ranks() || !communicator.has(static_cast<std::uint32_t>(root)))
    return bad(kRoot, "the root's task, since this is a Reduce: a member of the communicator");
  args.is_root = root == task_;
  if (sync == synchronisation::kAtRoot) args.root = static_cast<std::uint32_t>(root);
  return true;
}

bool DimReader::nonblocking_collective(const CollectiveArgs& args, std::uint16_t call, std::int64_t sync) {
  const PendingRequests::Name name{0, 0, args.communicator};
  if (sync == synchronisation::kStart) {
    builder_.begin_call(call);
    collectives_.add(name, builder_.collective_start(args));
    return true;
  }
  const auto slot = collectives_.take(name);
  if (!slot)
    return fail(kCommunicator, "a wait on a communicator that has no started collective to wait for");
  builder_.begin_call(calls_.wait);
  builder_.wait(*slot);
  return true;
}

bool DimReader::event() {
  constexpr std::int64_t kMostType = 0xffff'ffff;
  if (field_[3] < 0 || field_[3] > kMostType) return bad(3, fmt::format("0 to {}", kMostType));
  builder_.event(static_cast<std::uint32_t>(field_[3]), field_[4]);
  return true;
}

}  // namespace busline::dim
