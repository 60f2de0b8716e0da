#include "validation/measure/linktest/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace busline::linktest {
namespace {

constexpr std::size_t kBins = 16, kSlowPairs = 10;

struct Measurement {
  std::uint32_t initiator, responder;
  double seconds;
  PairClass kind;
};

bool is_time(double t) {
  return std::isfinite(t) && t > 0;
}

PairClass class_of(std::uint32_t node, std::uint32_t other) {
  return node == other ? PairClass::within_node : PairClass::between_nodes;
}

bool is_measured(const Iteration& i, std::uint32_t a, std::uint32_t b) {
  return i.step(a, b) != 0 && is_time(i.seconds(a, b));
}

std::vector<Measurement> measurements_of(const Iteration& i, const std::vector<std::uint32_t>& nodes,
                                         std::uint64_t& left_out) {
  std::vector<Measurement> all;
  const auto ranks = i.seconds.ranks();
  all.reserve(std::size_t{ranks} * ranks);
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = 0; b < ranks; ++b) {
      if (is_measured(i, a, b))
        all.push_back({a, b, i.seconds(a, b), class_of(nodes[a], nodes[b])});
      else if (i.step(a, b) != 0)
        ++left_out;
    }
  return all;
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Spread spread_of(std::vector<double>& times) {
  if (times.empty()) return {};
  const auto [min, max] = std::minmax_element(times.begin(), times.end());
  Spread s{times.size(), *min, 0, 0, *max};
  s.mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  s.median = median_of(times);
  return s;
}

Histogram histogram_of(const std::vector<Measurement>& all, const Spread& spread) {
  Histogram h;
  if (all.empty()) return h;
  const auto bins = spread.max > spread.min ? kBins : 1;
  const auto ratio = (std::log(spread.max) - std::log(spread.min)) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const auto edge = [&](std::size_t n) {
      return n == bins ? spread.max : spread.min * std::exp(ratio * static_cast<double>(n));
    };
    h.bins.push_back({edge(i), edge(i + 1), {}});
  }
  for (const auto& m : all) {
    // By the edges that are shown, not by the logarithm, which may round to the other side.
    const auto after = std::upper_bound(h.bins.begin() + 1, h.bins.end(), m.seconds,
                                        [](double t, const Histogram::Bin& b) { return t < b.from; });
    ++(after - 1)->pairs[static_cast<std::size_t>(m.kind)];
  }
  return h;
}

std::vector<StepFigures> steps_of(const LinkTestResult& result, const Iteration& iteration,
                                  const std::vector<Measurement>& all) {
  std::vector<StepFigures> steps;
  std::vector<double> bandwidths;
  for (const auto& m : all) {
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
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].step = static_cast<std::uint32_t>(i + 1);
    if (steps[i].times == 0) continue;
    steps[i].mean /= static_cast<double>(steps[i].times);
    if (result.settings.flags[kSerial] == 0) steps[i].bisection = Bandwidth::bytes_per_second(bandwidths[i]);
  }
  return steps;
}

std::vector<RankFigures> ranks_of(const LinkTestResult& result, const std::vector<Measurement>& all) {
  std::vector<RankFigures> ranks(result.ranks());
  std::vector<std::array<double, 2>> times(result.ranks());
  const auto add = [](SideFigures& side, double& n, double seconds, std::uint32_t partner) {
    side.mean += seconds;
    ++n;
    if (seconds <= side.max) return;
    side.max = seconds;
    side.slowest_partner = partner;
  };
  for (const auto& m : all) {
    add(ranks[m.initiator].initiator, times[m.initiator][0], m.seconds, m.responder);
    add(ranks[m.responder].responder, times[m.responder][1], m.seconds, m.initiator);
  }
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

std::vector<SlowPair> slow_pairs_of(const Iteration& iteration, const std::vector<std::uint32_t>& nodes,
                                    std::vector<Measurement>& all, const Analysis& figures) {
  std::vector<SlowPair> slow;
  for (const auto& r : iteration.retests)
    if (is_time(r.first) && is_time(r.second))
      slow.push_back({r.initiator, r.responder, PairClass::within_node, r.first, r.second});
  if (slow.empty()) {
    const auto n = std::min(kSlowPairs, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(),
                      [](const Measurement& a, const Measurement& b) {
                        if (a.seconds != b.seconds) return a.seconds > b.seconds;
                        return a.initiator != b.initiator ? a.initiator < b.initiator
                                                          : a.responder < b.responder;
                      });
    for (std::size_t i = 0; i < n; ++i)
      slow.push_back(
          {all[i].initiator, all[i].responder, PairClass::within_node, all[i].seconds, std::nullopt});
  }
  for (auto& s : slow) {
    s.kind = class_of(nodes[s.initiator], nodes[s.responder]);
    s.verdict = verdict_of(s, figures.classes[static_cast<std::size_t>(s.kind)]);
  }
  return slow;
}

}  // namespace

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
  return Bandwidth::bytes_per_second((settings.kernel == Kernel::bidirectional ? 2 : 1) * bytes / seconds);
}

Analysis analyse(const LinkTestResult& result, const Iteration& iteration) {
  Analysis a;
  const auto nodes = nodes_of(result);
  auto all = measurements_of(iteration, nodes, a.left_out);
  std::vector<double> times;
  times.reserve(all.size());
  for (const auto& m : all) times.push_back(m.seconds);
  a.all = spread_of(times);
  for (const auto kind : {PairClass::within_node, PairClass::between_nodes}) {
    times.clear();
    for (const auto& m : all)
      if (m.kind == kind) times.push_back(m.seconds);
    a.classes[static_cast<std::size_t>(kind)] = spread_of(times);
  }
  a.histogram = histogram_of(all, a.all);
  a.steps = steps_of(result, iteration, all);
  a.ranks = ranks_of(result, all);
  a.slow = slow_pairs_of(iteration, nodes, all, a);
  return a;
}

}  // namespace busline::linktest
