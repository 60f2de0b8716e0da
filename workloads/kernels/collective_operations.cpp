// Operations that all ranks call. A kernel's size is one rank's part in Gather, Scatter, Allgather and
// Reduce_scatter, the message from one rank to another in Alltoall, and the vector in the others.
#include "workloads/kernels/operations.hpp"

namespace busline {
namespace {

using Calls = RankCalls;

template <CollectiveKind kind>
void call(Calls& c) {
  c.collective(kind);
}

// The vector is the sum of the parts.
void reduce_scatter_parts(Calls& c) {
  c.collective(CollectiveKind::reduce_scatter, c.bytes() * c.place().ranks.size(), c.bytes());
}

void reduce_and_scatterv(Calls& c) {
  c.collective(CollectiveKind::reduce, c.bytes() * c.place().ranks.size(),
               c.bytes() * c.place().ranks.size());
  c.collective(CollectiveKind::scatterv);
}

}  // namespace

std::vector<KernelOperation> collective_operations() {
  using enum BufferUse;
  using enum CollectiveKind;
  constexpr auto kCollective = KernelPattern::collective;
  return {
      {"MPI_Bcast", 17, "Bcast", "", message, kCollective, call<bcast>},
      {"MPI_Barrier", 18, "Barrier", "", none, kCollective, [](Calls& c) { c.barrier(); }},
      {"MPI_Reduce", 19, "Reduce", "", both, kCollective, call<reduce>},
      {"MPI_Alltoall", 20, "Alltoall", "", all_parts, kCollective, call<alltoall>},
      {"MPI_Scan", 21, "Scan", "", both, kCollective, call<scan>},
      {"MPI_Comm_split", 22, "Comm_split", "", none, kCollective,
       [](Calls& c) { c.collective(comm_split, 0, 0); }},
      {"MPI_Comm_dup", 0, "Comm_dup", "", none, kCollective, [](Calls& c) { c.collective(comm_dup, 0, 0); }},
      {"MPI_Cart_create", 0, "", "a ring of all ranks", none, kCollective,
       [](Calls& c) { c.collective(cart_create, 0, 0); }},
      {"memcpy", 23, "memcpy", "each rank copies", both, kCollective,
       [](Calls& c) { c.copy("memcpy", c.bytes()); }},
      {"Dummy-col", 31, "", "nothing: the overhead of measuring", none, kCollective, [](Calls&) {}},
      {"MPI_Gather", 33, "Gather", "", parts, kCollective, call<gather>},
      {"MPI_Scatter", 34, "Scatter", "", parts, kCollective, call<scatter>},
      {"MPI_Allgather", 35, "Allgather", "", parts, kCollective, call<allgather>},
      {"MPI_Allreduce", 36, "Allreduce", "", both, kCollective, call<allreduce>},
      {"MPI_Gatherv", 37, "Gatherv", "", parts, kCollective, call<gatherv>},
      {"MPI_Scatterv", 38, "Scatterv", "", parts, kCollective, call<scatterv>},
      {"MPI_Allgatherv", 39, "Allgatherv", "", parts, kCollective, call<allgatherv>},
      {"MPI_Alltoallv", 40, "Alltoallv", "", all_parts, kCollective, call<alltoallv>},
      {"MPI_Reduce_scatter", 41, "Reduce_scatter", "", parts, kCollective, reduce_scatter_parts},
      // With a piece of work between the start and the wait.
      {kOverlapAllreduce, 0, "", "MPI_Iallreduce, `chunks` ms of work, MPI_Wait", both, kCollective,
       [](Calls& c) { c.overlap(allreduce); }},
      {kOverlapAlltoall, 0, "", "the same with MPI_Ialltoall", all_parts, kCollective,
       [](Calls& c) { c.overlap(alltoall); }},
      {"overlap-ibcast", 0, "", "the same with MPI_Ibcast", message, kCollective,
       [](Calls& c) { c.overlap(bcast); }},
      {"overlap-ibarrier", 0, "", "the same with MPI_Ibarrier", none, kCollective,
       [](Calls& c) { c.overlap(barrier); }},
      // What programs do in place of a collective (SKaMPI 4).
      {"Gather_SR", 0, "Gather_using_Send_Recv", "a Gather made of Send and Recv", parts, kCollective,
       [](Calls& c) { c.gather_by_messages(false); }},
      {"Gather_ISWA", 0, "Gather_using_Isend_Irecv_Waitall", "a Gather made of Isend, Irecv and Waitall",
       parts, kCollective, [](Calls& c) { c.gather_by_messages(true); }},
      {"Scatter_ISWA", 0, "", "a Scatter made of Isend, Waitall and Recv", parts, kCollective,
       [](Calls& c) { c.scatter_by_messages(); }},
      {"Bcast_SR", 0, "Bcast_using_Send_Recv", "a Bcast down a binary tree of Send and Recv", message,
       kCollective, [](Calls& c) { c.bcast_by_messages(); }},
      {"Reduce_Bcast", 0, "Allreduce_using_Reduce_Bcast", "an Allreduce made of Reduce and Bcast", both,
       kCollective,
       [](Calls& c) {
         c.collective(reduce);
         c.collective(bcast);
       }},
      {"Reduce_Scatterv", 0, "Reduce_Scatterv", "a Reduce_scatter made of Reduce and Scatterv", parts,
       kCollective, reduce_and_scatterv},
      {"Alltoall_Isend_Irecv", 0, "Alltoall_using_Isend_Irecv", "an Alltoall made of messages", all_parts,
       kCollective, [](Calls& c) { c.alltoall_by_messages(); }},
  };
}

}  // namespace busline
