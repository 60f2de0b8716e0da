// A job's DUMPI files in memory, one of which is replaced by other bytes: checks that the reader handles any
// contents correctly. For damaged copies and for fuzzing.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/compile/job.hpp"

namespace busline {

class DamagedJob {
 public:
  /// The bytes of each rank's file; none for a rank without one.
  explicit DamagedJob(std::vector<std::optional<std::string>> files);

  /// Compiles the files as they are, so that Outcome can tell `same` from `other`; the Error if they are
  /// damaged.
  std::optional<Error> learn_whole();

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(files_.size()); }
  const std::string& file(std::uint32_t rank) const { return *files_[rank]; }

  /// How the bytes were taken.
  enum class Outcome { refused, warned, same, other };
  struct Reading {
    Outcome outcome = Outcome::refused;  ///< `other`: read as another Program, without a word
    /// What the reader did wrong; empty if it did all it must.
    std::string fault;
  };
  /// Reads everything in `bytes`, compiles the job with them as the file of `rank`, and salvages the job.
  /// Each error must have a message, a path, and a place within the file; what can be compiled can be
  /// salvaged, and what is salvaged fits together. The caller must detect crashes, hangs and lack of memory.
  Reading read(std::uint32_t rank, std::string_view bytes) const;
  /// The intact part of the job with `bytes` as the file of `rank`.
  Expected<Program> salvage(std::uint32_t rank, std::string_view bytes) const;

 private:
  // Bytes in place of the file of `rank`; of none if it is ranks().
  dumpi::JobFiles files_with(std::uint32_t rank, std::string_view bytes) const;

  std::vector<std::optional<std::string>> files_;
  std::optional<std::uint64_t> whole_;  // identity of the Program of the files as they are
};

}  // namespace busline
