// The communicators of a job, from the traces of its ranks: calls that make communicators are matched by
// (parent, number of earlier such calls on the parent), as in MPI itself.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dumpi/compile/survey.hpp"

namespace busline::dumpi {

/// A communicator as one rank sees it. An inter-communicator has two sides.
struct CommunicatorView {
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  std::uint32_t communicator = kNone;  ///< index, for Communicators
  std::uint8_t side = 0;
  bool known() const { return communicator != kNone; }
};

class Communicators {
 public:
  /// Combines the surveys' logs and adds the communicators to `builder`, which must outlive this. An Error if
  /// ranks disagree, or if one did not take part where it must. `paths`: the rank files. If there is a list
  /// of `tolerated` errors, they go there, and the communicators that they concern stay unknown.
  static Expected<Communicators> match(const std::vector<RankSurvey>& ranks,
                                       const std::vector<std::string>& paths, ProgramBuilder& builder,
                                       std::vector<Error>* tolerated = nullptr);

  /// A rank's view of one of its instances; unknown for an instance that does not hold the rank.
  CommunicatorView view(std::uint32_t rank, std::uint32_t instance);
  /// Its number in the Program.
  std::uint32_t program_id(CommunicatorView v) const { return all_[v.communicator].program_id; }
  /// The number of a communicator with the same members, which has the messages of its neighbourhood
  /// collectives alone (docs/model.md, section 5.8).
  std::uint32_t neighbourhood_id(CommunicatorView v);
  bool is_inter(CommunicatorView v) const { return all_[v.communicator].first_side != 0; }
  /// Ranks of the job: the group that the rank belongs to, and the one that its messages go to.
  std::span<const std::uint32_t> local_group(CommunicatorView v) const {
    return group(v.communicator, v.side);
  }
  std::span<const std::uint32_t> peers(CommunicatorView v) const {
    return group(v.communicator, is_inter(v) ? 1 - v.side : 0);
  }

  /// The same by a rank's instance; empty if that does not hold the rank.
  std::span<const std::uint32_t> members(std::uint32_t rank, std::uint32_t instance, bool remote);

 private:
  friend class CommunicatorMatcher;
  struct JobCommunicator {
    std::uint32_t program_id = 0;
    std::size_t first_side = 0;            // members of side 0 of an inter-communicator; else 0
    std::vector<std::int32_t> dimensions;  // of a Cartesian one
    std::optional<std::uint32_t> neighbourhood_id{};
  };
  Communicators(ProgramBuilder& builder, std::size_t ranks);
  std::span<const std::uint32_t> group(std::uint32_t communicator, int side) const;

  ProgramBuilder* builder_;
  std::vector<JobCommunicator> all_;                  // 0 is the world
  std::vector<std::vector<CommunicatorView>> views_;  // [rank][instance]
};

}  // namespace busline::dumpi
