#include "workloads/dumpi/from_program/rank_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "workloads/dumpi/format/blocking_form.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

constexpr std::uint8_t kMask = RecordPrefix::has_wall_time | RecordPrefix::has_thread;
constexpr std::int64_t kByte = 5, kSum = 3;  // datatype and reduction
constexpr std::int64_t kFirstRequest = 2;
constexpr std::uint64_t kFirstAnnotation = 4096;
constexpr std::uint64_t kMostCount = std::numeric_limits<std::int32_t>::max();
// Seconds are stored modulo 65536; readers take a step of more than half of that for a rollover.
constexpr std::int64_t kLongestCompute = 32'000 * kNanosecondsPerSecond * kPicosecondsPerNanosecond;

Stamps stamps_at(std::int64_t picoseconds) {
  const auto ns = (picoseconds + kPicosecondsPerNanosecond / 2) / kPicosecondsPerNanosecond;
  Stamps s;
  s.entry_seconds = s.exit_seconds = static_cast<std::uint16_t>(ns / kNanosecondsPerSecond % 65536);
  s.entry_nanoseconds = s.exit_nanoseconds = static_cast<std::uint32_t>(ns % kNanosecondsPerSecond);
  return s;
}

std::uint16_t send_function(const Operation& op) {
  const bool blocking = op.kind == OpKind::send;
  if ((op.flags & Operation::synchronous) != 0)
    return blocking ? function_id("MPI_Ssend") : function_id("MPI_Issend");
  if ((op.flags & Operation::buffered) != 0)
    return blocking ? function_id("MPI_Bsend") : function_id("MPI_Ibsend");
  return blocking ? function_id("MPI_Send") : function_id("MPI_Isend");
}

std::uint16_t nonblocking_form(std::uint16_t function) {
  for (std::uint16_t f = kFirstMpi3; f < kFunctions; ++f)
    if (blocking_form(f) == function && !is_persistent_collective(f) && f != function) return f;
  return function;
}

}  // namespace

RankRecords::RankRecords(const Program& program, std::uint32_t rank, const JobLayout& layout, TraceWriter& to,
                         Replaced& replaced)
    : program_(program),
      rank_(rank),
      layout_(layout),
      to_(to),
      replaced_(replaced),
      met_(program.communicators().size(), 0) {}

void RankRecords::begin_record(std::uint16_t function) {
  RecordPrefix prefix;
  prefix.function = function;
  prefix.mask = kMask;
  prefix.wall = stamps_at(now_);
  if (request_) {
    prefix.function = nonblocking_form(function);
    mark(function_id("Function_enter"), prefix.function);
  }
  record().begin(prefix);
}

void RankRecords::end_record(std::uint16_t function) {
  if (!request_) {
    to_.end_record();
    counts_.add_recorded(function);
    return;
  }
  record().number(*request_);
  to_.end_annotated_record(0);
  mark(function_id("Function_exit"), nonblocking_form(function));
  annotated_.insert(nonblocking_form(function));
}

// The begin or the end of a call that annotations hold.
void RankRecords::mark(std::uint16_t event, std::uint16_t function) {
  RecordPrefix prefix;
  prefix.function = event;
  prefix.mask = kMask;
  prefix.wall = stamps_at(now_);
  to_.record().begin(prefix);
  to_.record().number(static_cast<std::int64_t>(annotation_key(function)));
  to_.end_record();
}

std::uint64_t RankRecords::annotation_key(std::uint16_t function) {
  return kFirstAnnotation + function;
}

void RankRecords::call(std::uint16_t function, std::initializer_list<std::int64_t> numbers) {
  begin_record(function);
  for (const auto n : numbers) record().number(n);
  end_record(function);
}

void RankRecords::begin() {
  begin_record(function_id("MPI_Init"));
  record().texts(std::vector<std::string_view>{});
  end_record(function_id("MPI_Init"));
  for (const auto c : layout_.made()) {
    const bool member = layout_.holds(c, rank_);
    call(function_id("MPI_Comm_split"),
         {kCommWorld, member ? 0 : kUndefinedNumber, member ? layout_.place(c, rank_) : 0,
          member ? layout_.id(c) : kCommNull});
  }
}

void RankRecords::finalize() {
  call(function_id("MPI_Finalize"), {});
}

std::optional<std::string> RankRecords::put(const Operation& op) {
  switch (op.kind) {
    case OpKind::compute:
      if (op.amount > kLongestCompute)
        return "computes longer than the clock of a DUMPI trace can count (9 hours)";
      now_ = saturated_sum(now_, op.amount);
      return std::nullopt;
    case OpKind::noop:
      return std::nullopt;
    case OpKind::event:
      ++replaced_.events;
      return std::nullopt;
    case OpKind::send:
    case OpKind::isend:
      return put_send(op);
    case OpKind::recv:
    case OpKind::irecv:
    case OpKind::probe:
      return put_receive(op);
    case OpKind::wait_send:
    case OpKind::wait_recv:
    case OpKind::collective_wait: {
      begin_record(function_id("MPI_Wait"));
      record().number(kFirstRequest + op.request);
      record().absent();
      end_record(function_id("MPI_Wait"));
      return std::nullopt;
    }
    case OpKind::collective:
      return put_collective(program_.collectives()[op.detail]);
    case OpKind::collective_start: {
      request_ = kFirstRequest + op.request;
      auto wrong = put_collective(program_.collectives()[op.detail]);
      request_.reset();
      return wrong;
    }
    case OpKind::put:
    case OpKind::get:
      return "one-sided transfers are not written as DUMPI";
    case OpKind::start:
    case OpKind::again:
      return "a DUMPI trace holds one job, which begins at once and ends";
    case OpKind::mark:
    case OpKind::local:
    case OpKind::repeat:
    case OpKind::part_send:
    case OpKind::part_receive:
      return "DUMPI has no record for a benchmark's measuring operations";
  }
  return std::nullopt;
}

std::int64_t RankRecords::peer(std::uint32_t communicator, std::uint32_t rank) const {
  return rank == kAnySource ? -1 : static_cast<std::int64_t>(layout_.place(communicator, rank));
}

std::optional<std::string> RankRecords::put_send(const Operation& op) {
  const auto& channel = program_.channels()[op.detail];
  if (static_cast<std::uint64_t>(op.amount) > kMostCount)
    return "a message of 2 GiB or more has no count in DUMPI";
  if ((op.flags & Operation::to_last_source) != 0)
    return "an answer to the rank that asked has no destination in DUMPI";
  const auto function = send_function(op);
  begin_record(function);
  for (const auto n : {op.amount, kByte, peer(channel.communicator, op.peer), std::int64_t{channel.tag},
                       layout_.id(channel.communicator)})
    record().number(n);
  // A request without a wait has a unique number.
  if (op.kind == OpKind::isend)
    record().number(kFirstRequest + (op.request == kNoRequest ? program_.request_slots(rank_) : op.request));
  end_record(function);
  return std::nullopt;
}

std::optional<std::string> RankRecords::put_receive(const Operation& op) {
  const bool open = (op.detail & kAnyChannel) != 0;
  const auto communicator = open ? program_.wildcards()[op.detail & ~kAnyChannel].communicator
                                 : program_.channels()[op.detail].communicator;
  const std::int64_t tag =
      open ? program_.wildcards()[op.detail & ~kAnyChannel].tag : program_.channels()[op.detail].tag;
  const auto function = op.kind == OpKind::recv    ? function_id("MPI_Recv")
                        : op.kind == OpKind::irecv ? function_id("MPI_Irecv")
                                                   : function_id("MPI_Probe");
  if (static_cast<std::uint64_t>(op.amount) > kMostCount)
    return "a message of 2 GiB or more has no count in DUMPI";
  begin_record(function);
  if (op.kind != OpKind::probe) {
    record().number(op.amount);
    record().number(kByte);
  }
  record().number(peer(communicator, op.peer));
  record().number(tag);
  record().number(layout_.id(communicator));
  if (op.kind == OpKind::irecv)
    record().number(kFirstRequest + op.request);
  else
    record().absent();
  end_record(function);
  return std::nullopt;
}

std::optional<std::string> RankRecords::put_collective(const CollectiveArgs& args) {
  using enum CollectiveKind;
  if (args.kind == init || args.kind == CollectiveKind::finalize) return std::nullopt;  // written separately
  const auto c = layout_.id(args.communicator);
  const auto n = met_[args.communicator]++;
  const auto root = layout_.root(args.communicator, n);
  const auto larger = std::max(args.send_bytes, args.recv_bytes);
  const auto blocks =
      args.block_list == 0 ? std::span<const std::uint64_t>() : program_.block_lists().list(args.block_list);
  if (larger > kMostCount || std::ranges::any_of(blocks, [](std::uint64_t b) { return b > kMostCount; }))
    return "a collective of 2 GiB or more has no count in DUMPI";
  const auto size = static_cast<std::int64_t>(larger);
  const auto sent = static_cast<std::int64_t>(args.send_bytes);
  const auto received = static_cast<std::int64_t>(args.recv_bytes);
  const bool two_sizes = args.kind == allgather || args.kind == alltoall || args.kind == alltoallv ||
                         args.kind == alltoallw || args.kind == reduce_scatter ||
                         args.kind == reduce_scatter_block;
  if (!two_sizes && sent != received) ++replaced_.sizes;
  switch (args.kind) {
    case barrier:
      call(function_id("MPI_Barrier"), {c});
      break;
    case bcast:
      call(function_id("MPI_Bcast"), {size, kByte, root, c});
      break;
    case reduce:
      call(function_id("MPI_Reduce"), {size, kByte, kSum, root, c});
      break;
    case allreduce:
      call(function_id("MPI_Allreduce"), {size, kByte, kSum, c});
      break;
    case scan:
      call(function_id("MPI_Scan"), {size, kByte, kSum, c});
      break;
    case exscan:
      call(function_id("MPI_Exscan"), {size, kByte, kSum, c});
      break;
    case allgather:
      call(function_id("MPI_Allgather"), {sent, kByte, received, kByte, c});
      break;
    case alltoall:
      call(function_id("MPI_Alltoall"), {sent, kByte, received, kByte, c});
      break;
    case gather:
    case gatherv:
    case scatter:
    case scatterv:
      put_by_root(args, root);
      break;
    case allgatherv:
    case alltoallv:
    case alltoallw:
    case reduce_scatter:
    case reduce_scatter_block:
      put_lists(args);
      break;
    default:
      ++replaced_.collectives;
      call(function_id("MPI_Barrier"), {c});
  }
  return std::nullopt;
}

// Some arguments exist only at the root.
void RankRecords::put_by_root(const CollectiveArgs& args, std::uint32_t root) {
  using enum CollectiveKind;
  const auto c = layout_.id(args.communicator);
  const std::int64_t place = layout_.place(args.communicator, rank_), ranks = layout_.size(args.communicator);
  const auto size = static_cast<std::int64_t>(std::max(args.send_bytes, args.recv_bytes));
  const bool is_root = place == std::int64_t{root};
  auto& to = record();
  const auto counts =
      is_root ? block_counts(args, static_cast<std::size_t>(ranks), size) : std::vector<std::int64_t>();
  const std::vector<std::int64_t> displacements(counts.size(), 0);
  const auto numbers = [&](std::initializer_list<std::int64_t> all) {
    for (const auto n : all) to.number(n);
  };
  const auto at_root = [&](const auto& write) {
    if (is_root) return write();
    to.absent();
    to.absent();
  };
  const auto lists = [&] {
    to.numbers(counts);
    to.numbers(displacements);
  };
  const auto single = [&] { numbers({size, kByte}); };
  const auto function = args.kind == gather    ? function_id("MPI_Gather")
                        : args.kind == gatherv ? function_id("MPI_Gatherv")
                        : args.kind == scatter ? function_id("MPI_Scatter")
                                               : function_id("MPI_Scatterv");
  begin_record(function);
  if (args.kind == gather || args.kind == scatter) {
    numbers({place, size, kByte, root, c});
    at_root(single);
  } else if (args.kind == gatherv) {
    numbers({place, ranks, size, kByte, root, c});
    at_root(lists);
    to.number(is_root ? kByte : 0);
  } else {
    numbers({place, ranks, kByte, size, kByte, root, c});
    at_root(lists);
  }
  end_record(function);
}

/// A count for each member: as the block list has it, or the same for all.
std::vector<std::int64_t> RankRecords::block_counts(const CollectiveArgs& args, std::size_t members,
                                                    std::int64_t otherwise) const {
  if (args.block_list == 0) return std::vector<std::int64_t>(members, otherwise);
  const auto list = program_.block_lists().list(args.block_list);
  return {list.begin(), list.end()};
}

// What an Alltoallv's ranks receive from each is known of the senders: the mean of it stands for all.
void RankRecords::put_lists(const CollectiveArgs& args) {
  using enum CollectiveKind;
  const auto c = layout_.id(args.communicator);
  const std::size_t n = layout_.size(args.communicator);
  const auto ranks = static_cast<std::int64_t>(n);
  const auto sent = static_cast<std::int64_t>(args.send_bytes);
  const auto received = static_cast<std::int64_t>(args.recv_bytes);
  const std::vector<std::int64_t> zeros(n, 0), types(n, kByte);
  auto& to = record();
  if (args.kind == allgatherv) {
    const auto size = std::max(sent, received);
    begin_record(function_id("MPI_Allgatherv"));
    for (const auto v : {ranks, size, kByte}) to.number(v);
    to.numbers(block_counts(args, n, size));
    to.numbers(zeros);
    to.number(kByte);
    to.number(c);
    return end_record(function_id("MPI_Allgatherv"));
  }
  if (args.kind == alltoallv || args.kind == alltoallw) {
    const bool typed = args.kind == alltoallw;
    const auto function = typed ? function_id("MPI_Alltoallw") : function_id("MPI_Alltoallv");
    begin_record(function);
    to.number(ranks);
    const std::vector<std::int64_t> in(n, received);
    for (const auto& counts : {block_counts(args, n, sent), in}) {
      to.numbers(counts);
      to.numbers(zeros);
      if (typed)
        to.numbers(types);
      else
        to.number(kByte);
    }
    to.number(c);
    return end_record(function);
  }
  // The vector is sent, and part of it is received.
  auto parts = block_counts(args, n, sent / ranks);
  if (args.block_list == 0)
    for (std::size_t i = 0; i < static_cast<std::size_t>(sent % ranks); ++i) ++parts[i];
  if ((sent + ranks / 2) / ranks != received) ++replaced_.sizes;
  begin_record(function_id("MPI_Reduce_scatter"));
  to.number(ranks);
  to.numbers(parts);
  for (const auto v : {kByte, kSum, c}) to.number(v);
  end_record(function_id("MPI_Reduce_scatter"));
}

}  // namespace busline::dumpi
