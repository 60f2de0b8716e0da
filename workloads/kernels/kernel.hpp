// What a benchmark runs between two marks: a description that is small enough to be sent to all ranks, which
// make the same Program of it. Simulated and real machines run that Program (docs/reference/kernels.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// The memory that messages are in. It makes a difference where there are caches: simulated machines have
/// none.
struct KernelBuffers {
  std::uint32_t count = 1;  ///< used in turn, each as large as a message
  bool random = false;      ///< their contents, from `seed`
  std::uint64_t seed = 0;
  bool operator==(const KernelBuffers&) const = default;
};

/// A single measurement.
struct Kernel {
  std::string operation;  ///< the name of one of kernel_operations()
  /// Who takes part, each rank once. Pairs: the two of each pair one after the other, the one that initiates
  /// first; master and workers: the master first; collectives: the root first.
  std::vector<std::uint32_t> ranks;
  std::uint64_t bytes = 0;     ///< of a message, or of the operation as KernelOperation says
  std::uint64_t chunks = 1;    ///< pieces of work that a master hands out, or that a rank computes
  std::uint32_t messages = 1;  ///< repetitions of the operation within a sample
  KernelBuffers buffers{};
  bool operator==(const Kernel&) const = default;
};

/// What ranks do before each sample: it decides how far apart they start.
enum class LeadIn : std::uint8_t {
  barrier,              ///< all come from a Barrier
  verdict_and_barrier,  ///< the first rank broadcasts whether to go on, then a Barrier
  none,                 ///< calls follow one another; all come from a Barrier to the first
  together,             ///< all begin at one time, which they agreed on: nothing of that is in the sample
};

/// How often it is run.
struct KernelPlan {
  std::uint32_t warmup = 0;   ///< repetitions of the operation before each sample, which no mark encloses
  std::uint32_t samples = 1;  ///< at least 1
  LeadIn lead_in = LeadIn::barrier;
  bool operator==(const KernelPlan&) const = default;
};

/// Labels of the marks around each sample, on every rank that takes part.
inline constexpr std::uint32_t kSampleBegins = 1, kSampleEnds = 2;

/// Most operations that a kernel's Program may have; a generator does not ask for more memory than that.
inline constexpr std::uint64_t kMostKernelOperations = 200'000'000;

/// How testbeds come to a kernel's samples: collectives begin together, since how far apart ranks start is in
/// their times; others come from a Barrier.
LeadIn usual_lead_in(const Kernel& kernel);

/// The Program, for a job of `ranks` ranks: those that do not take part do nothing. Those that do meet in a
/// Barrier before each sample, unless the plan says otherwise. Errors (bad_option): an unknown operation,
/// ranks that do not fit it, a size or a number that is too large. The same arguments give the same Program
/// everywhere.
Expected<Program> kernel_program(const Kernel& kernel, const KernelPlan& plan, std::uint32_t ranks);

}  // namespace busline
