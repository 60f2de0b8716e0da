#include "models/sharing/network.hpp"

namespace busline {

FairNetwork::FairNetwork(const DimemasCosts& costs, const Program& program)
    : UncontendedNetwork(costs, program),
      progress_(1),
      resources_(costs, program),
      streams_(costs),
      queues_(costs.platform().machines.front().network.sharing == Network::Sharing::queues) {
  for (const auto& r : resources_.all()) progress_.add_resource(r.capacity);
  if (queues_) queue_of_.resize(resources_.all().size());
}

FairNetwork::Queue& FairNetwork::queue_now(std::uint32_t resource, std::int64_t now) {
  Queue& q = queue_of_[resource];
  const double surplus = static_cast<double>(q.streams) - static_cast<double>(resources_[resource].capacity);
  q.waiting = std::max(0., q.waiting + surplus * static_cast<double>(now - q.since));
  q.since = now;
  return q;
}

std::vector<ResourceResult> FairNetwork::resources() const {
  std::vector<ResourceResult> all;
  for (std::uint32_t i = 0; i < resources_.all().size(); ++i) {
    const auto& r = resources_.all()[i];
    if (r.use.messages == 0) continue;
    const std::size_t peak = queues_ ? queue_of_[i].peak : progress_.rates().peak_flows_on(i);
    all.push_back({r.id, r.capacity, Duration::picoseconds(r.use.busy), Duration::picoseconds(r.use.wait),
                   r.use.messages, peak - std::min<std::size_t>(peak, r.capacity)});
  }
  return all;
}

}  // namespace busline
