#include "models/why/slope_observer.hpp"

namespace busline {

SlopeObserver::SlopeObserver(const CostSlopes& costs, const Program& program)
    : costs_(costs), strands_of_program_(program.strands().size()), strands_(program.strands().size()) {
  for (const auto& s : program.strands()) ranks_.push_back(s.rank);
}

void SlopeObserver::works(std::uint32_t strand, const Operation* op, std::int64_t length,
                          std::int64_t /*now*/) {
  working_ = {};
  if (op == nullptr) return;
  if (op->kind != OpKind::compute)
    working_ = costs_.overhead(ranks_[strand], *op);
  else if ((op->flags & Operation::elapsed) == 0)
    working_.compute = static_cast<double>(length);
}

void SlopeObserver::scheduled(EventKind kind, std::uint32_t subject, std::int64_t /*delay*/,
                              std::int64_t /*now*/) {
  if (kind == EventKind::work_over) {
    strands_[subject] = now_ + working_;
    working_ = {};
  } else if (kind == EventKind::handshake_over) {
    message(subject).at = now_;
  }
}

void SlopeObserver::dispatched(EventKind kind, std::uint32_t subject, std::int64_t now) {
  switch (kind) {
    case EventKind::work_over:
      now_ = strands_[subject];
      return;
    case EventKind::handshake_over:
      now_ = messages_[subject].at;
      return;
    case EventKind::collective_release:
    case EventKind::collective_close:
      now_ = collectives_[subject];
      return;
    case EventKind::transfer_over:
    case EventKind::arrival:
      return;  // ended() and arrived() follow
    case EventKind::model_event:
      break;
  }
  if (subject >= messages_.size()) return;
  const auto& m = messages_[subject];
  now_ = m.at;
  if (m.under_way && m.over_network) now_.transfer += static_cast<double>(now - m.began);
}

void SlopeObserver::finished(std::uint32_t strand, std::int64_t now) {
  if (strand >= strands_of_program_ || now <= last_end_) return;
  last_end_ = now;
  last_ = now_;
}

void SlopeObserver::launched(std::uint32_t id, std::int64_t /*now*/) {
  auto& m = message(id);
  m.at = now_;
  m.under_way = false;
}

void SlopeObserver::left_queue(std::uint32_t id, const Message& m, std::int64_t /*now*/) {
  if (!m.is(Message::standin)) message(id).at = now_;
}

/// A flow that begins later than it is launched does so in an event of its own.
void SlopeObserver::began(std::uint32_t id, const Message& m, std::int64_t /*alone*/, std::int64_t now) {
  auto& mine = message(id);
  mine.at = now_;
  mine.began = now;
  mine.under_way = true;
  mine.over_network = static_cast<Route>(m.route) == Route::network;
}

void SlopeObserver::ended(std::uint32_t id, const Message& m, std::int64_t now) {
  auto& mine = messages_[id];
  mine.at = mine.at + costs_.transfer(m, now - mine.began);
  mine.under_way = false;
  now_ = mine.at;
}

void SlopeObserver::arrived(std::uint32_t id, const Message& m, std::int64_t /*now*/) {
  now_ = messages_[id].at + costs_.flight(m);
}

void SlopeObserver::collective_began(std::uint32_t id, const CollectiveInstance& c, std::int64_t /*held*/,
                                     std::int64_t /*flight*/, std::int64_t /*now*/) {
  if (id >= collectives_.size()) collectives_.resize(id + 1);
  collectives_[id] = now_ + costs_.collective(c);
}

void SlopeObserver::entered(std::uint32_t strand, std::uint32_t rank, std::uint32_t /*collective*/,
                            const CollectiveArgs& /*args*/, std::int64_t /*now*/) {
  if (strand >= strands_.size()) {
    strands_.resize(strand + 1);
    ranks_.resize(strand + 1);
  }
  ranks_[strand] = rank;
}

}  // namespace busline
