#include "workloads/patterns/iterative.hpp"

#include <array>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/patterns/halo_allreduce.hpp"

namespace busline {
namespace {

// Tags of the messages to the right and down in a sweep, and of a master's messages.
constexpr std::int32_t kRight = 0, kDown = 1;
constexpr std::int32_t kRequest = 0, kPiece = 1, kStop = 2;

// The ranks' strands one after the other; `step(rank, iteration)` follows the burst of each.
template <class Step>
Program iterate(ProgramBuilder& b, const Iterative& what, Step step) {
  SIM_ASSERT(what.ranks > 0);
  for (std::uint32_t rank = 0; rank < what.ranks; ++rank) {
    b.begin_strand(rank);
    for (std::uint32_t i = 0; i < what.iterations; ++i) {
      b.compute(what.bursts.of(rank, i));
      step(rank);
    }
  }
  return b.build();
}

}  // namespace

Program alltoall_pattern(const Iterative& what, bool by_messages) {
  ProgramBuilder b(what.ranks);
  const auto n = what.ranks;
  if (!by_messages) {
    const auto alltoall = b.call_name("MPI_Alltoall");
    const CollectiveArgs args{
        .kind = CollectiveKind::alltoall, .send_bytes = count(what.size), .recv_bytes = count(what.size)};
    return iterate(b, what, [&](std::uint32_t) {
      b.begin_call(alltoall);
      b.collective(args);
    });
  }
  const auto irecv = b.call_name("MPI_Irecv"), isend = b.call_name("MPI_Isend"),
             waitall = b.call_name("MPI_Waitall");
  std::vector<std::uint32_t> slots;
  return iterate(b, what, [&](std::uint32_t rank) {
    slots.clear();
    for (std::uint32_t i = 1; i < n; ++i) {
      b.begin_call(irecv);
      slots.push_back(b.irecv({.peer = (rank + n - i) % n}, what.size));
    }
    for (std::uint32_t i = 1; i < n; ++i) {
      b.begin_call(isend);
      slots.push_back(b.isend({.peer = (rank + i) % n}, what.size));
    }
    b.begin_call(waitall);
    for (const auto slot : slots) b.wait(slot);
  });
}

Program ring_pattern(const Iterative& what) {
  ProgramBuilder b(what.ranks);
  const auto sendrecv = b.call_name("MPI_Sendrecv");
  const auto n = what.ranks;
  return iterate(b, what, [&](std::uint32_t rank) {
    b.begin_call(sendrecv);
    const auto received = b.irecv({.peer = (rank + n - 1) % n}, what.size);
    const auto sent = b.isend({.peer = (rank + 1) % n}, what.size);
    b.wait(sent);
    b.wait(received);
  });
}

Program wavefront_pattern(const Iterative& what) {
  ProgramBuilder b(what.ranks);
  const auto recv = b.call_name("MPI_Recv"), send = b.call_name("MPI_Send");
  const auto grid = grid_of(what.ranks, 2);
  const auto width = grid[0];
  const auto receive_from = [&](std::uint32_t peer, std::int32_t tag) {
    b.begin_call(recv);
    b.recv({.peer = peer, .tag = tag}, what.size);
  };
  const auto send_to = [&](std::uint32_t peer, std::int32_t tag) {
    b.begin_call(send);
    b.send({.peer = peer, .tag = tag}, what.size);
  };
  for (std::uint32_t rank = 0; rank < what.ranks; ++rank) {
    b.begin_strand(rank);
    b.compute(Duration());  // Dimemas leaves out ranks that do not begin with a burst
    const auto column = rank % width, row = rank / width;
    for (std::uint32_t i = 0; i < what.iterations; ++i) {
      if (column > 0) receive_from(rank - 1, kRight);
      if (row > 0) receive_from(rank - width, kDown);
      b.compute(what.bursts.of(rank, i));
      if (column + 1 < width) send_to(rank + 1, kRight);
      if (row + 1 < grid[1]) send_to(rank + width, kDown);
    }
  }
  return b.build();
}

Program master_worker_pattern(const Iterative& what, std::uint32_t pieces) {
  SIM_ASSERT(what.ranks > 1);
  ProgramBuilder b(what.ranks);
  const auto recv = b.call_name("MPI_Recv"), send = b.call_name("MPI_Send");
  const auto serve = [&](std::int32_t tag, Bytes size) {
    b.begin_call(recv);
    b.recv({.peer = kAnySource, .tag = kRequest}, Bytes{0});
    b.begin_call(send);
    b.send_to_last_source({.tag = tag}, size);
  };
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < pieces; ++i) serve(kPiece, what.size);
  for (std::uint32_t worker = 1; worker < what.ranks; ++worker) serve(kStop, Bytes{0});
  for (std::uint32_t worker = 1; worker < what.ranks; ++worker) {
    b.begin_strand(worker);
    // A worker's bursts are equal: their number is not known in advance.
    const auto begin = b.position();
    b.begin_call(send);
    b.send({.peer = 0, .tag = kRequest}, Bytes{0});
    b.begin_call(recv);
    b.recv({.peer = 0, .tag = kAnyTag}, what.size);
    b.compute(what.bursts.of(worker, 0));
    b.repeat_until(begin, kStop, 0, pieces);
  }
  return b.build();
}

}  // namespace busline
