#include "workloads/dim/record_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workloads/dim/record_codes.hpp"

namespace busline::dim {
namespace {

std::int64_t number_of(std::uint32_t communicator) {
  return std::int64_t{communicator} + 1;  // 0 is none
}

}  // namespace

void RecordWriter::enter(const Strand& strand, std::uint32_t thread) {
  strand_ = strand;
  task_ = strand.rank;
  thread_ = thread;
  began_ = false;
  requests_.assign(program_.request_slots(strand.rank), {});
  receives_.clear();
  collectives_.clear();
  counter_.enter_strand();
}

bool RecordWriter::write(std::uint64_t at) {
  const auto& op = program_.operations()[at];
  at_ = at;
  if (at == strand_.begin && op.kind != OpKind::compute && !is(op, CollectiveKind::init))
    ++left_out_.late_starts;
  switch (op.kind) {
    case OpKind::compute:
      return compute(op);
    case OpKind::noop:
      text_.line({record::kNoop, task_, thread_});
      return true;
    case OpKind::event:
      return event(op);
    case OpKind::send:
    case OpKind::isend:
      return send(op);
    case OpKind::wait_send:
      return wait_send(op);
    case OpKind::recv:
    case OpKind::irecv:
    case OpKind::wait_recv:
      return receive(op);
    case OpKind::probe:
      return refuse("a Dimemas trace has no record for a probe");
    case OpKind::put:
    case OpKind::get:
      return refuse("a Dimemas trace has no record for a one-sided transfer");
    case OpKind::mark:
    case OpKind::local:
      ++left_out_.measuring;
      return true;
    case OpKind::start:
    case OpKind::again:
      return refuse("a Dimemas trace holds one job, which begins at once and ends");
    case OpKind::repeat:
    case OpKind::part_send:
    case OpKind::part_receive:
      return refuse("a Dimemas trace has no record for work that depends on which message arrives first");
    case OpKind::collective:
    case OpKind::collective_start:
    case OpKind::collective_wait:
      return collective(op);
  }
  return true;
}

bool RecordWriter::refuse(std::string message) {
  const auto& op = program_.operations()[at_];
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = fmt::format("rank {}", task_);
  if (thread_ > 0) e.where += fmt::format(", thread {}", thread_);
  if (op.kind != OpKind::compute && op.kind != OpKind::event)
    e.where +=
        fmt::format(", call {} ({})", program_.call_number(strand_, at_), program_.call_names()[op.call]);
  e.message = std::move(message);
  e.hint = "a Program file can hold it: choose a name that ends in .program";
  error_ = std::move(e);
  return false;
}

bool RecordWriter::is(const Operation& op, CollectiveKind kind) const {
  return op.kind == OpKind::collective && program_.collectives()[op.detail].kind == kind;
}

/// Takes no time on any platform.
bool RecordWriter::idle(const Operation& op) const {
  return op.kind == OpKind::noop || op.kind == OpKind::event ||
         (op.kind == OpKind::compute && op.amount == 0);
}

bool RecordWriter::compute(const Operation& op) {
  if (op.amount / kSecond > kMostSeconds)
    return refuse(fmt::format("a computation of {} s is too long for a Dimemas trace", op.amount / kSecond));
  began_ = began_ || op.amount > 0;
  if ((op.flags & Operation::elapsed) != 0) ++left_out_.elapsed;
  text_.burst(task_, thread_, Duration::picoseconds(op.amount));
  return true;
}

bool RecordWriter::event(const Operation& op) {
  if (op.amount == std::numeric_limits<std::int64_t>::min())
    return refuse("the value of an event is too small for a Dimemas trace");
  text_.line({record::kEvent, task_, thread_, op.detail, op.amount});
  return true;
}

RecordWriter::Match RecordWriter::match(const Operation& op) const {
  if ((op.detail & kAnyChannel) == 0) {
    const auto& c = program_.channels()[op.detail];
    return {c.communicator, c.tag};
  }
  const auto& w = program_.wildcards()[op.detail & ~kAnyChannel];
  return {w.communicator, w.tag};
}

bool RecordWriter::has_tag(std::int32_t tag) {
  return tag >= 0 || refuse(fmt::format("the tag is {}, which a Dimemas trace cannot hold", tag));
}

// Sizes of more than 60 bits are not read.
bool RecordWriter::fits(std::uint64_t bytes) {
  return bytes <= static_cast<std::uint64_t>(kMostBytes) ||
         refuse(fmt::format("{} bytes are too many for a Dimemas trace", bytes));
}

bool RecordWriter::send(const Operation& op) {
  if ((op.flags & Operation::to_last_source) != 0)
    return refuse("a Dimemas trace has no record for an answer to the rank that asked");
  began_ = true;
  const bool synchronous = (op.flags & Operation::synchronous) != 0;
  if ((op.flags & Operation::buffered) != 0)
    return refuse("a Dimemas trace has no record for a buffered send");
  const auto m = match(op);
  if (!has_tag(m.tag) || !fits(static_cast<std::uint64_t>(op.amount))) return false;
  if (op.request != kNoRequest) requests_[op.request] = {true, synchronous, 0};
  using namespace send_mode;
  const auto mode = op.kind == OpKind::send ? (synchronous ? kRendezvous : kStandard)
                                            : (synchronous ? kImmediateRendezvous : kImmediate);
  text_.line(
      {record::kSend, task_, thread_, op.peer, kMessage, op.amount, m.tag, number_of(m.communicator), mode});
  return true;
}

/// A no-op record replaces the wait: it acts as a wait for a completed send.
bool RecordWriter::wait_send(const Operation& op) {
  const auto& request = requests_[op.request];
  if (!request.begun)
    return refuse("it waits for a send of another thread, and a Dimemas trace has no record for that");
  if (request.synchronous)
    return refuse("it waits for an MPI_Issend, and a Dimemas trace has no record for that");
  ++left_out_.send_waits;
  text_.line({record::kNoop, task_, thread_});
  return true;
}

bool RecordWriter::receive(const Operation& op) {
  began_ = true;
  const auto m = match(op);
  if ((m.tag != kAnyTag && !has_tag(m.tag)) || !fits(static_cast<std::uint64_t>(op.amount))) return false;
  const PendingRequests::Name name{op.peer, m.tag, m.communicator};
  auto mode = receive_mode::kRecv;
  if (op.kind == OpKind::irecv) {
    mode = receive_mode::kIrecv;
    receives_.add(name, op.request);
  } else if (op.kind == OpKind::wait_recv) {
    mode = receive_mode::kWait;
    if (receives_.take(name) != op.request)
      return refuse(
          "it waits for a receive other than the thread's oldest with this source, tag and communicator, "
          "and a Dimemas trace has no record for that");
  }
  const bool any = op.peer == kAnySource;
  if (mode != receive_mode::kWait && (any || m.tag == kAnyTag)) ++left_out_.open_receives;
  text_.line({record::kReceive, task_, thread_, any ? kAny : std::int64_t{op.peer}, kMessage, op.amount,
              m.tag == kAnyTag ? kAny : std::int64_t{m.tag}, number_of(m.communicator), mode});
  return true;
}

bool RecordWriter::collective(const Operation& op) {
  const auto& args = program_.collectives()[op.detail];
  if (args.kind == CollectiveKind::init || args.kind == CollectiveKind::finalize) return end_of_run(op);
  began_ = true;
  const PendingRequests::Name name{0, 0, args.communicator};
  using Sync = CollectiveArgs::Sync;
  if (op.kind == OpKind::collective_wait) {
    if (collectives_.take(name) != op.request)
      return refuse(
          "it waits for a collective other than the thread's oldest on this communicator, and a Dimemas "
          "trace has no record for that");
    return collective_record(args, requests_[op.request].root, synchronisation::kWait);
  }
  const auto root = root_of(args);
  if (op.kind == OpKind::collective_start) {
    requests_[op.request] = {true, false, root};
    collectives_.add(name, op.request);
  }
  return collective_record(args, root,
                           args.sync == Sync::nonblocking ? synchronisation::kStart
                           : args.sync == Sync::blocking  ? synchronisation::kBlocking
                                                          : synchronisation::kAtRoot);
}

/// MPI_Init and MPI_Finalize synchronise all ranks at no cost: nothing is lost where a rank has no work
/// before or after them. The trace then begins with a burst, as Dimemas requires.
bool RecordWriter::end_of_run(const Operation& op) {
  const auto after = program_.operations().subspan(at_ + 1, strand_.end - at_ - 1);
  if (is(op, CollectiveKind::init) && !began_) {
    text_.burst(task_, thread_, Duration());
  } else if (is(op, CollectiveKind::finalize) &&
             std::all_of(after.begin(), after.end(), [this](const Operation& o) { return idle(o); })) {
    text_.line({record::kNoop, task_, thread_});
  } else {
    return refuse("a Dimemas trace has no record for it, except where a rank's work begins or ends");
  }
  ++left_out_.ends;
  return true;
}

bool RecordWriter::collective_record(const CollectiveArgs& args, std::int64_t root,
                                     std::int64_t synchronisation) {
  if (!fits(args.send_bytes) || !fits(args.recv_bytes)) return false;
  const auto kind = written_as(args.kind);
  const bool again = synchronisation == synchronisation::kWait;
  if (kind != args.kind && !again) ++left_out_.replaced[static_cast<std::size_t>(args.kind)];
  if (args.block_list != 0 && !again) ++left_out_.block_lists;
  constexpr std::int64_t kRootThread = 0;
  text_.line({record::kCollective, task_, thread_, static_cast<std::int64_t>(kind),
              number_of(args.communicator), root, kRootThread, static_cast<std::int64_t>(args.send_bytes),
              static_cast<std::int64_t>(args.recv_bytes), synchronisation});
  return true;
}

/// The record's field for the root: 1 on the root, 0 elsewhere; for a Reduce, the root's task.
std::int64_t RecordWriter::root_of(const CollectiveArgs& args) {
  const auto key = counter_.next(args);
  if (args.kind != CollectiveKind::reduce) return args.is_root ? 1 : 0;
  if (args.sync == CollectiveArgs::Sync::root_synchronised) return args.root;
  if (args.is_root) return task_;
  if (const auto root = roots_.of(key); root && *root != task_) return *root;
  // No member is the root: any other member's number says so.
  for (const auto rank : program_.communicators()[args.communicator].members)
    if (rank != task_) return rank;
  return task_;
}

}  // namespace busline::dim
