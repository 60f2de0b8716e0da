// The benchmarks as workloads: the messages of SKaMPI, LinkTest and ZiaTest, replayed like any other program.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "sim/program/program_builder.hpp"
#include "workloads/generate/generator.hpp"
#include "workloads/kernels/kernel.hpp"
#include "workloads/kernels/operations.hpp"
#include "workloads/linktest/linktest_program.hpp"
#include "workloads/ziatest/pair_exchange.hpp"

namespace busline {
namespace {

using Kind = GeneratorParameter::Kind;
using Values = GeneratorValues;

constexpr std::uint64_t kMostMessages = 1'000'000'000;

Expected<Program> make_skampi(const Values& v) {
  Kernel kernel{.operation = v.choice("operation"),
                .ranks = {},
                .bytes = count(v.size("size")),
                .chunks = v.number("chunks"),
                .messages = v.number32("messages")};
  const auto ranks = v.number32("ranks");
  kernel.ranks.resize(ranks);
  std::iota(kernel.ranks.begin(), kernel.ranks.end(), 0U);
  return kernel_program(kernel, {.warmup = v.number32("warmup"), .samples = v.number32("repetitions")},
                        ranks);
}

Expected<linktest::Schedule> schedule(const Values& v) {
  const auto ranks = v.number32("ranks"), per_node = v.number32("ranks-per-node");
  const auto& order = v.choice("order");
  const bool bisection = v.choice("scope") == "bisection";
  if (order == "nodes") {
    if (bisection)
      return refuse_option("--order", "whole nodes meet only if all pairs do", "--scope all-pairs");
    if (ranks % per_node != 0)
      return refuse_option("--ranks-per-node",
                           fmt::format("{} ranks are not whole nodes of {}", ranks, per_node));
    return linktest::Schedule::of_nodes(linktest::identity_order(ranks), per_node);
  }
  return linktest::Schedule(order == "shuffled" ? linktest::shuffled_order(ranks, v.number("seed"))
                            : order == "mixed"  ? linktest::linktest12_mixed_order(ranks)
                                                : linktest::identity_order(ranks),
                            bisection ? linktest::Scope::bisection : linktest::Scope::all_pairs);
}

Expected<Program> make_linktest(const Values& v) {
  const auto& kernel = v.choice("kernel");
  // Both sides of an exchange send: LinkTest makes two of them for each message, as many as there are
  // messages in a round trip.
  const bool both_ways = kernel == "bidirectional";
  const std::uint32_t repetitions = both_ways ? 2 : 1;
  const auto steps = schedule(v);
  if (!steps) return tl::unexpected(steps.error());
  return linktest::linktest_program(*steps, {.operation = both_ways                    ? "exchange"
                                                          : kernel == "unidirectional" ? "stream"
                                                                                       : "MPI_Send-MPI_Recv",
                                             .size = v.size("size"),
                                             .messages = repetitions * v.number32("messages"),
                                             .warmup = repetitions * v.number32("warmup"),
                                             .serial = v.choice("mode") == "serial"});
}

// Each step is a measurement of all ranks; in serial mode, one after the other with a Barrier each.
double linktest_operations(const Values& v) {
  const auto n = static_cast<double>(v.number("ranks"));
  const auto messages = static_cast<double>(v.number("messages") + v.number("warmup"));
  return n * n * (10 * messages + 6) + (v.choice("mode") == "serial" ? n * n * n : 0);
}

Expected<Program> make_ziatest(const Values& v) {
  const ziatest::Exchange exchange{
      .variant = v.choice("variant") == "lanl" ? ziatest::Variant::lanl : ziatest::Variant::seed,
      .nodes = v.number32("nodes"),
      .ranks_per_node = v.number32("ranks-per-node")};
  ProgramBuilder b(exchange.ranks());
  for (std::uint32_t rank = 0; rank < exchange.ranks(); ++rank) {
    b.begin_strand(rank);
    ziatest::emit_exchange(b, exchange, rank);
  }
  return b.build();
}

}  // namespace

std::vector<Generator> benchmark_generators() {
  return {
      {"skampi",
       "a single measurement of SKaMPI, repeated (docs/reference/kernels.md lists the operations)",
       {{"operation", Kind::choice, "MPI_Send-MPI_Recv", "What is measured"},
        {"ranks", Kind::number, "2", "Ranks of the job", 1, kMostGeneratedRanks},
        {"size", Kind::size, "1KiB", "Size of a message; for collectives see docs/reference/kernels.md"},
        {"chunks", Kind::number, "1", "Pieces that a master hands out", 1, kMostMessages},
        {"messages", Kind::number, "1", "Repetitions in a sample", 1, kMostMessages},
        {"repetitions", Kind::number, "10", "Samples", 1, kMostMessages},
        {"warmup", Kind::number, "0", "Repetitions before each sample", 0, kMostMessages}},
       [](const Values&) { return 0.0; },  // kernel_program() checks the size
       make_skampi},
      {"linktest",
       "a complete run of LinkTest",
       {{"ranks", Kind::number, "16", "Ranks of the job", 2, kMostGeneratedRanks},
        {"size", Kind::size, "128KiB", "Size of a message"},
        {"messages", Kind::number, "3", "Messages in a measurement", 1, kMostMessages},
        {"warmup", Kind::number, "0", "Warm-up messages before a measurement", 0, kMostMessages},
        {"kernel",
         Kind::choice,
         "semidirectional",
         "What each pair does",
         0,
         0,
         {"semidirectional", "bidirectional", "unidirectional"}},
        {"scope", Kind::choice, "all-pairs", "Which pairs", 0, 0, {"all-pairs", "bisection"}},
        {"mode",
         Kind::choice,
         "parallel",
         "All pairs of a step at once, or one by one",
         0,
         0,
         {"parallel", "serial"}},
        {"order",
         Kind::choice,
         "identity",
         "Order of the ranks; mixed: as in LinkTest 1.2; nodes: whole nodes meet",
         0,
         0,
         {"identity", "shuffled", "mixed", "nodes"}},
        {"ranks-per-node", Kind::number, "1", "For --order nodes: ranks on each node, in order", 1, 4096},
        {"seed", Kind::number, "1", "Seed of the shuffled order"}},
       linktest_operations,
       make_linktest},
      {"ziatest",
       "the messages of ZiaTest: pairs of neighbouring nodes exchange one per rank",
       {{"nodes", Kind::number, "2", "Nodes of the job", 1, kMostGeneratedRanks},
        {"ranks-per-node", Kind::number, "1", "Ranks on each node", 1, 4096},
        {"variant",
         Kind::choice,
         "seed",
         "As in the description (seed) or in the program (lanl)",
         0,
         0,
         {"seed", "lanl"}}},
       [](const Values& v) {
         return 5 * static_cast<double>(v.number("nodes")) * static_cast<double>(v.number("ranks-per-node"));
       },
       make_ziatest},
  };
}

}  // namespace busline
