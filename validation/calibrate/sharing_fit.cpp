#include "validation/calibrate/sharing_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::Point;
using measure::RouteClass;
using measure::Suite;
using Suites = std::vector<const Suite*>;
using Set = std::function<void(Platform&, Count)>;

constexpr double kAdmitted = 3.84;   // chi squared, 95 %, one degree of freedom
constexpr double kConvincing = 20;   // between kinds of machines
constexpr double kWhole = 0.03;      // what a suite may be off as a whole: it is another benchmark
constexpr double kPoint = 0.01;      // what a point may be off beyond its standard error
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
  return std::hypot(kPoint, measured / std::sqrt(ranks));
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

// One number of servers, all else given.
class CountSearch {
 public:
  CountSearch(const Suites& suites, const Platform& platform, Set set, Count most)
      : suites_(suites), platform_(platform), set_(std::move(set)), most_(most) {}

  CountFit run() {
    CountFit fit;
    if (suites_.empty()) return fit;
    fit.measured = true;
    fit.most_at_once = most_;
    for (const auto* s : suites_) fit.suites.push_back(s->name);
    const auto first = by_largest_step();
    Count best = first;
    for (Count c = first > 2 ? first - 2 : 1; c <= std::min(most_, first + 2); ++c)
      if (misfit(c) < misfit(best)) best = c;
    least_ = std::min(misfit(best), misfit(kUnlimited));
    fit.value = fit.at_most = misfit(kUnlimited) - least_ <= kAdmitted ? kUnlimited : best;
    // Downwards each number fits worse than the one above.
    fit.at_least = best;
    while (fit.at_least > 1 && admitted(fit.at_least - 1)) --fit.at_least;
    if (fit.value != kUnlimited)
      while (fit.at_most < most_ && admitted(fit.at_most + 1)) ++fit.at_most;
    return fit;
  }

  double least() const { return least_; }

 private:
  bool admitted(Count c) { return misfit(c) - least_ <= kAdmitted; }

  Platform with(Count c) const {
    auto platform = platform_;
    set_(platform, c);
    return platform;
  }

  double misfit(Count c) {
    const auto [at, is_new] = known_.try_emplace(c, 0);
    if (is_new) at->second = misfit_of(suites_, with(c));
    return at->second;
  }

  // The fewest servers that are fast enough where most messages share them.
  Count by_largest_step() const {
    Count low = 1, high = most_;
    while (low < high) {
      const Count half = low + (high - low) / 2;
      const auto ratio = log_ratio(*suites_.front(), suites_.front()->points.back(), with(half));
      if (ratio && *ratio >= 0)
        high = half;
      else
        low = half + 1;
    }
    return low;
  }

  const Suites& suites_;
  const Platform& platform_;
  Set set_;
  Count most_;
  double least_ = 0;
  std::map<Count, double> known_;
};

Links links(bool half_duplex, Count n) {
  if (n == kUnlimited) return {};
  return {half_duplex ? Links::Kind::half_duplex : Links::Kind::full_duplex, n, n};
}

NodeGroup& nodes_of(Platform& platform) {
  return platform.machines.front().nodes.front();
}

// Pairs at once, as far as one suite goes.
std::uint64_t most_pairs(const Suites& suites) {
  std::uint64_t most = 1;
  for (const auto* s : suites) most = std::max(most, s->points.back().argument);
  return std::min<std::uint64_t>(most, kMaxServers / 2);
}

class Sharing {
 public:
  Sharing(const std::vector<Suite>& suites, const Platform& platform) : platform_(platform) {
    nodes_of(platform_).links = {};
    platform_.machines.front().network.buses = kUnlimited;
    nodes_of(platform_).intra_node.buses = kUnlimited;
    for (const auto& s : suites) {
      if (s.varies != measure::Varies::pairs || s.points.empty() || !s.route_class) continue;
      const bool can_be_simulated = predicted_times(s, s.points.back(), platform_).has_value();
      if (!can_be_simulated) continue;
      const bool inter = *s.route_class != RouteClass::intra_node;
      if (s.pattern == Pattern::node_flows && inter) flows_.push_back(&s);
      if (s.pattern == Pattern::pairings) (inter ? pairs_ : memory_pairs_).push_back(&s);
    }
  }

  SharingFit fit(Network::Sharing otherwise) {
    const auto one = fit_as(otherwise);
    const auto other =
        fit_as(otherwise == Network::Sharing::fair ? Network::Sharing::exclusive : Network::Sharing::fair);
    auto fit = other.second < one.second - kConvincing ? other.first : one.first;
    fit.sharing_is_known = std::abs(other.second - one.second) > kConvincing;
    return fit;
  }

 private:
  std::pair<SharingFit, double> fit_as(Network::Sharing sharing) const {
    SharingFit fit;
    fit.sharing = sharing;
    auto platform = platform_;
    platform.machines.front().network.sharing = sharing;
    const auto buses = [](Platform& p, Count n) { p.machines.front().network.buses = n; };
    const auto most = static_cast<Count>(2 * most_pairs(pairs_));
    double total = 0;
    {
      CountSearch full(pairs_, platform, buses, most);
      fit.buses = full.run();
      total += full.least();
      // One link for both directions shows between single pairs of nodes already.
      auto half = platform;
      nodes_of(half).links = links(true, 1);
      CountSearch shared(pairs_, half, buses, most);
      const auto with_one_link = shared.run();
      fit.duplex_is_known = std::abs(shared.least() - full.least()) > kConvincing;
      if (shared.least() < full.least() - kConvincing) {
        fit.buses = with_one_link;
        fit.half_duplex = true;
        total += shared.least() - full.least();
      }
    }
    buses(platform, fit.buses.value);
    const bool half = fit.half_duplex;
    CountSearch of_links(
        flows_, platform, [half](Platform& p, Count n) { nodes_of(p).links = links(half, n); },
        static_cast<Count>(most_pairs(flows_)));
    fit.links = of_links.run();
    // Nothing else explains pairs of nodes that cannot send both ways at once.
    if (half && fit.links.value == kUnlimited) fit.links.value = fit.links.at_least = 1;
    total += of_links.least();
    CountSearch memory(
        memory_pairs_, platform, [](Platform& p, Count n) { nodes_of(p).intra_node.buses = n; },
        static_cast<Count>(2 * most_pairs(memory_pairs_)));
    fit.memory_buses = memory.run();
    total += memory.least();
    return {fit, total};
  }

  Platform platform_;
  Suites flows_, pairs_, memory_pairs_;
};

}  // namespace

SharingFit fit_sharing(const std::vector<Suite>& suites, const Platform& platform,
                       Network::Sharing otherwise) {
  return Sharing(suites, platform).fit(otherwise);
}

void apply(const SharingFit& fit, Platform& platform) {
  nodes_of(platform).links = links(fit.half_duplex, fit.links.value);
  nodes_of(platform).intra_node.buses = fit.memory_buses.value;
  platform.machines.front().network.buses = fit.buses.value;
  platform.machines.front().network.sharing = fit.sharing;
}

}  // namespace busline::calibrate
