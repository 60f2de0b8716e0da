// Slopes carried through a replay. An event happens because of the event in which it was scheduled, so its
// time's slope is that one's and the delay's. What waits for several things goes on with the last of them,
// and so has its slope: without contention that is the derivative of a maximum. With contention it is the
// derivative while everybody gets links, buses and CPUs in the same order, and the same shares of them.
#pragma once
#include <cstdint>
#include <vector>

#include "models/why/cost_slopes.hpp"
#include "sim/observer.hpp"

namespace busline {

/// Watches one run on a network with these costs. Memory: some 100 bytes for each strand and message in
/// flight.
class SlopeObserver final : public RunObserver {
 public:
  /// Both must outlive it. The Contention is the model's.
  SlopeObserver(const CostSlopes& costs, const Program& program);

  /// Of the run time. Zero if nothing has taken time.
  Slope slope() const { return last_; }

  void works(std::uint32_t strand, const Operation* op, std::int64_t length, std::int64_t now) override;
  void finished(std::uint32_t strand, std::int64_t now) override;
  void launched(std::uint32_t id, std::int64_t now) override;
  void left_queue(std::uint32_t id, const Message& m, std::int64_t now) override;
  void began(std::uint32_t id, const Message& m, std::int64_t alone, std::int64_t now) override;
  void ended(std::uint32_t id, const Message& m, std::int64_t now) override;
  void arrived(std::uint32_t id, const Message& m, std::int64_t now) override;
  void collective_began(std::uint32_t id, const CollectiveInstance& c, std::int64_t held, std::int64_t flight,
                        std::int64_t now) override;
  void entered(std::uint32_t strand, std::uint32_t rank, std::uint32_t collective, const CollectiveArgs& args,
               std::int64_t now) override;
  void scheduled(EventKind kind, std::uint32_t subject, std::int64_t delay, std::int64_t now) override;
  void dispatched(EventKind kind, std::uint32_t subject, std::int64_t now) override;

 private:
  struct OfMessage {
    Slope at;                // of its launch, its begin, its end: what came last
    std::int64_t began = 0;  // ps
    bool under_way = false;
    bool over_network = false;
  };
  OfMessage& message(std::uint32_t id) {
    if (id >= messages_.size()) messages_.resize(id + 1);
    return messages_[id];
  }

  const CostSlopes& costs_;
  std::size_t strands_of_program_;
  Slope now_;      // of the event that is being dispatched
  Slope working_;  // of the work that a strand begins
  Slope last_;     // of the last end of a strand
  std::int64_t last_end_ = -1;
  std::vector<Slope> strands_;  // of the end of its work
  std::vector<std::uint32_t> ranks_;
  std::vector<OfMessage> messages_;
  std::vector<Slope> collectives_;  // of its end
};

}  // namespace busline
