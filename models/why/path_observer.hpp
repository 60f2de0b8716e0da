// Records the causes of events, as long as they may matter, and derives the critical path from them.
#pragma once
#include <cstdint>
#include <vector>

#include "models/why/critical_path.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/observer.hpp"

namespace busline {

/// Watches one run. Memory: 32 bytes for each part of the paths to the current state of strands, messages and
/// collectives, and at most twice that; dead paths are dropped during the run. In addition, some 50 bytes for
/// each strand and message in flight.
class PathObserver final : public RunObserver {
 public:
  /// The Program must outlive it.
  explicit PathObserver(const Program& program);

  /// The path of the run up to its last end, which is all of it if it is complete. `most`: the number of
  /// longest parts and latest partners to return. Cost: linear in the path.
  CriticalPath path(std::size_t most) const;

  void reached(StrandId strand, std::uint64_t index, std::int64_t now) override;
  void charged(StrandId strand, Activity next, std::int64_t when) override;
  void woken(StrandId strand, std::int64_t now) override;
  void finished(StrandId strand, std::int64_t now) override;
  void sent(MessageId id, const Message& m, StrandId strand, std::int64_t now) override;
  void launched(MessageId id, std::int64_t now) override;
  void queued(MessageId id, const Message& m, const ResourceId& place, std::int64_t now) override;
  void left_queue(MessageId id, const Message& m, std::int64_t now) override;
  void began(MessageId id, const Message& m, std::int64_t alone, std::int64_t now) override;
  void ended(MessageId id, const Message& m, std::int64_t now) override;
  void arrived(MessageId id, const Message& m, std::int64_t now) override;
  void received(MessageId id, RequestId request, std::int64_t now) override;
  void joined(CollectiveId id, const CollectiveInstance& c, StrandId strand, std::uint32_t args,
              RequestId request, std::int64_t now) override;
  void collective_began(CollectiveId id, const CollectiveInstance& c, std::int64_t held, std::int64_t flight,
                        std::int64_t now) override;
  void collective_over(CollectiveId id, const CollectiveInstance& c, std::int64_t now) override;
  void entered(StrandId strand, RankId rank, std::uint32_t collective, const CollectiveArgs& args,
               std::int64_t now) override;
  void scheduled(EventKind kind, EventSubject subject, std::int64_t delay, std::int64_t now) override;
  void dispatched(EventKind kind, EventSubject subject, std::int64_t now) override;

 private:
  static constexpr std::uint32_t kStart = 0;  // the part before all others, which ends at 0

  // From the end of `before` to `until`; or, of cause kLate, where a blocked strand continues because of
  // `before`.
  static constexpr std::uint8_t kLate = kPathCauses;
  static constexpr std::uint64_t kOperations = (std::uint64_t{1} << 56U) - 1;
  struct Part {
    std::int64_t until = 0;
    std::int64_t blocked_since = 0;
    std::uint64_t operation : 56 = 0;
    std::uint64_t cause : 8 = 0;
    std::uint32_t before = kStart;
    RankId rank{};
  };
  static_assert(sizeof(Part) == 32);
  // A subject whose time passes: its last part, and where its next ones count.
  struct Subject {
    std::uint32_t last = kStart;
    RankId rank{};
    std::uint64_t operation = 0;
  };
  struct OfStrand : Subject {
    Activity activity = Activity::cpu_wait;
    std::int64_t blocked_since = 0;
  };
  struct OfMessage : Subject {
    std::int64_t alone = 0;
    CollectiveId collective = kNone;  // that a stand-in queues for
    ResourceKind queue = ResourceKind::link_out;
  };

  bool is_blocked(const OfStrand& s) const;
  void pass(Subject& s, std::int64_t until, PathCause cause);
  void settle(OfStrand& s, std::int64_t now);
  std::uint32_t add(const Part& part);
  OfStrand& strand(StrandId id);
  OfMessage& message(MessageId id);
  Subject& collective(CollectiveId id);
  void drop_dead_parts();

  const Program& program_;
  std::vector<Part> parts_;
  std::size_t limit_;
  IdVector<StrandId, OfStrand> strands_;
  IdVector<MessageId, OfMessage> messages_;
  IdVector<CollectiveId, Subject> collectives_;
  std::uint32_t now_ = kStart;  // the part that ends with the event that is being dispatched
  StrandId current_{};          // the strand whose work was over last
  std::uint32_t last_end_ = kStart;
  std::int64_t last_end_at_ = -1;
};

}  // namespace busline
