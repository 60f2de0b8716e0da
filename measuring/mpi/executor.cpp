#include "measuring/mpi/executor.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "measuring/testbed/testbed.hpp"

namespace busline::mpi {
namespace {

// What a reduction's bytes are made of. Programs reduce numbers, and libraries choose an algorithm by their
// count, too: Open MPI 4.1 reduces 8 x MPI_BYTE in a ring, but one MPI_DOUBLE by recursive doubling.
struct Elements {
  MPI_Datatype type;
  MPI_Op op;
  int size;
};
Elements elements_of(int bytes) {
  constexpr int kDouble = sizeof(double);
  static_assert(kDouble == measure::kReducedElement);
  if (bytes % kDouble == 0) return {MPI_DOUBLE, MPI_SUM, kDouble};
  return {MPI_BYTE, MPI_BOR, 1};
}

int as_int(std::uint64_t n) {
  return static_cast<int>(n);  // call_list() has checked that it fits
}

}  // namespace

std::uint64_t fixed_work(std::uint64_t nanoseconds, std::uint64_t seed) {
  for (std::uint64_t i = 0; i < nanoseconds; ++i)
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return seed;
}

Executor::Executor(MPI_Comm job) : job_(job) {
  MPI_Comm_rank(job_, &rank_);
}

Executor::~Executor() {
  free_communicators();
}

void Executor::free_communicators() {
  for (std::size_t i = 1; i < communicators_.size(); ++i)
    if (communicators_[i] != MPI_COMM_NULL) MPI_Comm_free(&communicators_[i]);
  communicators_.clear();
  members_.clear();
}

// Those of the last Program are kept: all ranks see the same Programs in the same order, so they agree.
void Executor::make_communicators(const Program& program) {
  const auto wanted = program.communicators();
  const bool same =
      wanted.size() == members_.size() &&
      std::equal(wanted.begin(), wanted.end(), members_.begin(),
                 [](const Communicator& c, const auto& members) { return c.members == members; });
  if (same) return;
  free_communicators();
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(job_, &all);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& members = wanted[i].members;
    members_.push_back(members);
    communicators_.push_back(i == 0 ? job_ : MPI_COMM_NULL);
    if (i == 0 ||
        std::find(members.begin(), members.end(), static_cast<std::uint32_t>(rank_)) == members.end())
      continue;
    const std::vector<int> ranks(members.begin(), members.end());
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group_incl(all, as_int(ranks.size()), ranks.data(), &group);
    MPI_Comm_create_group(job_, group, static_cast<int>(i), &communicators_.back());
    MPI_Group_free(&group);
  }
  MPI_Group_free(&all);
}

Expected<void> Executor::prepare(const CallList& list, const KernelBuffers& buffers) {
  const auto room = [](std::vector<std::byte>& buffer, std::uint64_t bytes) {
    if (buffer.size() < bytes) buffer.assign(bytes, std::byte{1});
  };
  std::size_t received = list.message_bytes;
  slot_offset_.clear();
  for (const auto bytes : list.slot_bytes) {
    slot_offset_.push_back(received);
    received += bytes;
  }
  if (auto ok = out_.prepare(std::max(list.message_bytes, list.collective_bytes), buffers); !ok) return ok;
  if (auto ok = in_.prepare(std::max<std::uint64_t>(received, list.collective_bytes), buffers); !ok)
    return ok;
  room(copy_, 2 * list.copied_bytes);
  room(attached_, list.buffered_bytes + std::uint64_t{list.buffered_sends} * MPI_BSEND_OVERHEAD);
  requests_.assign(list.slot_bytes.size(), MPI_REQUEST_NULL);
  marks_.clear();
  marks_.reserve(list.calls.size());
  return {};
}

std::vector<MarkTime> Executor::run(const Program& program, const CallList& list, const Start& start) {
  make_communicators(program);
  const bool buffered = list.buffered_sends > 0;
  if (buffered) MPI_Buffer_attach(attached_.data(), as_int(attached_.size()));
  execute(list, start);
  MPI_Waitall(as_int(unwaited_.size()), unwaited_.data(), MPI_STATUSES_IGNORE);
  unwaited_.clear();
  if (buffered) {
    void* buffer = nullptr;
    int size = 0;
    MPI_Buffer_detach(&buffer, &size);
  }
  return std::move(marks_);
}

void Executor::note(const Call& call, const MPI_Status& status) {
  if (call.peer != kAny && call.tag != kAny) return;
  last_source_ = status.MPI_SOURCE;
  last_tag_ = status.MPI_TAG;
}

void Executor::execute(const CallList& list, const Start& start) {
  std::uint64_t repeats = 0;
  for (std::size_t i = 0; i < list.calls.size(); ++i) {
    const Call& c = list.calls[i];
    const auto communicator = c.communicator < communicators_.size() ? communicators_[c.communicator] : job_;
    const int peer = c.peer == kAny ? MPI_ANY_SOURCE : c.peer, tag = c.tag == kAny ? MPI_ANY_TAG : c.tag;
    const int bytes = as_int(c.bytes);
    MPI_Status status;
    switch (c.kind) {
      case Call::Kind::send:
        if (c.mode == SendMode::synchronous)
          MPI_Ssend(out_.next(), bytes, MPI_BYTE, peer, tag, communicator);
        else if (c.mode == SendMode::buffered)
          MPI_Bsend(out_.next(), bytes, MPI_BYTE, peer, tag, communicator);
        else
          MPI_Send(out_.next(), bytes, MPI_BYTE, peer, tag, communicator);
        break;
      case Call::Kind::isend:
        MPI_Isend(out_.next(), bytes, MPI_BYTE, peer, tag, communicator, &requests_[c.slot]);
        break;
      case Call::Kind::recv:
        MPI_Recv(in_.next(), bytes, MPI_BYTE, peer, tag, communicator, &status);
        note(c, status);
        break;
      case Call::Kind::irecv:
        MPI_Irecv(in_.next() + slot_offset_[c.slot], bytes, MPI_BYTE, peer, tag, communicator,
                  &requests_[c.slot]);
        break;
      case Call::Kind::wait:
        MPI_Wait(&requests_[c.slot], MPI_STATUS_IGNORE);
        break;
      case Call::Kind::wait_all:
        batch_.clear();
        for (std::uint32_t k = 0; k < c.count; ++k) batch_.push_back(requests_[list.waited[c.first + k]]);
        MPI_Waitall(as_int(batch_.size()), batch_.data(), MPI_STATUSES_IGNORE);
        break;
      case Call::Kind::sendrecv:
        if (c.replace)
          MPI_Sendrecv_replace(in_.next(), bytes, MPI_BYTE, peer, tag, c.other, tag, communicator, &status);
        else
          MPI_Sendrecv(out_.next(), bytes, MPI_BYTE, peer, tag, in_.next(), bytes, MPI_BYTE, c.other, tag,
                       communicator, &status);
        break;
      case Call::Kind::iprobe:
        for (int there = 0; there == 0;) MPI_Iprobe(peer, tag, communicator, &there, &status);
        break;
      case Call::Kind::collective:
        if (c.starts_a_sample && start)
          start(communicator);
        else
          collective(list.collectives[c.first], communicator);
        break;
      case Call::Kind::collective_start:
        start_collective(list.collectives[c.first], communicator, requests_[c.slot]);
        break;
      case Call::Kind::mark:
        marks_.push_back({c.first, MPI_Wtime()});
        break;
      case Call::Kind::work:
        sink_ = fixed_work(c.bytes, sink_);
        break;
      case Call::Kind::local:
        local(c);
        break;
      case Call::Kind::answer:
        if (!c.waits) {
          unwaited_.push_back(MPI_REQUEST_NULL);
          MPI_Isend(out_.next(), bytes, MPI_BYTE, last_source_, tag, communicator, &unwaited_.back());
        } else if (c.mode == SendMode::synchronous) {
          MPI_Ssend(out_.next(), bytes, MPI_BYTE, last_source_, tag, communicator);
        } else if (c.mode == SendMode::buffered) {
          MPI_Bsend(out_.next(), bytes, MPI_BYTE, last_source_, tag, communicator);
        } else {
          MPI_Send(out_.next(), bytes, MPI_BYTE, last_source_, tag, communicator);
        }
        break;
      case Call::Kind::repeat:
        if (last_tag_ == c.tag || repeats == c.bytes) {
          repeats = 0;
        } else {
          ++repeats;
          i -= c.count + 1;  // the loop goes on to the first of them
        }
        break;
    }
  }
}

void Executor::local(const Call& call) {
  int number = 0;
  MPI_Status status;
  switch (static_cast<LocalCall>(call.first)) {
    case LocalCall::wtime:
      sink_ = sink_ + static_cast<std::uint64_t>(MPI_Wtime());
      break;
    case LocalCall::comm_rank:
      MPI_Comm_rank(job_, &number);
      break;
    case LocalCall::comm_size:
      MPI_Comm_size(job_, &number);
      break;
    case LocalCall::iprobe:
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, job_, &number, &status);
      break;
    case LocalCall::buffer_attach: {
      void* buffer = nullptr;
      MPI_Buffer_attach(in_.memory().data(), as_int(std::min<std::size_t>(in_.memory().size(), 1U << 30U)));
      MPI_Buffer_detach(&buffer, &number);
      break;
    }
    case LocalCall::memory_copy:
      if (call.bytes > 0) std::memcpy(copy_.data(), copy_.data() + call.bytes, call.bytes);
      break;
  }
}

void Executor::start_collective(const CollectiveArgs& args, MPI_Comm communicator, MPI_Request& request) {
  using enum CollectiveKind;
  constexpr int kRoot = 0;
  const int sent = as_int(args.send_bytes), received = as_int(args.recv_bytes);
  const auto numbers = elements_of(sent);
  void* const out = out_.next();
  void* const in = in_.next();
  switch (args.kind) {
    case barrier:
      MPI_Ibarrier(communicator, &request);
      break;
    case bcast:
      MPI_Ibcast(out, sent, MPI_BYTE, kRoot, communicator, &request);
      break;
    case allreduce:
      MPI_Iallreduce(out, in, sent / numbers.size, numbers.type, numbers.op, communicator, &request);
      break;
    case alltoall:
      MPI_Ialltoall(out, sent, MPI_BYTE, in, received, MPI_BYTE, communicator, &request);
      break;
    default:
      break;  // call_list() refuses the others
  }
}

void Executor::collective(const CollectiveArgs& args, MPI_Comm communicator) {
  using enum CollectiveKind;
  constexpr int kRoot = 0;
  int n = 0;
  MPI_Comm_size(communicator, &n);
  const int sent = as_int(args.send_bytes), received = as_int(args.recv_bytes);
  const auto numbers = elements_of(args.kind == reduce_scatter ? received : sent);
  void* const out = out_.next();
  void* const in = in_.next();
  // Equal parts one after the other.
  const auto parts = [&](int bytes) {
    counts_.assign(static_cast<std::size_t>(n), bytes);
    displacements_.resize(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < displacements_.size(); ++i) displacements_[i] = static_cast<int>(i) * bytes;
  };
  switch (args.kind) {
    case barrier:
    case init:  // all meet; of a sample's start see MpiTestbed
      MPI_Barrier(communicator);
      break;
    case bcast:
      MPI_Bcast(out, sent, MPI_BYTE, kRoot, communicator);
      break;
    case gather:
      MPI_Gather(out, sent, MPI_BYTE, in, received, MPI_BYTE, kRoot, communicator);
      break;
    case gatherv:
      parts(received);
      MPI_Gatherv(out, sent, MPI_BYTE, in, counts_.data(), displacements_.data(), MPI_BYTE, kRoot,
                  communicator);
      break;
    case scatter:
      MPI_Scatter(out, sent, MPI_BYTE, in, received, MPI_BYTE, kRoot, communicator);
      break;
    case scatterv:
      parts(sent);
      MPI_Scatterv(out, counts_.data(), displacements_.data(), MPI_BYTE, in, received, MPI_BYTE, kRoot,
                   communicator);
      break;
    case allgather:
      MPI_Allgather(out, sent, MPI_BYTE, in, received, MPI_BYTE, communicator);
      break;
    case allgatherv:
      parts(received);
      MPI_Allgatherv(out, sent, MPI_BYTE, in, counts_.data(), displacements_.data(), MPI_BYTE, communicator);
      break;
    case alltoall:
      MPI_Alltoall(out, sent, MPI_BYTE, in, received, MPI_BYTE, communicator);
      break;
    case alltoallv:
      parts(sent);
      MPI_Alltoallv(out, counts_.data(), displacements_.data(), MPI_BYTE, in, counts_.data(),
                    displacements_.data(), MPI_BYTE, communicator);
      break;
    case reduce:
      MPI_Reduce(out, in, sent / numbers.size, numbers.type, numbers.op, kRoot, communicator);
      break;
    case allreduce:
      MPI_Allreduce(out, in, sent / numbers.size, numbers.type, numbers.op, communicator);
      break;
    case reduce_scatter:
      parts(received / numbers.size);
      MPI_Reduce_scatter(out, in, counts_.data(), numbers.type, numbers.op, communicator);
      break;
    case scan:
      MPI_Scan(out, in, sent / numbers.size, numbers.type, numbers.op, communicator);
      break;
    case comm_split:
    case comm_dup:
    case cart_create: {
      constexpr int kRing = 1;
      MPI_Comm made = MPI_COMM_NULL;
      if (args.kind == comm_split) MPI_Comm_split(communicator, 0, rank_, &made);
      if (args.kind == comm_dup) MPI_Comm_dup(communicator, &made);
      if (args.kind == cart_create) MPI_Cart_create(communicator, 1, &n, &kRing, 0, &made);
      MPI_Comm_free(&made);
      break;
    }
    default:
      break;  // no kernel has them
  }
}

}  // namespace busline::mpi
