// Several observers as one.
#pragma once
#include <utility>
#include <vector>

#include "sim/replay/observer.hpp"

namespace busline {

/// Passes all events to each of `observers`, in their order. The caller owns them, and they must outlive it.
class ObserverList final : public RunObserver {
 public:
  explicit ObserverList(std::vector<RunObserver*> observers) : observers_(std::move(observers)) {}

  void reached(StrandId strand, std::uint64_t index, std::int64_t now) override {
    for (auto* o : observers_) o->reached(strand, index, now);
  }
  void charged(StrandId strand, Activity next, std::int64_t when) override {
    for (auto* o : observers_) o->charged(strand, next, when);
  }
  void works(StrandId strand, const Operation* op, std::int64_t length, std::int64_t now) override {
    for (auto* o : observers_) o->works(strand, op, length, now);
  }
  void woken(StrandId strand, std::int64_t now) override {
    for (auto* o : observers_) o->woken(strand, now);
  }
  void finished(StrandId strand, std::int64_t now) override {
    for (auto* o : observers_) o->finished(strand, now);
  }
  void sent(MessageId id, const Message& m, StrandId strand, std::int64_t now) override {
    for (auto* o : observers_) o->sent(id, m, strand, now);
  }
  void posted(RequestId request, StrandId strand, std::int64_t now) override {
    for (auto* o : observers_) o->posted(request, strand, now);
  }
  void matched(MessageId id, RequestId request, std::int64_t now) override {
    for (auto* o : observers_) o->matched(id, request, now);
  }
  void launched(MessageId id, std::int64_t now) override {
    for (auto* o : observers_) o->launched(id, now);
  }
  void queued(MessageId id, const Message& m, const ResourceId& place, std::int64_t now) override {
    for (auto* o : observers_) o->queued(id, m, place, now);
  }
  void left_queue(MessageId id, const Message& m, std::int64_t now) override {
    for (auto* o : observers_) o->left_queue(id, m, now);
  }
  void began(MessageId id, const Message& m, std::int64_t alone, std::int64_t now) override {
    for (auto* o : observers_) o->began(id, m, alone, now);
  }
  void ended(MessageId id, const Message& m, std::int64_t now) override {
    for (auto* o : observers_) o->ended(id, m, now);
  }
  void send_over(MessageId id, std::int64_t now) override {
    for (auto* o : observers_) o->send_over(id, now);
  }
  void arrived(MessageId id, const Message& m, std::int64_t now) override {
    for (auto* o : observers_) o->arrived(id, m, now);
  }
  void received(MessageId id, RequestId request, std::int64_t now) override {
    for (auto* o : observers_) o->received(id, request, now);
  }
  void completed(RequestId request, std::int64_t now) override {
    for (auto* o : observers_) o->completed(request, now);
  }
  void joined(CollectiveId id, const CollectiveInstance& c, StrandId strand, std::uint32_t args,
              RequestId request, std::int64_t now) override {
    for (auto* o : observers_) o->joined(id, c, strand, args, request, now);
  }
  void collective_began(CollectiveId id, const CollectiveInstance& c, std::int64_t held, std::int64_t flight,
                        std::int64_t now) override {
    for (auto* o : observers_) o->collective_began(id, c, held, flight, now);
  }
  void collective_over(CollectiveId id, const CollectiveInstance& c, std::int64_t now) override {
    for (auto* o : observers_) o->collective_over(id, c, now);
  }
  void entered(StrandId strand, RankId rank, std::uint32_t collective, const CollectiveArgs& args,
               std::int64_t now) override {
    for (auto* o : observers_) o->entered(strand, rank, collective, args, now);
  }
  void left(StrandId strand, std::int64_t now) override {
    for (auto* o : observers_) o->left(strand, now);
  }
  void scheduled(EventKind kind, EventSubject subject, std::int64_t delay, std::int64_t now) override {
    for (auto* o : observers_) o->scheduled(kind, subject, delay, now);
  }
  void dispatched(EventKind kind, EventSubject subject, std::int64_t now) override {
    for (auto* o : observers_) o->dispatched(kind, subject, now);
  }

 private:
  std::vector<RunObserver*> observers_;
};

}  // namespace busline
