#include "measuring/linktest/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace busline::linktest {
namespace {

constexpr std::size_t kBins = 16, kSlowPairs = 10;

struct Measurement {
  std::uint32_t initiator, responder;
  double seconds;
  PairClass kind;
};

// Calls `use` with each Measurement, by initiator and responder.
class Measurements {
 public:
  Measurements(const Iteration& iteration, const std::vector<std::uint32_t>& nodes)
      : iteration_(iteration), nodes_(nodes) {}

  template <class Use>
  void for_each(Use use) const {
    const auto ranks = iteration_.seconds.ranks();
    for (std::uint32_t a = 0; a < ranks; ++a)
      for (std::uint32_t b = 0; b < ranks; ++b)
        if (is_measured(iteration_, a, b))
          use(Measurement{a, b, iteration_.seconds(a, b), class_of(nodes_[a], nodes_[b])});
  }

 private:
  const Iteration& iteration_;
  const std::vector<std::uint32_t>& nodes_;
};

std::uint64_t left_out_of(const Iteration& iteration) {
  std::uint64_t n = 0;
  for (std::uint32_t a = 0; a < iteration.seconds.ranks(); ++a)
    for (std::uint32_t b = 0; b < iteration.seconds.ranks(); ++b)
      if (iteration.step(a, b) != 0 && !is_measured(iteration, a, b)) ++n;
  return n;
}

Histogram histogram_of(const Measurements& all, const Spread& spread) {
  Histogram h;
  if (spread.count == 0) return h;
  const auto bins = spread.max > spread.min ? kBins : 1;
  const auto ratio = (std::log(spread.max) - std::log(spread.min)) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const auto edge = [&](std::size_t n) {
      return n == bins ? spread.max : spread.min * std::exp(ratio * static_cast<double>(n));
    };
    h.bins.push_back({edge(i), edge(i + 1), {}});
  }
  all.for_each([&](const Measurement& m) {
    // By the edges that are shown, not by the logarithm, which may round to the other side.
    const auto after = std::upper_bound(h.bins.begin() + 1, h.bins.end(), m.seconds,
                                        [](double t, const Histogram::Bin& b) { return t < b.from; });
    ++(after - 1)->pairs[static_cast<std::size_t>(m.kind)];
  });
  return h;
}

std::vector<StepFigures> step_figures(const LinkTestResult& result, const Iteration& iteration,
                                      const Measurements& all) {
  std::vector<StepFigures> steps;
  std::vector<double> bandwidths;
  all.for_each([&](const Measurement& m) {
    const auto number = iteration.step(m.initiator, m.responder);
    if (steps.size() < number) {
      steps.resize(number);
      bandwidths.resize(number);
    }
    auto& s = steps[number - 1];
    s.min = s.times == 0 ? m.seconds : std::min(s.min, m.seconds);
    s.max = std::max(s.max, m.seconds);
    s.mean += m.seconds;
    ++s.times;
    const bool both_ways = is_measured(iteration, m.responder, m.initiator);
    bandwidths[number - 1] +=
        bandwidth_of(result.settings, m.seconds).in_bytes_per_second() * (both_ways ? 0.5 : 1);
  });
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].step = static_cast<std::uint32_t>(i + 1);
    if (steps[i].times == 0) continue;
    steps[i].mean /= static_cast<double>(steps[i].times);
    if (result.settings.flags[kSerial] == 0) steps[i].bisection = Bandwidth::bytes_per_second(bandwidths[i]);
  }
  return steps;
}

std::vector<RankFigures> ranks_of(const LinkTestResult& result, const Measurements& all) {
  std::vector<RankFigures> ranks(result.ranks());
  std::vector<std::array<double, 2>> times(result.ranks());
  const auto add = [](SideFigures& side, double& n, double seconds, std::uint32_t partner) {
    side.mean += seconds;
    ++n;
    if (seconds <= side.max) return;
    side.max = seconds;
    side.slowest_partner = partner;
  };
  all.for_each([&](const Measurement& m) {
    add(ranks[m.initiator].initiator, times[m.initiator][0], m.seconds, m.responder);
    add(ranks[m.responder].responder, times[m.responder][1], m.seconds, m.initiator);
  });
  for (std::uint32_t rank = 0; rank < result.ranks(); ++rank) {
    ranks[rank].initiator.mean /= std::max(1.0, times[rank][0]);
    ranks[rank].responder.mean /= std::max(1.0, times[rank][1]);
  }
  return ranks;
}

Verdict verdict_of(const SlowPair& pair, const Spread& usual) {
  if (usual.count == 0) return Verdict::ordinary;
  const auto slow = kSlowFactor * usual.median;
  if (pair.first <= slow) return Verdict::ordinary;
  if (!pair.second) return Verdict::not_retested;
  return *pair.second > slow ? Verdict::reproducible : Verdict::transient;
}

bool is_slower(const TimedPair& a, const TimedPair& b) {
  if (a.seconds != b.seconds) return a.seconds > b.seconds;
  return std::pair(a.initiator, a.responder) < std::pair(b.initiator, b.responder);
}

std::vector<SlowPair> slow_pairs_of(const Iteration& iteration, const std::vector<std::uint32_t>& nodes,
                                    const Analysis& figures) {
  std::vector<SlowPair> slow;
  for (const auto& r : iteration.retests)
    if (is_time(r.first) && is_time(r.second))
      slow.push_back({r.initiator, r.responder, PairClass::within_node, r.first, r.second});
  if (slow.empty())
    for (const auto& m : slowest_of(iteration, kSlowPairs))
      slow.push_back({m.initiator, m.responder, PairClass::within_node, m.seconds, std::nullopt});
  for (auto& s : slow) {
    s.kind = class_of(nodes[s.initiator], nodes[s.responder]);
    s.verdict = verdict_of(s, figures.classes[static_cast<std::size_t>(s.kind)]);
  }
  return slow;
}

}  // namespace

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds > 0;
}

bool is_measured(const Iteration& i, std::uint32_t initiator, std::uint32_t responder) {
  return i.access != AccessPattern::unmapped && i.step(initiator, responder) != 0 &&
         is_time(i.seconds(initiator, responder));
}

std::vector<TimedPair> slowest_of(const Iteration& iteration, std::size_t count) {
  std::vector<TimedPair> slowest;  // a heap with the fastest of them on top
  const auto ranks = count == 0 ? 0 : iteration.seconds.ranks();
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = 0; b < ranks; ++b) {
      if (!is_measured(iteration, a, b)) continue;
      const TimedPair pair{a, b, iteration.seconds(a, b)};
      if (slowest.size() == count) {
        if (!is_slower(pair, slowest.front())) continue;
        std::pop_heap(slowest.begin(), slowest.end(), is_slower);
        slowest.pop_back();
      }
      slowest.push_back(pair);
      std::push_heap(slowest.begin(), slowest.end(), is_slower);
    }
  std::sort_heap(slowest.begin(), slowest.end(), is_slower);
  return slowest;
}

std::vector<std::uint32_t> nodes_of(const LinkTestResult& result) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> nodes;
  nodes.reserve(result.places.size());
  for (const auto& place : result.places)
    nodes.push_back(
        numbers.try_emplace(place.host, static_cast<std::uint32_t>(numbers.size())).first->second);
  return nodes;
}

Bandwidth bandwidth_of(const Settings& settings, double seconds) {
  const auto bytes = static_cast<double>(settings.message_bytes);
  return Bandwidth::bytes_per_second((settings.kernel == KernelKind::bidirectional ? 2 : 1) * bytes /
                                     seconds);
}

Analysis analyse(const LinkTestResult& result, const Iteration& iteration) {
  Analysis a;
  const auto nodes = nodes_of(result);
  const Measurements all(iteration, nodes);
  a.left_out = left_out_of(iteration);
  a.all = spread_of([&](auto use) { all.for_each([&](const Measurement& m) { use(m.seconds); }); });
  for (const auto kind : {PairClass::within_node, PairClass::between_nodes})
    a.classes[static_cast<std::size_t>(kind)] = spread_of([&](auto use) {
      all.for_each([&](const Measurement& m) {
        if (m.kind == kind) use(m.seconds);
      });
    });
  a.histogram = histogram_of(all, a.all);
  a.steps = step_figures(result, iteration, all);
  a.ranks = ranks_of(result, all);
  a.slow = slow_pairs_of(iteration, nodes, a);
  return a;
}

}  // namespace busline::linktest
