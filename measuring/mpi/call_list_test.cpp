// What MPI is asked to do for a Program: read off without any MPI.
#include "measuring/mpi/call_list.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/kernels/kernel.hpp"
#include "workloads/kernels/operations.hpp"

namespace {

using namespace busline;
using mpi::Call;
using mpi::CallList;

CallList calls_of(const Kernel& kernel, const KernelPlan& plan, std::uint32_t rank) {
  const auto program = kernel_program(kernel, plan, 4);
  REQUIRE(program);
  const auto list = mpi::call_list(*program, rank);
  REQUIRE(list);
  return *list;
}

std::vector<Call::Kind> kinds(const CallList& list) {
  std::vector<Call::Kind> all;
  for (const auto& c : list.calls) all.push_back(c.kind);
  return all;
}

}  // namespace

TEST_CASE("a ping-pong is a barrier and then a send and a receive between two marks") {
  using enum Call::Kind;
  const auto list = calls_of({.operation = "MPI_Send-MPI_Recv", .ranks = {3, 1}, .bytes = 100}, {}, 3);
  CHECK(kinds(list) == std::vector{collective, mark, send, recv, mark});
  CHECK(list.calls[0].starts_a_sample);
  // Rank 1 of the job is the second of the communicator {3, 1}.
  CHECK(list.calls[2].peer == 1);
  CHECK(list.calls[2].communicator == 1);
  CHECK(list.calls[2].bytes == 100);
  CHECK(list.message_bytes == 100);
  CHECK(calls_of({.operation = "MPI_Send-MPI_Recv", .ranks = {3, 1}}, {}, 0).calls.empty());
}

TEST_CASE("a Sendrecv is one call, and so is a Waitall") {
  using enum Call::Kind;
  CHECK(kinds(calls_of({.operation = "MPI_Sendrecv", .ranks = {0, 1}}, {}, 0)) ==
        std::vector{collective, mark, sendrecv, mark});
  CHECK(calls_of({.operation = "MPI_Sendrecv_replace", .ranks = {0, 1}}, {}, 0).calls[2].replace);
  const auto list = calls_of({.operation = "window", .ranks = {0, 1}, .bytes = 8, .messages = 3}, {}, 1);
  CHECK(kinds(list) == std::vector{collective, mark, irecv, irecv, irecv, wait_all, send, mark});
  CHECK(list.calls[5].count == 3);
  // Each message of a window has its own room.
  CHECK(list.slot_bytes == std::vector<std::uint64_t>{8, 8, 8});
}

TEST_CASE("a worker loops back from its repeat to its request") {
  using enum Call::Kind;
  const auto list = calls_of({.operation = "MW_Send", .ranks = {0, 1}, .bytes = 8, .chunks = 5}, {}, 1);
  CHECK(kinds(list) == std::vector{collective, mark, send, recv, repeat, mark});
  CHECK(list.calls[4].count == 2);
  CHECK(list.calls[4].bytes == 5);
  CHECK(list.calls[3].tag == mpi::kAny);
  const auto master = calls_of({.operation = "MW_Send", .ranks = {0, 1}, .bytes = 8, .chunks = 1}, {}, 0);
  CHECK(kinds(master) == std::vector{collective, mark, recv, answer, mark, recv, answer});
  CHECK(master.calls[2].peer == mpi::kAny);
}

TEST_CASE("work is counted in nanoseconds, pieces of a millisecond") {
  const auto list = calls_of({.operation = "work", .ranks = {2}, .chunks = 3}, {}, 2);
  CHECK(list.calls[1].kind == Call::Kind::work);
  CHECK(list.calls[1].bytes == 3'000'000);
}

TEST_CASE("every operation of the registry can be executed") {
  for (const auto& op : kernel_operations()) {
    CAPTURE(op.name);
    Kernel kernel{.operation = std::string(op.name), .ranks = {0}, .bytes = 8};
    if (op.pattern != KernelPattern::simple) kernel.ranks = {0, 1, 2, 3};
    CHECK(kinds(calls_of(kernel, {.warmup = 2}, 0)).size() >= 2);
  }
}

TEST_CASE("operations that cannot be executed are refused") {
  const auto message = [](const Program& program) {
    const auto list = mpi::call_list(program, 0);
    return list ? std::string() : to_string(list.error());
  };
  ProgramBuilder put(2);
  put.begin_strand(0);
  put.begin_call(put.call_name("MPI_Put"));
  put.wait(put.put({.peer = 1}, Bytes{8}));
  CHECK(message(put.build()) == "rank 0: MPI_Put is not supported with real MPI");
  ProgramBuilder large(2);
  large.begin_strand(0);
  large.begin_call(large.call_name("MPI_Send"));
  large.send({.peer = 1}, Bytes{std::uint64_t{1} << 31U});
  CHECK(message(large.build()) == "rank 0: MPI_Send of 2147483648 bytes, expected less than 2 GiB");
  ProgramBuilder threads(2);
  for (int strand = 0; strand < 2; ++strand) threads.begin_strand(0, false);
  CHECK(message(threads.build()) == "rank 0: has several strands");
  ProgramBuilder forgotten(2);
  forgotten.begin_strand(0);
  forgotten.begin_call(forgotten.call_name("MPI_Isend"));
  forgotten.isend_and_forget({.peer = 1}, Bytes{8});
  CHECK(message(forgotten.build()) == "rank 0: sends without waiting for the send");
  ProgramBuilder half(2);
  half.begin_strand(0);
  half.begin_call(half.call_name("MPI_Sendrecv"));
  half.wait(half.isend({.peer = 1}, Bytes{8}));
  CHECK(message(half.build()) == "rank 0: a Sendrecv lacks one of its halves");
  ProgramBuilder all(2);
  all.begin_strand(0);
  all.begin_call(all.call_name("MPI_Alltoall"));
  all.collective({.kind = CollectiveKind::alltoall,
                  .send_bytes = std::uint64_t{1} << 41U,
                  .recv_bytes = std::uint64_t{1} << 41U});
  CHECK(message(all.build()) ==
        "rank 0: MPI_Alltoall of 2199023255552 bytes per rank on 2 ranks is too large");
}
