// A kernel is what a benchmark runs between two marks: a description small enough to be sent to all ranks,
// which make the same Program of it. Simulated and real machines run that Program
// (docs/reference/kernels.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// The memory of messages. It matters where there are caches; simulated machines have none.
struct KernelBuffers {
  std::uint32_t count = 1;  ///< used in turn, each as large as a message
  bool random = false;      ///< their contents, from `seed`
  std::uint64_t seed = 0;
  bool operator==(const KernelBuffers&) const = default;
};

/// A single measurement.
struct Kernel {
  std::string operation;  ///< the name of one of kernel_operations()
  /// The ranks that take part, each once. Pairs: the two of each pair one after the other, the one that
  /// initiates first; master and workers: the master first; collectives: the root first.
  std::vector<std::uint32_t> ranks;
  std::uint64_t bytes = 0;     ///< of a message, or as KernelOperation defines it
  std::uint64_t chunks = 1;    ///< pieces of work that a master hands out, or that a rank computes
  std::uint32_t messages = 1;  ///< repetitions of the operation within a sample
  KernelBuffers buffers{};
  bool operator==(const Kernel&) const = default;
};

/// What ranks do before each sample: it determines how far apart they start.
enum class LeadIn : std::uint8_t {
  barrier,              ///< all leave a Barrier
  verdict_and_barrier,  ///< the first rank broadcasts whether to continue, then a Barrier
  none,                 ///< calls follow one another; all leave a Barrier before the first
  together,             ///< all begin at an agreed time; the agreement is not in the sample
};

/// How often a kernel is run.
struct KernelPlan {
  std::uint32_t warmup = 0;   ///< repetitions of the operation before each sample, outside of the marks
  std::uint32_t samples = 1;  ///< at least 1
  LeadIn lead_in = LeadIn::barrier;
  bool operator==(const KernelPlan&) const = default;
};

/// Labels of the marks around each sample, on every rank that takes part.
inline constexpr std::uint32_t kSampleBegins = 1, kSampleEnds = 2;

/// Most operations that a kernel's Program may have; it limits the memory of a generator.
inline constexpr std::uint64_t kMostKernelOperations = 200'000'000;

/// How testbeds begin a kernel's samples: collectives start together, since skew between ranks adds to their
/// times; others leave a Barrier.
LeadIn usual_lead_in(const Kernel& kernel);

/// The Program, for a job of `ranks` ranks: those that do not take part do nothing. The others meet in a
/// Barrier before each sample, unless the plan says otherwise. Errors (bad_option): an unknown operation,
/// ranks that do not suit it, a size or a number that is too large. The same arguments give the same Program
/// everywhere.
Expected<Program> kernel_program(const Kernel& kernel, const KernelPlan& plan, std::uint32_t ranks);

}  // namespace busline
