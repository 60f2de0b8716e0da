#include "validation/calibrate/sharing_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::Point;
using measure::RouteClass;
using measure::Suite;
using measure::Varies;
using Suites = std::vector<const Suite*>;

constexpr double kWhole = 0.03;      // what a suite may be off as a whole: it is another benchmark
constexpr double kPoint = 0.01;      // what a point may be off beyond its standard error
constexpr double kOneSample = 0.1;   // what a single sample may be off
constexpr double kImpossible = 1e9;  // the misfit of a machine that cannot run a suite

// Mean over the ranks of log(measured / predicted); nothing if it cannot be predicted.
std::optional<double> log_ratio(const Suite& suite, const Point& point, const Platform& platform) {
  const auto measured = measured_times(suite, point);
  const auto predicted = predicted_times(suite, point, platform);
  if (!predicted || predicted->ps.size() != measured.ps.size()) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < measured.ps.size(); ++i) {
    if (measured.ps[i] <= 0 || predicted->ps[i] <= 0) return std::nullopt;
    sum += std::log(measured.ps[i] / predicted->ps[i]);
  }
  return sum / static_cast<double>(measured.ps.size());
}

double relative_error(const Suite& suite, const Point& point) {
  const auto ranks = static_cast<double>(measured_times(suite, point).ps.size());
  const double measured =
      point.result_ps.value > 0 ? point.result_ps.standard_error / point.result_ps.value : 0;
  // One sample does not know how far off it is.
  const double unknown = point.count == 1 ? kOneSample : 0;
  return std::hypot(kPoint, measured / std::sqrt(ranks), unknown);
}

// Chi squared with Huber's loss, the best common offset taken off at its price.
double misfit_of(const Suite& suite, const Platform& platform) {
  std::vector<double> ratios, errors;
  double weighted = 0, weight = 1 / (kWhole * kWhole);
  for (const auto& point : suite.points) {
    const auto ratio = log_ratio(suite, point, platform);
    if (!ratio) return kImpossible;
    const double error = relative_error(suite, point);
    ratios.push_back(*ratio);
    errors.push_back(error);
    weighted += *ratio / (error * error);
    weight += 1 / (error * error);
  }
  const double offset = weighted / weight;
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = (ratios[i] - offset) / errors[i];
  return misfit(ratios, 1) + (offset / kWhole) * (offset / kWhole);
}

double misfit_of(const Suites& suites, const Platform& platform) {
  double sum = 0;
  for (const auto* suite : suites) sum += misfit_of(*suite, platform);
  return sum;
}

Links links(bool half_duplex, Count n) {
  if (n == kUnlimited) return {};
  return {half_duplex ? Links::Kind::half_duplex : Links::Kind::full_duplex, n, n};
}

NodeGroup& nodes_of(Platform& platform) {
  return platform.machines.front().nodes.front();
}

// A part of the machine whose messages share links and buses.
struct Part {
  Suites flows, pairs;
  Links& (*links_of)(Platform&);
  Count& (*buses_of)(Platform&);

  Suites all() const {
    Suites both = flows;
    both.insert(both.end(), pairs.begin(), pairs.end());
    return both;
  }
};

Links& network_links(Platform& p) {
  return nodes_of(p).links;
}
Count& network_buses(Platform& p) {
  return p.machines.front().network.buses;
}
Links& memory_links(Platform& p) {
  return nodes_of(p).intra_node.links;
}
Count& memory_buses(Platform& p) {
  return nodes_of(p).intra_node.buses;
}

// Pairs or flows at once, as far as one suite goes. Where the ranks vary, one of them sends to all others.
Count most_pairs(const Suites& suites) {
  std::uint64_t most = 0;
  for (const auto* s : suites) {
    const auto last = s->points.back().argument;
    most = std::max(most, s->varies == Varies::ranks ? last - std::min<std::uint64_t>(last, 1) : last);
  }
  return static_cast<Count>(std::min<std::uint64_t>(most, kMaxServers / 2));
}

// Senders that share a node's links; ranks of a node in memory have links of their own.
Count most_on_a_node(const Suites& suites) {
  std::size_t most = 1;
  for (const auto* s : suites) {
    if (s->route_class == RouteClass::intra_node) continue;
    std::map<std::uint32_t, std::size_t> ranks_on;
    for (const auto node : s->nodes) most = std::max(most, ++ranks_on[node]);
  }
  return static_cast<Count>(std::min<std::size_t>(most, kMaxServers));
}

std::vector<std::string> names(const Suites& suites) {
  std::vector<std::string> all;
  for (const auto* s : suites) all.push_back(s->name);
  return all;
}

// The number of buses, with given links.
class BusSearch {
 public:
  BusSearch(const Part& part, Platform platform)
      : part_(part), suites_(part.all()), platform_(std::move(platform)), most_(2 * most_pairs(part.pairs)) {}

  // The number that fits best and its misfit.
  std::pair<Count, double> best() {
    Count best = kUnlimited;
    if (most_ == 0) return {best, misfit(best)};
    const auto first = by_largest_step();
    for (Count c = first > kAround ? first - kAround : 1; c <= std::min(most_, first + kAround); ++c)
      if (misfit(c) < misfit(best)) best = c;
    return {best, misfit(best)};
  }

  // The numbers that fit hardly worse. More buses than messages are like none that are missing.
  CountFit range(std::pair<Count, double> best) {
    CountFit fit;
    fit.measured = most_ > 0;
    if (!fit.measured) return fit;
    fit.suites = names(part_.pairs);
    fit.most_at_once = most_;
    const auto admitted = [&](Count c) { return misfit(c) - best.second <= kAdmitted; };
    fit.value = fit.at_most = admitted(kUnlimited) ? kUnlimited : best.first;
    fit.at_least = best.first == kUnlimited ? most_ : best.first;
    while (fit.at_least > 1 && admitted(fit.at_least - 1)) --fit.at_least;
    if (fit.value != kUnlimited)
      while (fit.at_most < most_ && admitted(fit.at_most + 1)) ++fit.at_most;
    return fit;
  }

 private:
  static constexpr Count kAround = 2;  // the largest step alone finds it to within one

  Platform with(Count c) const {
    auto platform = platform_;
    part_.buses_of(platform) = c;
    return platform;
  }

  double misfit(Count c) {
    const auto [at, is_new] = known_.try_emplace(c, 0);
    if (is_new) at->second = misfit_of(suites_, with(c));
    return at->second;
  }

  // The fewest that are fast enough where most messages share them.
  Count by_largest_step() const {
    const auto& suite =
        **std::max_element(part_.pairs.begin(), part_.pairs.end(), [](const Suite* a, const Suite* b) {
          return a->points.back().result_ps.value < b->points.back().result_ps.value;
        });
    Count low = 1, high = most_;
    while (low < high) {
      const Count half = low + (high - low) / 2;
      const auto ratio = log_ratio(suite, suite.points.back(), with(half));
      if (ratio && *ratio >= 0)
        high = half;
      else
        low = half + 1;
    }
    return low;
  }

  const Part& part_;
  Suites suites_;
  Platform platform_;
  Count most_;
  std::map<Count, double> known_;
};

// Links and buses together: the buses that fit best for each number of links, and the links of which those
// fit best.
class PartSearch {
 public:
  PartSearch(const Part& part, const Platform& platform, bool rendezvous_hides_duplex)
      : part_(part), platform_(platform) {
    const auto all = part.all();
    const bool in_a_row = std::any_of(all.begin(), all.end(), [](const Suite* s) { return s->messages > 1; });
    most_links_ = std::max({most_pairs(part.flows), in_a_row ? kLinksInARow : 1, most_on_a_node(part.pairs)});
    const auto limit = platform.mpi.rendezvous_from;
    is_hidden_ = rendezvous_hides_duplex && limit &&
                 std::all_of(part.pairs.begin(), part.pairs.end(),
                             [&](const Suite* s) { return Bytes{s->bytes.value_or(0)} >= *limit; });
  }

  std::pair<ServersFit, double> run() {
    if (part_.flows.empty() && part_.pairs.empty()) return {};
    const auto full = with(false);
    const auto half = with(true);
    const bool looks_half = half.second < full.second - kConvincing;
    auto best = looks_half ? half : full;
    // Whatever makes one direction wait for the other, the counts beside it are those that explain the times.
    best.first.duplex_is_hidden = looks_half && is_hidden_;
    if (best.first.duplex_is_hidden) best.first.half_duplex = false;
    best.first.duplex_is_known = !is_hidden_ && std::abs(half.second - full.second) > kConvincing;
    return best;
  }

 private:
  static constexpr Count kLinksInARow = 4;  // that messages of one rank in a row are looked at for

  BusSearch buses(bool half_duplex, Count n) const {
    auto platform = platform_;
    part_.links_of(platform) = links(half_duplex, n);
    return {part_, std::move(platform)};
  }

  std::pair<ServersFit, double> with(bool half_duplex) const {
    std::map<Count, std::pair<Count, double>> fits;
    if (!half_duplex) fits[kUnlimited] = buses(false, kUnlimited).best();
    for (Count n = 1; n <= most_links_; ++n) fits[n] = buses(half_duplex, n).best();
    const auto best = std::min_element(fits.begin(), fits.end(), [](const auto& a, const auto& b) {
      return a.second.second < b.second.second;
    });
    const double least = best->second.second;
    const auto admitted = [&](Count n) {
      const auto at = fits.find(n);
      return at != fits.end() && at->second.second - least <= kAdmitted;
    };
    ServersFit fit;
    fit.half_duplex = half_duplex;
    auto& l = fit.links;
    l.most_at_once = most_links_;
    l.suites = names(part_.flows.empty() ? part_.pairs : part_.flows);
    l.value = l.at_most = admitted(kUnlimited) ? kUnlimited : best->first;
    l.at_least = best->first == kUnlimited ? std::max<Count>(most_links_, 1) : best->first;
    while (l.at_least > 1 && admitted(l.at_least - 1)) --l.at_least;
    if (l.value != kUnlimited)
      while (admitted(l.at_most + 1)) ++l.at_most;
    l.measured = most_links_ > 1 || l.value != kUnlimited;
    auto of_buses = buses(half_duplex, l.value);
    fit.buses = of_buses.range(of_buses.best());
    return {fit, least};
  }

  const Part& part_;
  const Platform& platform_;
  Count most_links_ = 0;
  bool is_hidden_ = false;
};

class Sharing {
 public:
  Sharing(const std::vector<Suite>& suites, const Platform& platform, const SharingOptions& options)
      : platform_(platform), options_(options) {
    apply(SharingFit(), platform_);
    for (const auto& s : suites) {
      const bool flows = s.pattern == Pattern::node_flows && s.varies == Varies::ranks;
      if ((s.varies != Varies::pairs && !flows) || s.points.empty() || !s.route_class) continue;
      if (!predicted_times(s, s.points.back(), platform_)) continue;
      auto& part = *s.route_class == RouteClass::intra_node ? memory_ : network_;
      if (s.pattern == Pattern::node_flows) part.flows.push_back(&s);
      if (s.pattern == Pattern::pairings) part.pairs.push_back(&s);
    }
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
    return best.first;
  }

 private:
  std::pair<SharingFit, double> fit_as(Network::Sharing sharing) const {
    auto platform = platform_;
    platform.machines.front().network.sharing = sharing;
    const auto network = PartSearch(network_, platform, options_.rendezvous_hides_duplex).run();
    const auto memory = PartSearch(memory_, platform, false).run();
    return {SharingFit{network.first, memory.first, sharing, false}, network.second + memory.second};
  }

  Platform platform_;
  SharingOptions options_;
  Part network_{{}, {}, network_links, network_buses};
  Part memory_{{}, {}, memory_links, memory_buses};
};

}  // namespace

SharingFit fit_sharing(const std::vector<Suite>& suites, const Platform& platform,
                       const SharingOptions& options) {
  return Sharing(suites, platform, options).fit();
}

void apply(const SharingFit& fit, Platform& platform) {
  network_links(platform) = links(fit.network.half_duplex, fit.network.links.value);
  network_buses(platform) = fit.network.buses.value;
  memory_links(platform) = links(fit.memory.half_duplex, fit.memory.links.value);
  memory_buses(platform) = fit.memory.buses.value;
  platform.machines.front().network.sharing = fit.sharing;
}

}  // namespace busline::calibrate
