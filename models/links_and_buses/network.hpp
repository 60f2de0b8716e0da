// The Dimemas network: nodes with L links, machines with B buses, memory with ports and buses, a WAN and
// dedicated connections between machines. A message takes links, then a bus, and holds them all for S / BW;
// it waits for missing ones in FIFO order, keeping those that it has. Source: docs/model.md, sections 4.1 to
// 4.3 and 5.5.
#pragma once
#include <cstdint>
#include <vector>

#include "models/costs/cost_policy.hpp"
#include "models/links_and_buses/links.hpp"
#include "models/links_and_buses/pools.hpp"
#include "sim/replay/observer.hpp"
#include "sim/results/result.hpp"

namespace busline {

class DimemasNetwork : public CostPolicy {
 public:
  DimemasNetwork(const DimemasCosts& costs, const Program& program);
  DimemasNetwork(const DimemasNetwork&) = delete;  // its pools point into it
  DimemasNetwork& operator=(const DimemasNetwork&) = delete;

  /// Tries to start a message from the first step; it keeps the resources that it already holds.
  template <class R>
  void launch(R& r, MessageId id);
  template <class R>
  void release(R& r, MessageId id);
  template <class R>
  void gather(R& r, CollectiveId id);
  template <class R>
  void release_collective(R& r, CollectiveId id);

  /// The use of every limited or used resource, in a fixed order.
  std::vector<ResourceResult> resources() const;

 private:
  // network_messages.hpp
  struct Pools {  // of a message's source and destination; null: none to take
    LinkPool* out = nullptr;
    LinkPool* in = nullptr;
  };
  Pools pools_of(const Message& m);
  template <class R>
  bool take_links(R& r, MessageId id, const Pools& pools);
  template <class R>
  bool take_network_links(R& r, MessageId id, LinkPool& out, LinkPool& in);
  template <class R>
  void rob(R& r, MessageId victim, LinkPool& pool);
  template <class R>
  void start_transfer(R& r, MessageId id, const Pools& pools, BusPool* bus);
  template <class R>
  void leave_queue(R& r, MessageId id, ResourceUse& use, std::int64_t SenderTotals::*total);
  template <class R>
  void relaunch_first(R& r, MessageQueue& queue, ResourceUse& use);
  template <class R>
  void free_out(R& r, MessageId id, LinkPool& pool);
  template <class R>
  void free_in(R& r, MessageId id, LinkPool& pool);
  BusPool* bus_of(const Message& m);
  ResourceId link_queue_of(const Message& m) const;
  ResourceId bus_queue_of(const Message& m) const;

  // network_collectives.hpp
  template <class R>
  void serve_bus_queue(R& r, BusPool& bus);
  template <class R>
  void request_buses(R& r, CollectiveId id, std::size_t representative);
  template <class R>
  bool take_wan_link(R& r, const CollectiveInstance& c, MessageId standin, std::uint32_t machine);
  template <class R>
  void resume(R& r, MessageId standin);
  template <class R>
  void next_stage(R& r, CollectiveId id);
  template <class R>
  void begin(R& r, CollectiveId id);
  template <class R>
  MessageId standin_for(R& r, CollectiveId id, std::size_t representative);
  bool holds_buses(const CollectiveInstance& c) const;

  void give_owner_places();

  IdVector<NodeId, LinkPool> node_links_;
  IdVector<RankId, LinkPool> ports_;        // empty if no node limits them
  IdVector<NodeId, BusPool> memory_buses_;  // empty if no node limits them
  std::vector<BusPool> buses_;              // by machine
  std::vector<LinkPool> wan_links_;         // by machine
  std::vector<LinkPool> dedicated_links_;   // by connection
  std::vector<MessageId> link_owners_;      // LinkPool::out_owners of all pools
};

}  // namespace busline

#include "models/links_and_buses/network_collectives.hpp"  // IWYU pragma: keep
#include "models/links_and_buses/network_messages.hpp"     // IWYU pragma: keep
