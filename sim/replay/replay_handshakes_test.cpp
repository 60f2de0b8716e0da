#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

namespace busline {
namespace {

TestNetwork in_calls(std::int64_t handshake, bool complete_at_transfer = false) {
  TestNetwork n;
  n.rendezvous_from = 100;
  n.handshake_time = handshake;
  n.complete_at_transfer = complete_at_transfer;
  n.in_calls = true;
  return n;
}

/// Rank 0 sends 200 bytes and then computes, rank 1 receives them and computes in between.
Program exchange(std::int64_t sender_computes, std::int64_t receiver_computes) {
  ProgramBuilder b(2);
  b.begin_strand(0);
  const auto sent = b.isend({.peer = 1}, Bytes{200});
  if (sender_computes > 0) b.compute(ps(sender_computes));
  b.wait(sent);
  b.begin_strand(1);
  const auto received = b.irecv({.peer = 0}, Bytes{200});
  if (receiver_computes > 0) b.compute(ps(receiver_computes));
  b.wait(received);
  return b.build();
}

}  // namespace

TEST_CASE("with progress in calls two ranks that wait shake hands as ever") {
  const auto r = replay(exchange(0, 0), nodes_for(2), in_calls(30, true));
  CHECK(r.ranks[0].end.count() == 230);
  CHECK(r.ranks[1].end.count() == 230);
  CHECK(replay(exchange(0, 0), nodes_for(2), in_calls(31)).ranks[1].end.count() == 231);
  CHECK(replay(exchange(0, 0), nodes_for(2), in_calls(0)).ranks[1].end.count() == 200);
}

TEST_CASE("a sender that computes starts its transfer when it calls MPI again") {
  const auto r = replay(exchange(1000, 0), nodes_for(2), in_calls(30, true));
  CHECK(r.ranks[1].end.count() == 1200);
  CHECK(r.ranks[0].end.count() == 1200);
  // Eager messages, and those of a library with a thread of its own, move meanwhile.
  auto asynchronous = in_calls(30);
  asynchronous.in_calls = false;
  CHECK(replay(exchange(1000, 0), nodes_for(2), asynchronous).ranks[1].end.count() == 230);
  auto eager = in_calls(30);
  eager.rendezvous_from = 201;
  CHECK(replay(exchange(1000, 0), nodes_for(2), eager).ranks[1].end.count() == 200);
}

TEST_CASE("a receiver that computes answers when it calls MPI again") {
  const auto r = replay(exchange(0, 1000), nodes_for(2), in_calls(30, true));
  CHECK(r.ranks[0].end.count() == 1215);  // half of the handshake remained
  CHECK(r.ranks[1].end.count() == 1215);
}

TEST_CASE("neither half of a handshake waits for a burst that is over before") {
  CHECK(replay(exchange(15, 14), nodes_for(2), in_calls(30)).ranks[1].end.count() == 230);
}

TEST_CASE("a transfer goes on while both ranks compute") {
  ProgramBuilder b(3);
  for (const auto rank : {0U, 1U}) {
    b.begin_strand(rank);
    const auto request = rank == 0 ? b.isend({.peer = 1}, Bytes{200}) : b.irecv({.peer = 0}, Bytes{200});
    b.compute(ps(20));
    b.probe({.peer = 2});  // in a call from 20 to 50, so the transfer begins at 35
    b.compute(ps(500));
    b.wait(request);
  }
  b.begin_strand(2);
  b.compute(ps(50));
  for (const auto peer : {0U, 1U}) b.send({.peer = peer}, Bytes{0});
  const auto r = replay(b.build(), nodes_for(3), in_calls(30, true));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.run_time.count() == 550);
}

TEST_CASE("a rank that has ended holds up no handshake") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1}, Bytes{200});
  b.compute(ps(100));
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{200});
  const auto r = replay(b.build(), nodes_for(2), in_calls(30));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.ranks[1].end.count() == 300);
}

// ---- behind data

namespace {

TestNetwork in_order() {
  auto n = in_calls(30);
  n.behind_data = true;
  n.flight = 20;
  return n;
}

/// Both ranks send 200 bytes to each other. Rank 1 begins when it has a small message that rank 0 sent after
/// its request, or after a burst of the same length.
Program exchange_with_late_rank(bool in_call) {
  ProgramBuilder b(2);
  b.begin_strand(0);
  const auto received = b.irecv({.peer = 1}, Bytes{200});
  const auto sent = b.isend({.peer = 1}, Bytes{200});
  if (in_call) b.send({.peer = 1, .tag = 1}, Bytes{0});
  b.wait(received);
  b.wait(sent);
  b.begin_strand(1);
  if (in_call)
    b.recv({.peer = 0, .tag = 1}, Bytes{0});
  else
    b.compute(ps(20));
  const auto came = b.irecv({.peer = 0}, Bytes{200});
  const auto went = b.isend({.peer = 0}, Bytes{200});
  b.wait(came);
  b.wait(went);
  return b.build();
}

}  // namespace

TEST_CASE("large messages go one way after the other if the late rank answers before it asks") {
  // Rank 0 has the answer at 35 and sends its data, which its own answer follows: at 255 rank 1 sends.
  const auto r = replay(exchange_with_late_rank(true), nodes_for(2), in_order());
  CHECK(r.ranks[1].end.count() == 255);
  CHECK(r.ranks[0].end.count() == 475);
  auto beside = in_order();
  beside.behind_data = false;
  CHECK(replay(exchange_with_late_rank(true), nodes_for(2), beside).ranks[0].end.count() == 270);
}

TEST_CASE("large messages go both ways at once if the late rank computed when it was asked") {
  // It asks when it sends, and answers when it waits.
  const auto r = replay(exchange_with_late_rank(false), nodes_for(2), in_order());
  CHECK(r.ranks[1].end.count() == 255);
  CHECK(r.ranks[0].end.count() == 270);
}

TEST_CASE("handshakes inside a node do not wait for data") {
  CHECK(replay(exchange_with_late_rank(true), one_node(2, 2), in_order()).ranks[0].end.count() == 270);
}

TEST_CASE("a request does not overtake a message to the same rank") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1, .tag = 1}, Bytes{90});
  b.send({.peer = 1}, Bytes{200});
  b.begin_strand(1);
  const auto first = b.irecv({.peer = 0, .tag = 1}, Bytes{90});
  b.recv({.peer = 0}, Bytes{200});
  b.wait(first);
  const auto p = b.build();
  CHECK(replay(p, nodes_for(2), in_order()).ranks[1].end.count() == 110 + 15 + 220);
  auto beside = in_order();
  beside.behind_data = false;
  CHECK(replay(p, nodes_for(2), beside).ranks[1].end.count() == 30 + 220);
}

}  // namespace busline
