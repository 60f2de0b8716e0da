// LinkTest itself: which ranks measure with one another, in which order and how, on any testbed
// (docs/reference/linktest.md, "Measuring").
#pragma once
#include <cstdint>
#include <functional>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"
#include "workloads/linktest/schedule.hpp"

namespace busline::linktest {

/// For a measurement, and for warm-up.
inline constexpr std::uint32_t kMostMessages = 10'000'000;

/// In which order the ranks go into the schedule.
enum class OrderKind : std::uint8_t {
  identity,
  shuffled,  ///< by RunOptions::seed, another one in each iteration
  mixed,     ///< LinkTest 1.2's one random order
  nodes,     ///< node by node, and whole nodes meet (Schedule::of_nodes)
};

struct RunOptions {
  std::uint64_t message_bytes = 1U << 20U;
  std::uint32_t messages = 25;  ///< n of the kernel; at least 1
  std::uint32_t warmup = 3;     ///< before each measurement, as many as it would be of messages
  KernelKind kernel = KernelKind::semidirectional;
  Scope scope = Scope::all_pairs;
  bool serial = false;      ///< one measurement at a time instead of all of a step at once
  bool all_to_all = false;  ///< an MPI_Alltoall of one byte before each step
  OrderKind order = OrderKind::identity;
  bool shuffled_steps = false;
  std::uint64_t seed = 1;         ///< of the orders of ranks and of steps
  std::uint32_t iterations = 1;   ///< passes over all pairs; at least 1
  std::uint32_t retests = 10;     ///< of the slowest measurements of each iteration, alone; at most all
  std::uint32_t buffers = 1;      ///< used in turn (KernelBuffers)
  bool random_buffers = false;    ///< their contents
  std::uint64_t buffer_seed = 0;  ///< of the contents
};

/// Whether all nodes of the job have equally many ranks.
bool has_equal_nodes(const measure::Testbed& testbed);

/// Called between runs with the share of the work that is done; false: measure no more.
using Progress = std::function<bool(double)>;

/// Measures on all ranks of the testbed. A stopped run keeps what was measured; pairs not reached have step
/// 0. Errors (bad_option): fewer than two ranks, nothing to measure, several iterations in the same order,
/// more messages than a kernel can have, OrderKind::nodes in a bisection or where not has_equal_nodes(); and
/// those of the testbed.
Expected<LinkTestResult> run_linktest(measure::Testbed& testbed, const RunOptions& options,
                                      const Progress& progress = {});

}  // namespace busline::linktest
