// Calls that one rank makes alone (SKaMPI's simple pattern, and messages to oneself).
#include "workloads/kernels/operations.hpp"

namespace busline {
namespace {
using Calls = RankCalls;
}

std::vector<KernelOperation> simple_operations() {
  using enum BufferUse;
  constexpr auto kSimple = KernelPattern::simple;
  return {
      {"MPI_Wtime", 24, "Wtime", "", none, kSimple, [](Calls& c) { c.local("MPI_Wtime"); }},
      {"MPI_Comm_rank", 25, "Comm_rank", "", none, kSimple, [](Calls& c) { c.local("MPI_Comm_rank"); }},
      {"MPI_Comm_size", 26, "Comm_size", "", none, kSimple, [](Calls& c) { c.local("MPI_Comm_size"); }},
      {"MPI_Iprobe", 27, "Iprobe", "", none, kSimple, [](Calls& c) { c.local("MPI_Iprobe"); }},
      {"MPI_Buffer_attach", 28, "Buffer_attach", "", none, kSimple,
       [](Calls& c) { c.local("MPI_Buffer_attach"); }},
      {kSendrecvSelf, 0, "", "MPI_Sendrecv to oneself: a copy in memory", both, kSimple,
       [](Calls& c) { c.sendrecv(); }},
      {"Dummy-simple", 32, "", "nothing: the overhead of measuring", none, kSimple, [](Calls&) {}},
      {"work", 0, "", "pieces of fixed work: the speed of a CPU", none, kSimple, [](Calls& c) { c.work(); }},
  };
}

}  // namespace busline
