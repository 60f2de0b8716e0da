#include "models/slopes/cost_slopes.hpp"

namespace busline {

Slope CostSlopes::overhead(RankId rank, const Operation& op) const {
  const auto size = Bytes{static_cast<std::uint64_t>(op.amount)};
  const RankId peer{op.peer};
  Slope s;
  switch (op.kind) {
    case OpKind::send:
    case OpKind::isend:
    case OpKind::part_send:
    case OpKind::put:
    case OpKind::get:
      s.latency = costs_.latencies_on_cpu(rank, op.peer == kAnySource ? rank : peer, size);
      break;
    case OpKind::recv:
    case OpKind::wait_recv:
      s.latency = op.peer == kAnySource ? costs_.latencies_on_cpu_of_open_receive(rank, size)
                                        : costs_.latencies_on_cpu(peer, rank, size);
      break;
    case OpKind::collective:
    case OpKind::collective_start:
    case OpKind::collective_wait:
      s.latency = costs_.latencies_in_collective_overhead(
          rank, shapes_[CommunicatorId{program_.collectives()[op.detail].communicator}]);
      break;
    default:
      break;
  }
  return s;
}

Slope CostSlopes::flight(const Message& m) const {
  Slope s;
  s.latency = costs_.latencies_in_flight(m.source, m.destination, Bytes{m.bytes});
  return s;
}

Slope CostSlopes::collective(const CollectiveInstance& c) const {
  std::vector<RankId> ranks;
  for (const auto& r : c.representatives)
    ranks.push_back(RankId{program_.strands()[raw(r.member.strand)].rank});
  Slope s;
  if (ranks.empty()) return s;  // MPI_Init and MPI_Finalize, which cost nothing
  const auto& root = program_.collectives()[c.representatives[c.root].member.args];
  const auto cost = collective_cost(root, c.most_sent, c.most_received, ranks, c.root);
  s.latency = cost.network.latencies;
  s.transfer = cost.network.transfer;
  return s;
}

}  // namespace busline
