#include "validation/calibrate/server_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/costs/protocol.hpp"
#include "validation/calibrate/bus_capacity.hpp"
#include "validation/calibrate/robust_fit.hpp"

namespace busline::calibrate {
namespace {

// The number of buses, with given links.
class BusSearch {
 public:
  BusSearch(const SharedPart& part, Platform platform)
      : part_(part),
        suites_(part.all()),
        platform_(std::move(platform)),
        most_(most_at_once(part.pairs, part.links_of(platform_))) {}

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
    fit.suites = suite_names(part_.pairs);
    fit.most_at_once = most_;
    const auto admitted = [&](Count c) { return misfit(c) - best.second <= kAdmitted; };
    fit.value = fit.at_most = admitted(kUnlimited) ? kUnlimited : best.first;
    const auto highest = best.first == kUnlimited ? most_ : best.first;
    fit.at_least = fewest(1, highest, admitted);
    if (fit.value != kUnlimited)
      while (fit.at_most < most_ && admitted(fit.at_most + 1)) ++fit.at_most;
    return fit;
  }

  double misfit(Count c) {
    const auto [at, is_new] = known_.try_emplace(c, 0);
    if (is_new) at->second = sharing_misfit(suites_, with(c), part_.chance);
    return at->second;
  }

 private:
  // The fewest of `low` to `high` that are enough: `high` is, and so are more than enough.
  template <class Enough>
  static Count fewest(Count low, Count high, const Enough& enough) {
    while (low < high) {
      const Count half = low + (high - low) / 2;
      if (enough(half))
        high = half;
      else
        low = half + 1;
    }
    return low;
  }

  static constexpr Count kAround = 2;  // the largest step alone finds it to within one

  Platform with(Count c) const {
    auto platform = platform_;
    part_.buses_of(platform) = c;
    return platform;
  }

  // The fewest that are fast enough where most messages share them.
  Count by_largest_step() const {
    const auto& suite = **std::max_element(
        part_.pairs.begin(), part_.pairs.end(), [](const measure::Suite* a, const measure::Suite* b) {
          return a->points.back().result_ps.value < b->points.back().result_ps.value;
        });
    return fewest(1, most_, [&](Count c) {
      const auto ratio = log_ratio(suite, suite.points.back(), with(c), part_.chance);
      return ratio && *ratio >= 0;
    });
  }

  const SharedPart& part_;
  Suites suites_;
  Platform platform_;
  Count most_;
  std::map<Count, double> known_;
};

// Links and buses together: the buses that fit best for each number of links, and the links of which those
// fit best.
class PartSearch {
 public:
  PartSearch(const SharedPart& part, const Platform& platform, bool rendezvous_hides_duplex)
      : part_(part), platform_(platform) {
    const auto all = part.all();
    const bool in_a_row =
        std::any_of(all.begin(), all.end(), [](const measure::Suite* s) { return s->messages > 1; });
    most_links_ = std::max({most_pairs(part.flows), in_a_row ? kLinksInARow : 1, most_on_a_node(part.pairs)});
    const auto network = network_protocol(platform.mpi);
    is_hidden_ = rendezvous_hides_duplex && platform.mpi.rendezvous_from &&
                 std::all_of(part.pairs.begin(), part.pairs.end(), [&](const measure::Suite* s) {
                   return is_large(network, s->bytes.value_or(0));
                 });
  }

  std::pair<ServersFit, double> run() {
    if (part_.flows.empty() && part_.pairs.empty()) return {};
    if (is_hidden_ && !part_.flows.empty()) return by_flows_and_capacity();
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

  // Links from flows alone, which go one way.
  std::pair<ServersFit, double> by_flows_and_capacity() const {
    auto flows = part_;
    flows.pairs.clear();
    auto fit = PartSearch(flows, platform_, false).with(false);
    fit.first.buses = buses_by_capacity(part_.pairs, platform_);
    if (fit.first.other) fit.first.other->second = fit.first.buses.value;
    return fit;
  }

  BusSearch buses(bool half_duplex, Count n) const {
    auto platform = platform_;
    part_.links_of(platform) = server_links(half_duplex, n);
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
    l.suites = suite_names(part_.flows.empty() ? part_.pairs : part_.flows);
    l.value = l.at_most = admitted(kUnlimited) ? kUnlimited : best->first;
    l.at_least = best->first == kUnlimited ? std::max<Count>(most_links_, 1) : best->first;
    while (l.at_least > 1 && admitted(l.at_least - 1)) --l.at_least;
    if (l.value != kUnlimited)
      while (admitted(l.at_most + 1)) ++l.at_most;
    l.measured = most_links_ > 1 || l.value != kUnlimited;
    auto of_buses = buses(half_duplex, l.value);
    const auto best_buses = of_buses.best();
    fit.buses = of_buses.range(best_buses);
    fits[l.value] = best_buses;
    fit.other = other_explanation(fits, {l.value, fit.buses.value}, of_buses.misfit(fit.buses.value), least);
    return {fit, least};
  }

  // Those that predict the same say nothing else: more servers than messages at once.
  static std::optional<std::pair<Count, Count>> other_explanation(
      const std::map<Count, std::pair<Count, double>>& fits, std::pair<Count, Count> chosen, double of_chosen,
      double least) {
    constexpr double kSameMisfit = 1e-6;
    std::optional<std::pair<Count, Count>> other;
    double best = least + kAdmitted;
    for (const auto& [n, fit] : fits) {
      const bool differs =
          std::pair(n, fit.first) != chosen && std::abs(fit.second - of_chosen) > kSameMisfit;
      if (!differs || fit.second > best) continue;
      best = fit.second;
      other = {n, fit.first};
    }
    return other;
  }

  const SharedPart& part_;
  const Platform& platform_;
  Count most_links_ = 0;
  bool is_hidden_ = false;
};

}  // namespace

std::pair<ServersFit, double> fit_servers(const SharedPart& part, const Platform& platform,
                                          bool rendezvous_hides_duplex) {
  return PartSearch(part, platform, rendezvous_hides_duplex).run();
}

}  // namespace busline::calibrate
