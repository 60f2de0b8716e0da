// Operations of pairs: SKaMPI's point-to-point pattern, LinkTest's kernels, and those of calibration. `first`
// is the side that is timed (SKaMPI's server), `second` the other one (the client).
#include "workloads/kernels/operations.hpp"

namespace busline {
namespace {

using Calls = RankCalls;

// For operations with the same calls on both sides: they measure both directions at once.
void exchange(Calls& c) {
  c.exchange();
}
void exchange_window(Calls& c) {
  c.exchange_window();
}
void sendrecv(Calls& c) {
  c.sendrecv();
}
void sendrecv_replace(Calls& c) {
  c.sendrecv(true);
}

}  // namespace

std::vector<KernelOperation> pair_operations() {
  using enum BufferUse;
  constexpr auto kPairs = KernelPattern::pairs;
  return {
      {"MPI_Send-MPI_Recv", 1, "Pingpong_Send_Recv", "a message there and one back", message, kPairs,
       [](Calls& c) {
         c.send();
         c.recv();
       },
       [](Calls& c) {
         c.recv();
         c.send();
       }},
      {"MPI_Send-MPI_Recv_with_Any_Tag", 2, "Pingpong_Send_Recv_AT", "received with MPI_ANY_TAG", message,
       kPairs,
       [](Calls& c) {
         c.send();
         c.recv_any_tag();
       },
       [](Calls& c) {
         c.recv_any_tag();
         c.send();
       }},
      {"MPI_Send-MPI_Irecv", 3, "Pingpong_Send_Irecv", "received with MPI_Irecv and MPI_Wait", message,
       kPairs,
       [](Calls& c) {
         c.send();
         c.irecv_and_wait();
       },
       [](Calls& c) {
         c.irecv_and_wait();
         c.send();
       }},
      {"MPI_Send-MPI_Iprobe_Recv", 4, "Pingpong_Send_Iprobe_Recv", "received once MPI_Iprobe has found it",
       message, kPairs,
       [](Calls& c) {
         c.send();
         c.iprobe_and_recv();
       },
       [](Calls& c) {
         c.iprobe_and_recv();
         c.send();
       }},
      {"MPI_Ssend-MPI_Recv", 5, "Pingpong_Ssend_Recv", "sent with MPI_Ssend", message, kPairs,
       [](Calls& c) {
         c.send(SendMode::synchronous);
         c.recv();
       },
       [](Calls& c) {
         c.recv();
         c.send(SendMode::synchronous);
       }},
      {"MPI_Isend-MPI_Recv", 6, "Pingpong_Isend_Recv", "sent with MPI_Isend and MPI_Wait", message, kPairs,
       [](Calls& c) {
         c.isend_and_wait();
         c.recv();
       },
       [](Calls& c) {
         c.recv();
         c.isend_and_wait();
       }},
      {"MPI_Issend-MPI_Recv", 0, "Pingpong_Issend_Recv", "sent with MPI_Issend and MPI_Wait", message, kPairs,
       [](Calls& c) {
         c.isend_and_wait(SendMode::synchronous);
         c.recv();
       },
       [](Calls& c) {
         c.recv();
         c.isend_and_wait(SendMode::synchronous);
       }},
      {"MPI_Bsend-MPI_Recv", 7, "Pingpong_Bsend_Recv", "sent with MPI_Bsend", attached, kPairs,
       [](Calls& c) {
         c.send(SendMode::buffered);
         c.recv();
       },
       [](Calls& c) {
         c.recv();
         c.send(SendMode::buffered);
       }},
      {"MPI_Sendrecv", 8, "Pingpong_Sendrecv", "both send and receive at once", both, kPairs, sendrecv,
       sendrecv},
      {"MPI_Sendrecv_replace", 9, "Pingpong_Sendrecv_replace", "the same in one buffer", message, kPairs,
       sendrecv_replace, sendrecv_replace},
      {"Dummy-p2p", 29, "", "nothing: the overhead of measuring", none, kPairs, [](Calls&) {}, [](Calls&) {}},
      // The example of the SKaLib manual, 6.2.
      {"MPI_Send", 50, "", "a message one way: the call that sends it", message, kPairs,
       [](Calls& c) { c.send(); }, [](Calls& c) { c.recv(); }},
      {"exchange", 0, "", "both send at once and wait for both: LinkTest's bidirectional kernel", both,
       kPairs, exchange, exchange},
      {"stream", 0, "", "all messages one way, then one back: LinkTest's unidirectional kernel", message,
       kPairs,
       [](Calls& c) {
         for (std::uint32_t i = 0; i < c.place().messages; ++i) c.send();
         c.recv_acknowledgement();
       },
       [](Calls& c) {
         for (std::uint32_t i = 0; i < c.place().messages; ++i) c.recv();
         c.send_acknowledgement();
       },
       true},
      {"window", 0, "", "all messages one way at once, then one back", message, kPairs,
       [](Calls& c) {
         c.isend_window();
         c.recv_acknowledgement();
       },
       [](Calls& c) {
         c.irecv_window();
         c.send_acknowledgement();
       },
       true},
      {"exchange_window", 0, "", "all messages both ways at once", both, kPairs, exchange_window,
       exchange_window, true},
      // The second side has read the request of the first one's message, and answers it before it sends its
      // own.
      {kLateExchange, 0, "", "both send at once, the second when it knows that the first has begun", both,
       kPairs, [](Calls& c) { c.exchange_and_say_so(); },
       [](Calls& c) {
         c.recv_request();
         c.exchange();
       }},
      // A buffered send returns whatever the protocol. What comes behind it says that the message is there.
      {kLateReceive, 0, "", "a message that is there: the call that receives it", attached, kPairs,
       [](Calls& c) { c.recv(); }, [](Calls&) {}, false, [](Calls& c) { c.recv_request(); },
       [](Calls& c) {
         c.send(SendMode::buffered);
         c.ask();
       }},
  };
}

}  // namespace busline
