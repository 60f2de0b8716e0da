// The Programs of a study, each made once and shared by all threads.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "studies/study/workload_choice.hpp"

namespace busline {

/// Thread-safe: a thread that asks for a Program that another one is making waits for it.
class WorkloadPool {
 public:
  /// Keeps Programs in use, and the most recent others up to `keep` bytes in total.
  explicit WorkloadPool(std::uint64_t keep = std::uint64_t{2} << 30U);
  ~WorkloadPool();
  WorkloadPool(const WorkloadPool&) = delete;
  WorkloadPool& operator=(const WorkloadPool&) = delete;

  /// What determines the Program: the digest of a trace's files and options, or a generator's parameters. An
  /// Error if a file cannot be read. Cost: reads the files once; does not make a Program.
  Expected<std::string> deciding_text(const WorkloadChoice& choice);
  /// `choice` must not be a benchmark. Errors are the reader's or the generator's, the same each time.
  Expected<std::shared_ptr<const Program>> program(const WorkloadChoice& choice);
  /// Remembers a warning about a run; of those with one code, the one of the largest `weight`.
  void warn(Diagnostic warning, double weight);
  /// Warnings about the workloads that were made until now, then about runs.
  Diagnostics diagnostics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace busline
