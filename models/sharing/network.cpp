#include "models/sharing/network.hpp"

#include <algorithm>
#include <cmath>

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

FairNetwork::Packets FairNetwork::packets_of(const Message& m) const {
  if (static_cast<Route>(m.route) != Route::network) return {};
  const auto size = count(costs_.platform().machines[costs_.machine_of(m.source)].network.packet);
  if (size == 0) return {};
  const auto packets = (m.bytes + size - 1) / size;
  if (packets <= 1) return {.middle = 0, .first = 0, .last = m.transfer};
  const auto full = static_cast<std::int64_t>(std::llround(
      static_cast<double>(m.transfer) * (static_cast<double>(size) / static_cast<double>(m.bytes))));
  const auto others = static_cast<std::int64_t>(packets - 1);
  return {.middle = static_cast<double>(others - 1) / static_cast<double>(others),
          .first = full,
          .last = std::max<std::int64_t>(m.transfer - others * full, 0)};
}

FairNetwork::Queue& FairNetwork::queue_now(std::uint32_t resource, std::int64_t now) {
  Queue& q = queue_of_[resource];
  const double surplus = q.comes - static_cast<double>(resources_[resource].capacity);
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
