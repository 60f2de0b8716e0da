// How Communicators::match works: every creating call joins the meeting of its (parent, ordinal); a meeting
// that all members of the parent have joined is concluded and gives them their new communicators.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/communicators.hpp"

namespace busline::dumpi {

class CommunicatorMatcher {
 public:
  CommunicatorMatcher(const std::vector<RankSurvey>& ranks, const std::vector<std::string>& paths,
                      Communicators& result, std::vector<Error>* tolerated);
  Expected<void> run();

 private:
  /// A creating call: its rank and its index in that rank's log.
  struct Party {
    std::uint32_t rank = 0, creation = 0;
  };
  using Parties = std::vector<Party>;
  using Sides = std::array<Parties, 2>;  // an ordinary communicator has one side
  /// One group's half of an MPI_Intercomm_create.
  struct Half {
    Parties parties;
    std::uint32_t leader = 0;
  };

  const CommunicatorLog& log(std::uint32_t rank) const { return ranks_[rank].communicators; }
  const Creation& creation(const Party& p) const { return log(p.rank).creations()[p.creation]; }
  static std::uint32_t instance(const Party& p) { return kFirstInstance + p.creation; }
  CommunicatorView view(std::uint32_t rank, std::uint32_t instance) { return result_.view(rank, instance); }

  std::optional<std::uint32_t> missing_instance(const Party& p);
  void join(const Party& p);
  void conclude(Parties parties);
  void duplicate(const Sides& sides, std::uint32_t parent);
  void split(const Sides& sides);
  void create(const Sides& sides);
  void cartesian(const Parties& parties);
  void cartesian_part(const Parties& parties, std::uint32_t parent);
  void graph(const Parties& parties);
  void listed(const Parties& parties, std::uint32_t parent);
  void merge(Sides sides);
  void intercomm(const Parties& parties, std::uint32_t parent);
  /// The group that a rank named in MPI_Comm_create, as ranks of the job.
  std::optional<std::vector<std::uint32_t>> members_of(const Party& p);
  /// Makes a communicator of `sides` in this order and hands it out.
  void give(const Sides& sides, std::vector<std::int32_t> dimensions = {});
  void order_as_told(Parties& parties) const;
  void check_told();
  void fail(const Party& p, std::string message);
  void fail_incomplete();
  bool goes_on();

  const std::vector<RankSurvey>& ranks_;
  const std::vector<std::string>& paths_;
  Communicators& result_;
  std::vector<Error>* tolerated_;
  std::deque<Party> ready_;
  /// Communicator, ordinal, and members if only they call, as ranks of the communicator.
  using Meeting = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::int32_t>>;
  std::map<Meeting, Parties> meetings_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> waiting_;  // (rank, instance)
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::deque<Half>> halves_;
  std::vector<std::uint32_t> position_;  // of a rank in the current communicator
  std::optional<Error> error_;
};

}  // namespace busline::dumpi
