#include "models/flow/network.hpp"

namespace busline {

/// CM02: Casanova, Marchal 2002. LV08: Velho, Legrand 2009; its three figures are those of SimGrid 3.32.
FlowCharges flow_charges(const FlowOptions& options) {
  FlowCharges c;
  c.law.crosstraffic = options.crosstraffic;
  if (options.weight_size)
    c.law.weight_size = static_cast<double>(count(*options.weight_size)) * kUnitsPerByte;
  if (options.tcp_gamma) c.law.window = static_cast<double>(count(*options.tcp_gamma)) * kUnitsPerByte;
  switch (options.model) {
    case FlowOptions::Model::max_min:
      break;
    case FlowOptions::Model::cm02:
      c.law.weighted = true;
      break;
    case FlowOptions::Model::lv08:
      c.law.weighted = true;
      if (!options.weight_size) c.law.weight_size = 20537 * kUnitsPerByte;
      c.latency_factor = 13.01;
      c.bandwidth_factor = 0.97;
      break;
  }
  return c;
}

FlowNetwork::FlowNetwork(const DimemasCosts& costs, const Program& program,
                         const std::vector<std::optional<RoutedNetwork>>& routed, Flows& flows)
    : UncontendedNetwork(costs, program),
      flows_(flows),
      resources_(costs, program),
      streams_(costs),
      charges_(flow_charges(costs.platform().machines.front().network.flow)),
      numbers_(resources_.all().size(), kNone),
      full_speed_(program.ranks(), kNone) {
  for (const auto& network : routed) {
    routed_.emplace_back();
    if (network) routed_.back().emplace(*network, flows);
  }
}

/// A pair of ranks is a connection with a fixed route; Valiant's route differs for each message.
std::uint64_t FlowNetwork::next_hash(const Message& m) {
  const auto& network = costs_.platform().machines[costs_.machine_of(m.source)].network;
  const auto pair = (std::uint64_t{raw(m.source)} << 32U) | raw(m.destination);
  if (network.topology->routing != Routing::valiant) return pair;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  return pair ^ (++messages_ * kOdd);
}

/// The law's factors times those of the message's size.
SizeClass FlowNetwork::routed_factors(const Message& m) const {
  const auto* of_size = costs_.size_class(costs_.machine_of(m.source), Bytes{m.bytes});
  SizeClass factors = of_size == nullptr ? SizeClass() : *of_size;
  factors.latency_factor *= charges_.latency_factor;
  factors.bandwidth_factor *= charges_.bandwidth_factor;
  return factors;
}

std::uint64_t FlowNetwork::routed_amount(const Message& m) const {
  double amount = static_cast<double>(m.bytes) * kUnitsPerByte / routed_factors(m).bandwidth_factor;
  if (noise_ && amount > 0) amount *= noise_->transfer_factor();
  // Beyond this a double cannot hold all whole numbers, and no run is that long.
  return amount < 0x1p62 ? static_cast<std::uint64_t>(std::llround(amount)) : std::uint64_t{1} << 62U;
}

std::uint32_t FlowNetwork::solver_number(std::uint32_t resource) {
  auto& number = numbers_[resource];
  if (number == kNone) number = flows_.add_link(resources_[resource].capacity * 1e12, true);
  return number;
}

std::vector<ResourceResult> FlowNetwork::resources() const {
  std::vector<ResourceResult> all;
  for (const auto& r : resources_.all())
    if (r.use.messages > 0)
      all.push_back({r.id, r.capacity, Duration::picoseconds(r.use.busy), {}, r.use.messages, 0});
  for (const auto& network : routed_)
    if (network) network->append_resources(all);
  return all;
}

}  // namespace busline
