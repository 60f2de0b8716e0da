// Slopes carried through a replay. An event is caused by the event that scheduled it, so the slope of its
// time is that event's plus the delay's. A wait for several events ends with the last of them, and so takes
// its slope: without contention that is the derivative of a maximum. With contention it is the derivative as
// long as links, buses and CPUs are granted in the same order and with the same shares.
#pragma once
#include <cstdint>
#include <vector>

#include "models/slopes/cost_slopes.hpp"
#include "sim/replay/observer.hpp"

namespace busline {

/// Watches one run on a network with these costs. Memory: some 100 bytes for each strand and message in
/// flight.
class SlopeObserver final : public RunObserver {
 public:
  /// Both must outlive it. The Contention is the model's.
  SlopeObserver(const CostSlopes& costs, const Program& program);

  /// Slope of the run time. Zero if nothing has taken time.
  Slope slope() const { return last_; }

  void works(StrandId strand, const Operation* op, std::int64_t length, std::int64_t now) override;
  void finished(StrandId strand, std::int64_t now) override;
  void launched(MessageId id, std::int64_t now) override;
  void left_queue(MessageId id, const Message& m, std::int64_t now) override;
  void began(MessageId id, const Message& m, std::int64_t alone, std::int64_t now) override;
  void ended(MessageId id, const Message& m, std::int64_t now) override;
  void arrived(MessageId id, const Message& m, std::int64_t now) override;
  void collective_began(CollectiveId id, const CollectiveInstance& c, std::int64_t held, std::int64_t flight,
                        std::int64_t now) override;
  void entered(StrandId strand, RankId rank, std::uint32_t collective, const CollectiveArgs& args,
               std::int64_t now) override;
  void scheduled(EventKind kind, EventSubject subject, std::int64_t delay, std::int64_t now) override;
  void dispatched(EventKind kind, EventSubject subject, std::int64_t now) override;

 private:
  struct OfMessage {
    Slope at;                // of its launch, its begin or its end, whichever came last
    std::int64_t began = 0;  // ps
    bool under_way = false;
    bool over_network = false;
  };
  OfMessage& message(MessageId id) {
    messages_.reach(id);
    return messages_[id];
  }

  const CostSlopes& costs_;
  std::size_t strands_of_program_;
  Slope now_;      // of the event that is being dispatched
  Slope working_;  // of the work that a strand begins
  Slope last_;     // of the last end of a strand
  std::int64_t last_end_ = -1;
  IdVector<StrandId, Slope> strands_;  // of the end of its work
  IdVector<StrandId, RankId> ranks_;
  IdVector<MessageId, OfMessage> messages_;
  IdVector<CollectiveId, Slope> collectives_;  // of its end
};

// All of it is inline for the replay that is compiled for it (models/links_and_buses/replay_for_slope.cpp).

inline SlopeObserver::SlopeObserver(const CostSlopes& costs, const Program& program)
    : costs_(costs), strands_of_program_(program.strands().size()), strands_(program.strands().size()) {
  for (const auto& s : program.strands()) ranks_.push_back(RankId{s.rank});
}

inline void SlopeObserver::works(StrandId strand, const Operation* op, std::int64_t length,
                                 std::int64_t /*now*/) {
  working_ = {};
  if (op == nullptr) return;
  if (op->kind != OpKind::compute)
    working_ = costs_.overhead(ranks_[strand], *op);
  else if ((op->flags & Operation::elapsed) == 0)
    working_.compute = static_cast<double>(length);
}

inline void SlopeObserver::scheduled(EventKind kind, EventSubject subject, std::int64_t /*delay*/,
                                     std::int64_t /*now*/) {
  if (kind == EventKind::work_over) {
    strands_[subject.strand()] = now_ + working_;
    working_ = {};
  } else if (is_of_handshake(kind)) {
    message(subject.message()).at = now_;
  }
}

inline void SlopeObserver::dispatched(EventKind kind, EventSubject subject, std::int64_t now) {
  switch (kind) {
    case EventKind::work_over:
      now_ = strands_[subject.strand()];
      return;
    case EventKind::handshake_over:
    case EventKind::request_arrival:
    case EventKind::answer_arrival:
      now_ = messages_[subject.message()].at;
      return;
    case EventKind::collective_release:
    case EventKind::collective_close:
      now_ = collectives_[subject.collective()];
      return;
    case EventKind::strand_start:
      now_ = {};
      return;
    case EventKind::transfer_over:
    case EventKind::arrival:
      return;  // ended() and arrived() follow
    case EventKind::model_event:
      break;
  }
  if (!messages_.has(subject.message())) return;
  const auto& m = messages_[subject.message()];
  now_ = m.at;
  if (m.under_way && m.over_network) now_.transfer += static_cast<double>(now - m.began);
}

inline void SlopeObserver::finished(StrandId strand, std::int64_t now) {
  if (raw(strand) >= strands_of_program_ || now <= last_end_) return;
  last_end_ = now;
  last_ = now_;
}

inline void SlopeObserver::launched(MessageId id, std::int64_t /*now*/) {
  auto& m = message(id);
  m.at = now_;
  m.under_way = false;
}

inline void SlopeObserver::left_queue(MessageId id, const Message& m, std::int64_t /*now*/) {
  if (!m.is(Message::standin)) message(id).at = now_;
}

/// A flow that begins after its launch does so in a separate event.
inline void SlopeObserver::began(MessageId id, const Message& m, std::int64_t /*alone*/, std::int64_t now) {
  auto& mine = message(id);
  mine.at = now_;
  mine.began = now;
  mine.under_way = true;
  mine.over_network = static_cast<Route>(m.route) == Route::network;
}

inline void SlopeObserver::ended(MessageId id, const Message& m, std::int64_t now) {
  auto& mine = messages_[id];
  mine.at = mine.at + costs_.transfer(m, now - mine.began);
  mine.under_way = false;
  now_ = mine.at;
}

inline void SlopeObserver::arrived(MessageId id, const Message& m, std::int64_t /*now*/) {
  now_ = messages_[id].at + costs_.flight(m);
}

inline void SlopeObserver::collective_began(CollectiveId id, const CollectiveInstance& c,
                                            std::int64_t /*held*/, std::int64_t /*flight*/,
                                            std::int64_t /*now*/) {
  collectives_.reach(id);
  collectives_[id] = now_ + costs_.collective(c);
}

inline void SlopeObserver::entered(StrandId strand, RankId rank, std::uint32_t /*collective*/,
                                   const CollectiveArgs& /*args*/, std::int64_t /*now*/) {
  strands_.reach(strand);
  ranks_.reach(strand);
  ranks_[strand] = rank;
}

}  // namespace busline
