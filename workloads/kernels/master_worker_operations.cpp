// Operations of a master and its workers (SKaMPI's master-worker pattern): `first` serves one piece of work,
// `second` asks for one. Workers are served in the order in which their requests arrive. Waitsome serves them
// one by one, as Waitany does: either way, requests present at the same time are answered in the same order.
#include "workloads/kernels/operations.hpp"

namespace busline {
namespace {

using Calls = RankCalls;

void ask(Calls& c) {
  c.ask();
  c.recv_piece_or_dismissal();
}

template <SendMode mode>
void serve(Calls& c) {
  c.recv_request();
  c.answer(mode);
}

}  // namespace

std::vector<KernelOperation> master_worker_operations() {
  using enum BufferUse;
  constexpr auto kMasterWorker = KernelPattern::master_worker;
  return {
      {"MW_Waitsome", 10, "MW_Waitsome", "the master waits with MPI_Waitsome", message, kMasterWorker,
       [](Calls& c) {
         c.recv_request("MPI_Waitsome");
         c.answer();
       },
       ask},
      {"MW_Waitany", 11, "MW_Waitany", "the master waits with MPI_Waitany", message, kMasterWorker,
       [](Calls& c) {
         c.recv_request("MPI_Waitany");
         c.answer();
       },
       ask},
      {"MW_Recv_with_Any_Source", 12, "MW_Recv_AS", "the master receives with MPI_ANY_SOURCE", message,
       kMasterWorker, serve<SendMode::standard>, ask},
      {"MW_Send", 13, "MW_Send", "it answers with MPI_Send", message, kMasterWorker,
       serve<SendMode::standard>, ask},
      {"MW_Ssend", 14, "MW_Ssend", "it answers with MPI_Ssend", message, kMasterWorker,
       serve<SendMode::synchronous>, ask},
      {"MW_Isend", 15, "MW_Isend", "it answers with MPI_Isend and continues", message, kMasterWorker,
       [](Calls& c) {
         c.recv_request();
         c.answer_without_waiting();
       },
       ask},
      {"MW_Bsend", 16, "MW_Bsend", "it answers with MPI_Bsend", attached, kMasterWorker,
       serve<SendMode::buffered>, ask},
      {"Dummy-mw", 30, "", "nothing: the overhead of measuring", none, kMasterWorker, [](Calls&) {},
       [](Calls&) {}},
  };
}

}  // namespace busline
