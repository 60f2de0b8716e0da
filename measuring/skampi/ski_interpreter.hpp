// What a script of SKaMPI 5 measures: its loops run, so that a list of measurements is left.
// docs/reference/skampi.md says which part of the language there is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measuring/method/repetition.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"
#include "workloads/kernels/kernel.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::skampi {

/// What scripts can ask about the job.
struct SkiMachine {
  std::uint32_t ranks = 1;
  std::function<Expected<std::uint32_t>()> farthest;  ///< the rank that is farthest from rank 0
};

/// The loop around a measurement that may be refined.
struct SkiRefinement {
  std::size_t loop = 0;  ///< the same for all measurements of one run of the loop
  double start = 0, end = 0, step = 1;
  bool multiplies = false;
  double factor = 2;  ///< measurements in all, as a multiple of those of the loop
};

/// One "measure", with all that held when it was reached.
struct SkiMeasurement {
  std::string block;                                      ///< the name behind "begin measurement"
  std::vector<std::pair<std::string, double>> variables;  ///< of the loops around it, the innermost last
  const KernelOperation* operation = nullptr;
  SkiCommunicator communicator;
  std::size_t root = 0;  ///< place in the communicator
  std::uint64_t bytes = 0;
  std::uint64_t message = 0;     ///< what result files tell: bytes before they are split among processes
  std::uint32_t iterations = 1;  ///< of the operation in one sample
  std::uint32_t buffers = 1;     ///< that are used in turn
  measure::RepetitionRules repetition;
  std::optional<SkiRefinement> refined;
  SkiPlace place;

  Kernel kernel() const;
};

/// Statements that a script may execute, and measurements that it may have.
inline constexpr std::size_t kMostSkiSteps = 1'000'000, kMostSkiMeasurements = 100'000;
/// Arguments within these bounds, so that sizes stay far from overflowing.
inline constexpr std::int64_t kLargestSkiArgument = std::int64_t{1} << 40U;

/// Errors name file, line and construct: unknown names, wrong kinds of values, functions and operations that
/// are not supported, communicators that the job has not the ranks for, buffers that are too small, and loops
/// that do not end. Warnings: what is known and makes no difference here.
Expected<std::vector<SkiMeasurement>> interpret_ski(const std::vector<SkiStatement>& script,
                                                    const SkiMachine& machine, Diagnostics& diagnostics);

/// Reads and interprets a script.
Expected<std::vector<SkiMeasurement>> read_ski(const std::string& path, const SkiMachine& machine,
                                               Diagnostics& diagnostics);

}  // namespace busline::skampi
