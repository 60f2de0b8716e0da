#include "workloads/kernels/rank_calls.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace busline {
namespace {

constexpr std::string_view send_name(SendMode mode) {
  switch (mode) {
    case SendMode::standard:
      return "MPI_Send";
    case SendMode::synchronous:
      return "MPI_Ssend";
    case SendMode::buffered:
      return "MPI_Bsend";
  }
  return {};
}

}  // namespace

void RankCalls::send(SendMode mode) {
  call(send_name(mode));
  b_.send(with_peer(), place_.size, mode);
}

void RankCalls::send_acknowledgement() {
  call("MPI_Send");
  b_.send(with_peer(), Bytes{0});
}

void RankCalls::recv() {
  call("MPI_Recv");
  b_.recv(with_peer(), place_.size);
}

void RankCalls::recv_any_tag() {
  call("MPI_Recv");
  b_.recv(with_peer(kAnyTag), place_.size);
}

void RankCalls::recv_acknowledgement() {
  call("MPI_Recv");
  b_.recv(with_peer(), Bytes{0});
}

void RankCalls::irecv_and_wait() {
  call("MPI_Irecv");
  const auto slot = b_.irecv(with_peer(), place_.size);
  call("MPI_Wait");
  b_.wait(slot);
}

void RankCalls::isend_and_wait(SendMode mode) {
  call(mode == SendMode::synchronous ? "MPI_Issend" : "MPI_Isend");
  const auto slot = b_.isend(with_peer(), place_.size, mode);
  call("MPI_Wait");
  b_.wait(slot);
}

void RankCalls::iprobe_and_recv() {
  call("MPI_Iprobe");
  b_.probe(with_peer());
  recv();
}

void RankCalls::sendrecv(bool replace) {
  call(replace ? "MPI_Sendrecv_replace" : "MPI_Sendrecv");
  const auto received = b_.irecv(with_peer(), place_.size);
  const auto sent = b_.isend(with_peer(), place_.size);
  b_.wait(sent);
  b_.wait(received);
}

void RankCalls::exchange() {
  wait_all(begin_exchange());
}

void RankCalls::exchange_and_say_so() {
  const auto slots = begin_exchange();
  ask();
  wait_all(slots);
}

std::array<std::uint32_t, 2> RankCalls::begin_exchange() {
  call("MPI_Irecv");
  const auto received = b_.irecv(with_peer(), place_.size);
  call("MPI_Isend");
  const auto sent = b_.isend(with_peer(), place_.size);
  return {received, sent};
}

void RankCalls::wait_all(std::span<const std::uint32_t> slots) {
  call("MPI_Waitall");
  for (const auto slot : slots) b_.wait(slot);
}

void RankCalls::isend_window() {
  std::vector<std::uint32_t> slots(place_.messages);
  for (auto& slot : slots) {
    call("MPI_Isend");
    slot = b_.isend(with_peer(), place_.size);
  }
  wait_all(slots);
}

void RankCalls::irecv_window() {
  std::vector<std::uint32_t> slots(place_.messages);
  for (auto& slot : slots) {
    call("MPI_Irecv");
    slot = b_.irecv(with_peer(), place_.size);
  }
  wait_all(slots);
}

void RankCalls::exchange_window() {
  std::vector<std::uint32_t> slots(2 * std::size_t{place_.messages});
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool receives = i < place_.messages;
    call(receives ? "MPI_Irecv" : "MPI_Isend");
    slots[i] = receives ? b_.irecv(with_peer(), place_.size) : b_.isend(with_peer(), place_.size);
  }
  wait_all(slots);
}

void RankCalls::recv_request(std::string_view name) {
  call(name);
  b_.recv(to(kAnySource, kRequestTag), Bytes{0});
}

void RankCalls::answer(SendMode mode) {
  call(send_name(mode));
  b_.send_to_last_source(to(0), place_.size, mode);
}

void RankCalls::answer_without_waiting() {
  call("MPI_Isend");
  b_.isend_to_last_source(to(0), place_.size);
}

void RankCalls::dismiss() {
  call("MPI_Send");
  b_.send_to_last_source(to(0, kStopTag), Bytes{0});
}

void RankCalls::ask() {
  call("MPI_Send");
  b_.send(with_peer(kRequestTag), Bytes{0});
}

void RankCalls::recv_piece_or_dismissal() {
  recv_any_tag();
}

void RankCalls::collective(CollectiveKind kind, std::uint64_t send_bytes, std::uint64_t recv_bytes) {
  call(name_of(kind));
  b_.collective({.kind = kind,
                 .is_root = has_root(kind) && is_root(),
                 .communicator = place_.communicator,
                 .send_bytes = send_bytes,
                 .recv_bytes = recv_bytes});
}

void RankCalls::overlap(CollectiveKind kind) {
  constexpr std::string_view kMpi = "MPI_";
  auto lower = std::string(name_of(kind).substr(kMpi.size()));
  lower.front() = static_cast<char>(lower.front() - 'A' + 'a');
  call("MPI_I" + lower);
  const auto slot = b_.collective_start({.kind = kind,
                                         .sync = CollectiveArgs::Sync::nonblocking,
                                         .is_root = has_root(kind) && is_root(),
                                         .communicator = place_.communicator,
                                         .send_bytes = bytes(),
                                         .recv_bytes = bytes()});
  work();
  call("MPI_Wait");
  b_.wait(slot);
}

void RankCalls::gather_by_messages(bool wait_for_all) {
  if (!is_root()) {
    if (wait_for_all) return isend_and_wait();
    return send();
  }
  std::vector<std::uint32_t> slots;
  for (const auto rank : place_.ranks.subspan(1)) {
    call(wait_for_all ? "MPI_Irecv" : "MPI_Recv");
    if (wait_for_all)
      slots.push_back(b_.irecv(to(rank), place_.size));
    else
      b_.recv(to(rank), place_.size);
  }
  if (wait_for_all) wait_all(slots);
}

void RankCalls::scatter_by_messages() {
  if (!is_root()) return recv();
  std::vector<std::uint32_t> slots;
  for (const auto rank : place_.ranks.subspan(1)) {
    call("MPI_Isend");
    slots.push_back(b_.isend(to(rank), place_.size));
  }
  wait_all(slots);
}

std::size_t RankCalls::own_place() const {
  return static_cast<std::size_t>(std::find(place_.ranks.begin(), place_.ranks.end(), place_.rank) -
                                  place_.ranks.begin());
}

void RankCalls::bcast_by_messages() {
  const auto me = own_place();
  if (me > 0) {
    call("MPI_Recv");
    b_.recv(to(place_.ranks[(me - 1) / 2]), place_.size);
  }
  for (const auto child : {2 * me + 1, 2 * me + 2}) {
    if (child >= place_.ranks.size()) break;
    call("MPI_Send");
    b_.send(to(place_.ranks[child]), place_.size);
  }
}

// Each rank begins with the next one, so that not all send to the same rank first.
void RankCalls::alltoall_by_messages() {
  const auto n = place_.ranks.size();
  const auto me = own_place();
  std::vector<std::uint32_t> slots;
  for (std::size_t i = 1; i < n; ++i) {
    call("MPI_Irecv");
    slots.push_back(b_.irecv(to(place_.ranks[(me + n - i) % n]), place_.size));
  }
  for (std::size_t i = 1; i < n; ++i) {
    call("MPI_Isend");
    slots.push_back(b_.isend(to(place_.ranks[(me + i) % n]), place_.size));
  }
  wait_all(slots);
}

void RankCalls::copy(std::string_view name, std::uint64_t copied) {
  call(name);
  b_.local(Bytes{copied});
}

void RankCalls::work() {
  b_.compute(kPieceOfWork * static_cast<std::int64_t>(place_.chunks));
}

}  // namespace busline
