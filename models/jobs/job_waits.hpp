// Which other job a job's messages and ranks waited for: watches a run of several jobs (docs/how-to/jobs.md).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"
#include "sim/replay/observer.hpp"

namespace busline {

/// Where jobs meet.
enum class MeetingPlace : std::uint8_t {
  links_out,  ///< of nodes to the network
  links_in,   ///< likewise
  buses,      ///< of the network
  memory,     ///< ports and buses inside nodes
  between,    ///< machines: WAN and connections
  stream,     ///< behind earlier messages from the same node to the same other one
  sharing,    ///< links and buses that messages share: the time by which they took longer
  cpus,       ///< of nodes
};
inline constexpr std::size_t kMeetingPlaces = 8;

/// Waiting time of a job, by the job that held what it waited for, itself included.
struct JobWait {
  MeetingPlace place{};
  std::vector<Duration> by_job;
};

/// For one run. A wait is split among the jobs that hold servers of the resource meanwhile, in proportion to
/// their number and to the time; a message that others slow is charged to the messages beside it on the most
/// crowded resource of its way. Where a topology routes messages, these are the links of its two nodes alone.
/// Cost: proportional to the number of jobs for each message; memory: some 100 bytes for each in flight.
class JobWaits final : public RunObserver {
 public:
  /// All must outlive it; `first_rank` as of MergedJobs.
  JobWaits(const Platform& platform, const Machine& machine, const Program& program,
           std::span<const std::uint32_t> first_rank);

  /// The waits of each job that are not 0, in the order of places.
  std::vector<std::vector<JobWait>> waits() const;

  void charged(StrandId strand, Activity next, std::int64_t when) override;
  void works(StrandId strand, const Operation* op, std::int64_t length, std::int64_t now) override;
  void entered(StrandId strand, RankId rank, std::uint32_t collective, const CollectiveArgs& args,
               std::int64_t now) override;
  void queued(MessageId id, const Message& message, const ResourceId& place, std::int64_t now) override;
  void left_queue(MessageId id, const Message& message, std::int64_t now) override;
  void began(MessageId id, const Message& message, std::int64_t alone, std::int64_t now) override;
  void ended(MessageId id, const Message& message, std::int64_t now) override;
  void joined(CollectiveId id, const CollectiveInstance& collective, StrandId strand, std::uint32_t args,
              RequestId request, std::int64_t now) override;
  void collective_began(CollectiveId id, const CollectiveInstance& collective, std::int64_t held,
                        std::int64_t flight, std::int64_t now) override;
  void dispatched(EventKind kind, EventSubject subject, std::int64_t now) override;

 private:
  static constexpr std::uint32_t kMostStops = 4;
  using Sums = std::vector<std::int64_t>;  // by job: servers held, times ps

  struct Resource {
    MeetingPlace place{};
    std::uint32_t capacity = 0;       // 0: unlimited
    std::vector<std::uint32_t> held;  // servers, by job
    Sums sums;                        // until `since`
    std::int64_t since = 0;
  };
  /// A message, or a strand for its CPU: what it holds, and what it waits for.
  struct Holder {
    std::array<std::uint32_t, kMostStops> holds{};
    std::uint32_t stops = 0;
    std::uint32_t waits_at = kNone;
    std::int64_t since = 0, alone = 0;
    std::vector<Sums> before{};  // of waits_at, or of all that it holds
  };

  std::uint32_t job_of(RankId rank) const { return job_of_rank_[rank]; }
  std::uint32_t job_of(const Message& m) const;
  std::uint32_t resource(MeetingPlace place, std::uint64_t owner, std::uint32_t capacity);
  std::uint32_t link(NodeId node, bool out);
  std::uint32_t bus(std::uint32_t machine);
  std::uint32_t memory(NodeId node);
  std::uint32_t stream(const Message& m);
  std::uint32_t place_of(const Message& m, const ResourceId& place);
  void ways_of(const Message& m, Holder& h);
  const NodeGroup& group(NodeId node) const { return *groups_[node]; }
  Resource& at(std::uint32_t number, std::int64_t now);
  void hold(std::uint32_t number, std::uint32_t job, std::uint32_t servers, std::int64_t now);
  void release(std::uint32_t number, std::uint32_t job, std::uint32_t servers, std::int64_t now);
  void release_all(Holder& h, std::uint32_t job, std::int64_t now);
  void begin_wait(Holder& h, std::uint32_t number, std::int64_t now);
  void end_wait(Holder& h, std::uint32_t job, std::int64_t now);
  void split(std::uint32_t job, MeetingPlace place, std::int64_t lost, const Sums& weights);
  Holder& message(MessageId id);
  bool shares_cpus(NodeId node) const { return several_jobs_[node]; }

  const Platform& platform_;
  const Machine& machine_;
  const Program& program_;
  std::uint32_t jobs_;
  bool exclusive_;
  IdVector<RankId, std::uint32_t> job_of_rank_;
  IdVector<NodeId, const NodeGroup*> groups_;
  IdVector<NodeId, std::uint32_t> machine_of_;
  IdVector<NodeId, bool> several_jobs_;  // their ranks use its CPUs
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Resource> resources_;
  IdVector<MessageId, Holder> messages_;
  IdVector<StrandId, Holder> strands_;
  IdVector<StrandId, RankId> ranks_;
  IdVector<CollectiveId, std::uint32_t> job_of_collective_;
  IdVector<CollectiveId, Holder> collectives_;
  std::vector<std::array<Sums, kMeetingPlaces>> waits_;  // by job
};

}  // namespace busline
