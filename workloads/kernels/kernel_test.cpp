// Kernels become Programs; validation/simulated tests what they measure on a machine.
#include "workloads/kernels/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/program/program_rules.hpp"
#include "sim/replay/machine.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/test_network.hpp"
#include "workloads/kernels/operations.hpp"

namespace {

using namespace busline;

std::vector<std::uint32_t> first_ranks(std::uint32_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::uint32_t ranks_for(const KernelOperation& op) {
  return op.pattern == KernelPattern::simple ? 1 : op.pattern == KernelPattern::pairs ? 4 : 5;
}

Kernel small(const KernelOperation& op) {
  return {.operation = std::string(op.name),
          .ranks = first_ranks(ranks_for(op)),
          .bytes = op.buffers == BufferUse::none ? 0U : 100U,
          .chunks = 7};
}

}  // namespace

TEST_CASE(
    "every operation makes a Program that keeps the rules, completes and marks each sample on each rank") {
  for (const auto& op : kernel_operations()) {
    CAPTURE(op.name);
    const auto kernel = small(op);
    const KernelPlan plan{.warmup = 2, .samples = 3};
    // Two ranks that take no part, the first and the last.
    const auto program = kernel_program(kernel, plan, ranks_for(op) + 2);
    REQUIRE(program);
    CHECK_FALSE(first_broken_rule(program->tables()));
    for (const std::uint64_t rendezvous_from : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
      const auto r = replay(*program, nodes_for(program->ranks()),
                            {.overhead = 3, .transfer = 5, .rendezvous_from = rendezvous_from});
      REQUIRE(r.status == Result::Status::complete);
      CHECK(r.marks.size() == 2 * plan.samples * kernel.ranks.size());
      for (std::size_t i = 0; i < r.marks.size(); ++i)
        CHECK(r.marks[i].label == (i % 2 == 0 ? kSampleBegins : kSampleEnds));
    }
  }
}

TEST_CASE("names and numbers of operations are unique, and each pattern has an empty one") {
  std::set<std::string_view> names, skampi5;
  std::set<std::uint32_t> types;
  for (const auto& op : kernel_operations()) {
    CHECK(names.insert(op.name).second);
    if (op.type != 0) CHECK(types.insert(op.type).second);
    if (!op.skampi5.empty()) CHECK(skampi5.insert(op.skampi5).second);
    CHECK(empty_operation(op.pattern).pattern == op.pattern);
    CHECK(find_operation(op.name) == &op);
  }
  CHECK(find_operation("MPI_Frobnicate") == nullptr);
  CHECK(find_operation(0U) == nullptr);
}

TEST_CASE("the Type table of SKaMPI is complete up to Reduce_scatter") {
  for (std::uint32_t type = 1; type <= 41; ++type) {
    CAPTURE(type);
    CHECK(find_operation(type) != nullptr);
  }
}

TEST_CASE("the manual's example, Type 50, sends one message and expects no answer") {
  const auto* op = find_operation(50U);
  REQUIRE(op != nullptr);
  CHECK(op->name == "MPI_Send");
  const auto program = kernel_program({.operation = "MPI_Send", .ranks = {0, 1}, .bytes = 100}, {}, 2);
  REQUIRE(program);
  const auto r = replay(*program, nodes_for(2), {.transfer = 500});
  CHECK(r.messages == 1);
  CHECK(r.bytes == 100);
}

TEST_CASE("a master hands out exactly its chunks, however many workers there are") {
  for (const std::uint32_t workers : {1U, 2U, 9U}) {
    CAPTURE(workers);
    const auto program =
        kernel_program({.operation = "MW_Send", .ranks = first_ranks(workers + 1), .bytes = 100, .chunks = 5},
                       {}, workers + 1);
    REQUIRE(program);
    const auto r = replay(*program, nodes_for(workers + 1), {.transfer = 500});
    REQUIRE(r.status == Result::Status::complete);
    CHECK(r.bytes == 5 * 100);
    CHECK(r.messages == 2 * (5 + workers));  // a request and an answer for each chunk and each dismissal
  }
}

TEST_CASE("a stream of n messages has one acknowledgement, a ping-pong has n") {
  const auto messages = [](const char* operation) {
    const auto program =
        kernel_program({.operation = operation, .ranks = {0, 1}, .messages = 10}, {.warmup = 3}, 2);
    REQUIRE(program);
    return replay(*program, nodes_for(2)).messages;
  };
  CHECK(messages("stream") == 3 + 1 + 10 + 1);
  CHECK(messages("window") == 3 + 1 + 10 + 1);
  CHECK(messages("MPI_Send-MPI_Recv") == 2 * 3 + 2 * 10);
  CHECK(messages("exchange_window") == 2 * 3 + 2 * 10);
}

TEST_CASE("the largest message fills the buffers") {
  constexpr std::uint64_t kMemory = 1U << 20U;
  const auto most = [](const char* operation) { return find_operation(operation)->most_bytes(kMemory, 7); };
  CHECK(most("MPI_Send-MPI_Recv") == kMemory);
  CHECK(most("MPI_Sendrecv") == kMemory / 2);
  CHECK(most("MPI_Gather") == kMemory / 8);
  CHECK(most("MPI_Alltoall") == kMemory / 14);
  CHECK(most("MPI_Bsend-MPI_Recv") == kMemory / 2 - 128);
  CHECK(most("MPI_Barrier") == 0);
}

TEST_CASE("a kernel that cannot be run is refused with the reason") {
  const auto message = [](const Kernel& kernel, const KernelPlan& plan = {}) {
    const auto program = kernel_program(kernel, plan, 4);
    return program ? std::string() : to_string(program.error());
  };
  CHECK(message({.operation = "MPI_Sned", .ranks = {0, 1}}) ==
        "kernel MPI_Sned: there is no such operation\n  docs/reference/kernels.md lists all");
  CHECK(message({.operation = "exchange", .ranks = {0, 1, 2}}) ==
        "kernel exchange: 3 ranks take part, expected 2 or another even number");
  CHECK(message({.operation = "MPI_Wtime", .ranks = {0, 1}}) ==
        "kernel MPI_Wtime: 2 ranks take part, expected 1");
  CHECK(message({.operation = "MPI_Bcast", .ranks = {0, 4}}) ==
        "kernel MPI_Bcast: rank 4 takes part, but the job has 4 ranks");
  CHECK(message({.operation = "MPI_Bcast", .ranks = {3, 3}}) == "kernel MPI_Bcast: rank 3 takes part twice");
  CHECK(message({.operation = "MPI_Bcast", .ranks = {0}, .bytes = ~std::uint64_t{0}}) ==
        "kernel MPI_Bcast: a message has 18446744073709551615 bytes, expected at most 2^50");
  CHECK(message({.operation = "exchange", .ranks = {0, 1}, .messages = 4'000'000'000}) ==
        "kernel exchange: would be 4.0e+10 operations, expected at most 2.0e+08\n  fewer messages, "
        "repetitions or "
        "ranks");
  CHECK(message({.operation = "MW_Send", .ranks = {0, 1}, .chunks = ~std::uint64_t{0}}).find("operations") !=
        std::string::npos);
  CHECK(message({.operation = "MW_Send", .ranks = {0, 1}, .messages = 2}) ==
        "kernel MW_Send: a sample has 2 messages, expected 1: the work is counted in chunks");
  CHECK(message({.operation = "exchange", .ranks = {0, 1}}, {.samples = 0}) ==
        "kernel exchange: makes no samples, or samples of no messages");
}

TEST_CASE("docs/reference/kernels.md has a row for every operation, with its Type and what it does") {
  std::ifstream file(BUSLINE_SOURCE_DIR "/docs/reference/kernels.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const auto& op : kernel_operations()) {
    const auto type = op.type == 0 ? std::string() : std::to_string(op.type);
    const auto skampi5 = op.skampi5.empty() ? std::string() : "`" + std::string(op.skampi5) + "`";
    const auto row = "| `" + std::string(op.name) + "` | " + type + " | " + skampi5 + " | " +
                     std::string(op.description) + " |";
    CHECK_MESSAGE(text.find(row) != std::string::npos, row);
  }
}
