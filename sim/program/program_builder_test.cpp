#include "sim/program/program_builder.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace busline;

TEST_CASE("equal envelopes share a channel and different ones do not") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.send({.peer = 1, .tag = 7}, Bytes{8});
  b.send({.peer = 1, .tag = 7}, Bytes{9});
  b.send({.peer = 1, .tag = 8}, Bytes{9});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 7}, Bytes{8});
  const Program p = b.build();
  const auto ops = p.operations();
  CHECK(ops[0].detail == ops[1].detail);
  CHECK(ops[0].detail != ops[2].detail);
  CHECK(ops[3].detail == ops[0].detail);
  CHECK(p.channels()[ops[3].detail].destination == 1);
}

TEST_CASE("a slot is used again after its wait") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  const auto first = b.irecv({.peer = 1}, Bytes{8});
  const auto second = b.irecv({.peer = 1}, Bytes{8});
  CHECK(first != second);
  b.wait(first);
  CHECK(b.irecv({.peer = 1}, Bytes{8}) == first);
  CHECK(b.build().request_slots(0) == 2);
}

TEST_CASE("a call counts once, however many operations it has") {
  ProgramBuilder b(2);
  const auto name = b.call_name("MPI_Waitall");
  b.begin_strand(0);
  b.begin_call(b.call_name("MPI_Irecv"));
  const auto a = b.irecv({.peer = 1}, Bytes{8});
  b.begin_call(b.call_name("MPI_Irecv"));
  const auto c = b.irecv({.peer = 1}, Bytes{8});
  b.begin_call(name);
  b.wait(a);
  b.wait(c);
  const Program p = b.build();
  CHECK(p.call_number(p.strands()[0], 2) == 3);
  CHECK(p.call_number(p.strands()[0], 3) == 3);
  CHECK(p.find_call("MPI_Waitall") == name);
}

TEST_CASE("ten thousand channels are all distinct") {
  ProgramBuilder b(100);
  for (std::uint32_t r = 0; r < 100; ++r) {
    b.begin_strand(r);
    for (std::uint32_t to = 0; to < 100; ++to) b.isend_and_forget({.peer = to, .tag = 1}, Bytes{1});
  }
  CHECK(b.build().channels().size() == 10'000);
}

TEST_CASE("copies of a Program share its tables, and a moved-from Program keeps them") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(5));
  Program first = b.build();
  const Program copy = first;
  const Program moved = std::move(first);
  CHECK(copy.operations().data() == moved.operations().data());
  CHECK(first.operations().data() == moved.operations().data());  // NOLINT(bugprone-use-after-move): its rule
  first = Program();
  CHECK(moved.operations()[0].amount == 5);
  CHECK(first.ranks() == 0);
}
