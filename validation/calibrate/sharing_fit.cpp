#include "validation/calibrate/sharing_fit.hpp"

#include <cmath>
#include <list>
#include <utility>

#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/server_search.hpp"
#include "validation/calibrate/shared_part.hpp"
#include "validation/calibrate/sharing_misfit.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::RouteClass;
using measure::Suite;
using measure::Varies;

class Sharing {
 public:
  Sharing(const std::vector<Suite>& suites, const Platform& platform, const SharingOptions& options)
      : platform_(platform), options_(options) {
    apply(SharingFit(), platform_);
    network_.chance = chance_of(suites, RouteClass::inter_node);
    memory_.chance = chance_of(suites, RouteClass::intra_node);
    for (const auto& s : suites) {
      const bool flows = s.pattern == Pattern::node_flows && s.varies == Varies::ranks;
      if ((s.varies != Varies::pairs && !flows) || s.points.empty() || !s.route_class) continue;
      if (!predicted_times(s, s.points.back(), platform_, false)) continue;
      auto& part = *s.route_class == RouteClass::intra_node ? memory_ : network_;
      if (s.pattern == Pattern::node_flows) part.flows.push_back(&s);
      if (s.pattern == Pattern::pairings) part.pairs.push_back(&s);
    }
    if (network_.all().empty()) use_windows(suites);
  }

  // The usual one unless another one fits much better.
  SharingFit fit() const {
    const auto otherwise = options_.otherwise;
    auto best = fit_as(otherwise);
    bool known = true;
    const auto usual = best.second;
    for (const auto sharing : {Network::Sharing::exclusive, Network::Sharing::fair, Network::Sharing::streams,
                               Network::Sharing::queues}) {
      if (sharing == otherwise) continue;
      auto other = fit_as(sharing);
      if (std::abs(other.second - usual) <= kConvincing) known = false;
      if (other.second < usual - kConvincing && other.second < best.second) best = std::move(other);
    }
    best.first.sharing_is_known = known;
    best.first.other_sharing = other_way(best);
    return best.first;
  }

 private:
  // Those that are most alike come first.
  std::optional<Network::Sharing> other_way(const std::pair<SharingFit, double>& chosen) const {
    const auto& [fit, misfit] = chosen;
    if (fit.network.links.value == kUnlimited && fit.network.buses.value == kUnlimited) return std::nullopt;
    std::optional<Network::Sharing> other;
    double best = misfit + kAdmitted;
    for (const auto sharing : {Network::Sharing::queues, Network::Sharing::streams, Network::Sharing::fair,
                               Network::Sharing::exclusive}) {
      if (sharing == fit.sharing) continue;
      auto platform = platform_;
      apply(fit, platform);
      platform.machines.front().network.sharing = sharing;
      const double as_other = sharing_misfit(network_.all(), platform, network_.chance) +
                              sharing_misfit(memory_.all(), platform, memory_.chance);
      if (as_other >= best) continue;
      best = as_other;
      other = sharing;
    }
    return other;
  }

  // Two ranks on two nodes show links all the same: messages of a window follow one another on a single link,
  // and are on their way together on several. Of sizes whose transfer lasts longer than their latency; the
  // others show what calls cost.
  void use_windows(const std::vector<Suite>& suites) {
    const auto& network = platform_.machines.front().network;
    for (const auto& s : suites) {
      if (s.pattern != Pattern::bandwidth || s.varies != Varies::bytes || s.messages < 2 ||
          s.route_class != RouteClass::inter_node)
        continue;
      auto window = s;
      std::erase_if(window.points, [&](const measure::Point& p) {
        return p.interpolated || Bytes{p.argument} / network.bandwidth <= network.latency;
      });
      if (window.points.empty() || !predicted_times(window, window.points.back(), platform_, false)) continue;
      windows_.push_back(std::move(window));
      network_.flows.push_back(&windows_.back());
    }
  }

  std::pair<SharingFit, double> fit_as(Network::Sharing sharing) const {
    auto platform = platform_;
    platform.machines.front().network.sharing = sharing;
    const auto network = fit_servers(network_, platform, options_.rendezvous_hides_duplex);
    const auto memory = fit_servers(memory_, platform, false);
    return {SharingFit{network.first, memory.first, sharing, false, std::nullopt},
            network.second + memory.second};
  }

  Platform platform_;
  SharingOptions options_;
  std::list<Suite> windows_;  // to which network_ points
  SharedPart network_ = network_part(), memory_ = memory_part();
};

}  // namespace

SharingFit fit_sharing(const std::vector<Suite>& suites, const Platform& platform,
                       const SharingOptions& options) {
  return Sharing(suites, platform, options).fit();
}

void apply(const SharingFit& fit, Platform& platform) {
  const auto put = [&](const SharedPart& part, const ServersFit& servers) {
    part.links_of(platform) = server_links(servers.half_duplex, servers.links.value);
    part.buses_of(platform) = servers.buses.value;
  };
  put(network_part(), fit.network);
  put(memory_part(), fit.memory);
  platform.machines.front().network.sharing = fit.sharing;
}

}  // namespace busline::calibrate
