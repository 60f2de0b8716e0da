// A study in several processes: rank 0 hands out points and stores, the others simulate.
#pragma once
#include "studies/study/run_study.hpp"
#include "studies/study/team.hpp"

namespace busline {

/// Rank 0's part. Like run_study(), and stores the same results; a process that cannot take part, or ends
/// early, is reported in `progress.absent`, and the remaining processes run its points. Returns after
/// dismissing all others.
class TeamLeader {
 public:
  explicit TeamLeader(Team& team) : team_(team) {}
  TeamLeader(const TeamLeader&) = delete;
  TeamLeader& operator=(const TeamLeader&) = delete;
  /// Dismisses waiting processes, which cannot end on their own.
  ~TeamLeader();

  Expected<StudyProgress> run(const Cases& cases, Store& store, const RunStudyOptions& options);

 private:
  Team& team_;
  bool dismissed_ = false;
};

/// The others' part: until rank 0 dismisses it, or options.stop() says so. `options.slice` and
/// `store_every_s` are rank 0's business.
void follow_leader(Team& team, const Cases& cases, WorkloadPool& workloads, const RunStudyOptions& options);
/// For a process that cannot read the inputs: rank 0 continues without it and reports why.
void cannot_follow(Team& team, const Error& error);

}  // namespace busline
