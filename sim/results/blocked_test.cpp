#include "sim/results/blocked.hpp"

#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"

using namespace busline;

TEST_CASE("a rank waits for others to call a collective, then for it to finish") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.collective({.kind = CollectiveKind::barrier});
  const auto program = b.build();
  const auto& barrier = program.operations()[0];
  CHECK(what_it_waits_for(program, barrier, 1) == "2 of the 3 ranks of communicator 0 to call MPI_Barrier");
  CHECK(what_it_waits_for(program, barrier, 3) == "MPI_Barrier on communicator 0 (3 ranks) to be over");
  CHECK(what_it_waits_for(program, barrier, 0) == "MPI_Barrier on communicator 0 (3 ranks) to be over");
}

TEST_CASE("a computing rank waits at most for a CPU") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(1));
  const auto program = b.build();
  CHECK(what_it_waits_for(program, program.operations()[0], 0) == "its turn on a CPU");
}
