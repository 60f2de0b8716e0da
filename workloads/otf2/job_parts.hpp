// Puts together what became of the ranks of an archive, in their order.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/otf2/definitions.hpp"
#include "workloads/otf2/rank_compiler.hpp"

namespace busline::otf2 {

class JobParts {
 public:
  /// Both must outlive this. Adds the parts' notices to `notices`.
  JobParts(const Definitions& definitions, Notices& notices)
      : definitions_(definitions),
        notices_(notices),
        builder_(static_cast<std::uint32_t>(definitions.ranks.size())),
        events_(definitions.regions.size() + 1, false) {}

  /// For ascending ranks.
  void append(RankPart&& part);
  /// All ranks as a Program.
  Program finish();

  ProgramBuilder& builder() { return builder_; }
  /// Receives of which the archive does not record what they received: they are open in the Program.
  std::uint64_t open_receives() const { return open_receives_; }
  /// Positions of operations that stand for sends to MPI_PROC_NULL, ascending.
  const std::vector<std::uint64_t>& null_sends() const { return null_sends_; }

 private:
  void settle_guesses();

  const Definitions& definitions_;
  Notices& notices_;
  ProgramBuilder builder_;
  std::map<CommKey, std::uint32_t> communicators_;  // ids in the Program
  std::vector<bool> events_;                        // by value: whether it is used
  std::vector<std::vector<Guess>> guesses_;         // by rank
  std::vector<std::uint64_t> inits_, finalizes_;    // positions
  std::vector<std::uint64_t> null_sends_;
  std::uint64_t open_receives_ = 0;
  Duration run_time_;  // the longest of the ranks'
};

}  // namespace busline::otf2
