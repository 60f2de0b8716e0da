// Patterns of programs that compute and communicate in turn.
#include <algorithm>

#include "workloads/generate/generator.hpp"
#include "workloads/patterns/halo_allreduce.hpp"
#include "workloads/patterns/iterative.hpp"
#include "workloads/patterns/traffic.hpp"

namespace busline {
namespace {

using Kind = GeneratorParameter::Kind;
using Values = GeneratorValues;
using Parameters = std::vector<GeneratorParameter>;

constexpr std::uint64_t kMostIterations = 1'000'000;

Parameters with_common(std::string_view size, Parameters own, std::uint64_t least_ranks = 1) {
  Parameters all{{"ranks", Kind::number, "64", "Ranks of the job", least_ranks, kMostGeneratedRanks},
                 {"iterations", Kind::number, "10", "Number of iterations", 0, kMostIterations},
                 {"size", Kind::size, size, "Size of a message"},
                 {"compute", Kind::time, "1ms", "Computation on each rank in each iteration"},
                 {"imbalance", Kind::share, "0", "By how much bursts may be longer or shorter"},
                 {"seed", Kind::number, "1", "Seed of the imbalance"}};
  std::move(own.begin(), own.end(), std::back_inserter(all));
  return all;
}

Iterative iterative(const Values& v) {
  return {.ranks = v.number32("ranks"),
          .iterations = v.number32("iterations"),
          .size = v.size("size"),
          .bursts = {.mean = v.time("compute"), .imbalance = v.share("imbalance"), .seed = v.number("seed")}};
}

double steps(const Values& v) {
  return static_cast<double>(v.number("ranks")) * static_cast<double>(v.number("iterations"));
}

Expected<Program> halo(const Values& v) {
  constexpr std::uint32_t kSteps = 100'000;
  const auto mean = static_cast<double>(v.time("compute").count());
  const double spread = v.share("imbalance") * mean;
  return halo_allreduce({.ranks = v.number32("ranks"),
                         .iterations = v.number32("iterations"),
                         .dimensions = v.number32("dimensions"),
                         .face = v.size("size"),
                         .allreduce = v.size("allreduce") != Bytes{0},
                         .allreduce_size = v.size("allreduce"),
                         .first_burst = Duration(),
                         .least_burst = Duration::from_double(mean - spread),
                         .burst_step = Duration::from_double(2 * spread / kSteps),
                         .burst_steps = kSteps,
                         .last_burst = Duration(),
                         .seed = v.number32("seed")});
}

Expected<Program> alltoall(const Values& v) {
  return alltoall_pattern(iterative(v), v.choice("by") == "messages");
}

std::vector<std::string_view> traffic_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, pattern] : kTrafficNames) names.push_back(name);
  return names;
}

Expected<Program> traffic(const Values& v) {
  Traffic t{.ranks = v.number32("ranks"),
            .messages = v.number32("messages"),
            .size = v.size("size"),
            .seed = v.number("seed"),
            .load = v.share("load"),
            .rate = v.rate("rate"),
            .burst = v.number32("burst")};
  if (t.load < 1 && (t.rate.is_unlimited() || t.rate.in_bytes_per_second() <= 0))
    return refuse_option("--rate", "a load needs the rate of a link", "such as --rate '10 Gbps'");
  for (const auto& [name, pattern] : kTrafficNames)
    if (name == v.choice("pattern")) t.pattern = pattern;
  return traffic_pattern(t);
}

}  // namespace

std::vector<Generator> pattern_generators() {
  return {
      {"halo", "a solver on a grid: halo exchange, computation, an Allreduce",
       with_common("8KiB", {{"dimensions", Kind::number, "2", "Dimensions of the grid of ranks", 1, 3},
                            {"allreduce", Kind::size, "8B", "Vector of the Allreduce; 0B: no Allreduce"}}),
       [](const Values& v) { return steps(v) * (6.0 * static_cast<double>(v.number("dimensions")) + 3); },
       halo},
      {"alltoall", "a transpose: computation, then each rank sends to all others",
       with_common("8KiB", {{"by",
                             Kind::choice,
                             "collective",
                             "MPI_Alltoall, or its messages one by one",
                             0,
                             0,
                             {"collective", "messages"}}}),
       [](const Values& v) {
         return steps(v) *
                (v.choice("by") == "messages" ? 4.0 * static_cast<double>(v.number("ranks")) : 2.0);
       },
       alltoall},
      {"ring", "computation, then each rank sends to the next", with_common("64KiB", {}),
       [](const Values& v) { return 5 * steps(v); },
       [](const Values& v) -> Expected<Program> { return ring_pattern(iterative(v)); }},
      {"wavefront", "sweeps over a grid: a rank waits for its left and upper neighbours",
       with_common("8KiB", {}), [](const Values& v) { return 5 * steps(v); },
       [](const Values& v) -> Expected<Program> { return wavefront_pattern(iterative(v)); }},
      {"master-worker", "rank 0 hands out work to whichever rank asks; 'iterations' pieces for each worker",
       with_common("64KiB", {}, 2), [](const Values& v) { return 2 * steps(v); },
       [](const Values& v) -> Expected<Program> {
         const auto what = iterative(v);
         return master_worker_pattern(what, what.iterations * (what.ranks - 1));
       }},
      {"traffic",
       "network load: each rank puts one message after another",
       {{"ranks", Kind::number, "64", "Ranks of the job", 2, kMostGeneratedRanks},
        {"pattern", Kind::choice, "permutation", "Who sends to whom", 0, 0, traffic_names()},
        {"messages", Kind::number, "8", "Messages of each rank", 1, kMostIterations},
        {"size", Kind::size, "1MiB", "Size of a message"},
        {"load", Kind::share, "1",
         "Share of a link that the messages take; 1: one follows the other at once"},
        {"rate", Kind::rate, "10 Gbps", "Bandwidth of that link, for a load below 1"},
        {"burst", Kind::number, "1", "Messages of a burst on average, for a load below 1", 1,
         kMostIterations},
        {"seed", Kind::number, "1", "Seed of the random choices"}},
       [](const Values& v) {
         return 4 * static_cast<double>(v.number("ranks")) * static_cast<double>(v.number("messages"));
       },
       traffic},
  };
}

}  // namespace busline
