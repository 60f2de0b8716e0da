#include "validation/calibrate/receive_overhead.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/quantile.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::RouteClass;
using measure::Suite;

constexpr std::uint64_t kSmall = 64;      // bytes that are looked at
constexpr double kTransferAtMost = 0.01;  // of the time of the smallest message: then it does not matter

/// What small messages of a suite take.
struct SmallTime {
  double ps = 0;
  double error = 0;  // as a share, with 95 % confidence
};

// In a window the transfers of small messages pass beside the calls.
constexpr Bandwidth kBesideCalls = Bandwidth::unlimited();

SmallTime small_time(const Suite& suite, Bandwidth bandwidth) {
  std::vector<double> times, ranges;
  for (const auto& p : suite.points) {
    const auto transfer = static_cast<double>((Bytes{p.argument} / bandwidth).count());
    if (!times.empty() && (p.argument > kSmall || transfer > kTransferAtMost * times.front())) continue;
    times.push_back(p.result_ps.value);
    ranges.push_back(sample_range(p));
  }
  constexpr double kLeastError = 0.02;
  constexpr std::size_t kEnoughTimes = 8;  // to show their scatter
  const double middle = median(times);
  for (auto& t : times) t = std::abs(t - middle);
  // Two standard errors of a median: 1.25 of those of a mean.
  const double scatter = times.size() < kEnoughTimes || middle <= 0
                             ? median(ranges)
                             : 2 * 1.25 * deviation_by_median(times) / middle;
  return {middle, std::max(kLeastError, scatter / std::sqrt(static_cast<double>(ranges.size())))};
}

const Suite* find(const std::vector<Suite>& suites, Pattern pattern, RouteClass where) {
  const auto at = std::find_if(suites.begin(), suites.end(), [=](const Suite& s) {
    return s.pattern == pattern && s.route_class == where && s.varies == measure::Varies::bytes &&
           !s.points.empty() && (pattern != Pattern::bandwidth || s.messages > 1);
  });
  return at == suites.end() ? nullptr : &*at;
}

/// Moves a part of a message's latency to its sender's CPU. Messages inside a node that are assumed to cost
/// what the others cost keep that.
void set_send(Platform& p, Duration overhead, Duration latency) {
  auto& network = p.machines.front().network;
  auto& node = p.machines.front().nodes.front();
  if (node.intra_node.latency == network.latency) node.intra_node.latency = latency - overhead;
  network.latency = latency - overhead;
  node.overheads.send = overhead;
}

/// Halves the range twenty times, to a millionth: what is `too_low` and what is not.
template <class TooLow>
std::pair<Duration, Duration> halved(Duration low, Duration high, const TooLow& too_low) {
  constexpr int kHalvings = 20;
  for (int i = 0; i < kHalvings; ++i) {
    const auto middle = Duration::picoseconds((low.count() + high.count()) / 2);
    (too_low(middle) ? low : high) = middle;
  }
  return {low, high};
}

/// The figure from 0 to twice the measured time with which the suite's smallest messages take as long as
/// measured; predictions grow with the figure. Nothing if they cannot be predicted.
std::optional<Duration> figure_for(const Suite& suite, double measured_ps, Platform platform,
                                   Duration& (*figure)(Platform&)) {
  bool can_run = true;
  const auto [low, high] = halved({}, Duration::from_double(2 * measured_ps), [&](Duration middle) {
    figure(platform) = middle;
    const auto predicted = can_run ? predicted_result(suite, suite.points.front(), platform) : std::nullopt;
    can_run = predicted.has_value();
    return predicted < measured_ps;
  });
  if (!can_run) return std::nullopt;
  return Duration::picoseconds((low.count() + high.count()) / 2);
}

/// With its interval.
std::optional<Fitted> fitted_figure(const Suite& suite, const SmallTime& measured, const Platform& platform,
                                    Duration& (*figure)(Platform&)) {
  const auto at = [&](double share) { return figure_for(suite, share * measured.ps, platform, figure); };
  const auto value = at(1), low = at(1 - measured.error), high = at(1 + measured.error);
  if (!value || !low || !high) return std::nullopt;
  const auto ps = [](Duration d) { return static_cast<double>(d.count()); };
  return Fitted{ps(*value), {ps(*low), ps(*high)}};
}

Duration& receive_of(Platform& p) {
  return p.machines.front().nodes.front().overheads.receive;
}
Duration& memory_latency_of(Platform& p) {
  return p.machines.front().nodes.front().intra_node.latency;
}
Duration& handshake_of(Platform& p) {
  return p.mpi.handshake;
}

/// What the interval of the overhead of receives adds to that of a figure, which was found from the same
/// times.
void widen(Fitted& solved, const Interval& receive_ps, const Suite& suite, double measured_ps,
           Platform platform, Duration& (*figure)(Platform&)) {
  double moves = 0;
  for (const double receive : {receive_ps.low, receive_ps.high}) {
    receive_of(platform) = Duration::from_double(receive);
    if (const auto other = figure_for(suite, measured_ps, platform, figure))
      moves = std::max(moves, std::abs(static_cast<double>(other->count()) - solved.value));
  }
  auto& [low, high] = solved.interval;
  low = std::max(0.0, solved.value - std::hypot(solved.value - low, moves));
  high = solved.value + std::hypot(high - solved.value, moves);
}

/// Whether most of the latency inside nodes passes while the ranks of the ping-pong are in their calls.
bool hides_latency(const Suite& pingpong, double predicted, Platform platform) {
  const auto latency = std::exchange(memory_latency_of(platform), Duration());
  const auto without = predicted_result(pingpong, pingpong.points.front(), platform);
  return without && predicted - *without < 0.75 * static_cast<double>(latency.count());
}

}  // namespace

bool has_window(const std::vector<Suite>& suites) {
  return find(suites, Pattern::bandwidth, RouteClass::inter_node) != nullptr;
}

std::optional<Fitted> receive_overhead(const std::vector<Suite>& suites, const Platform& platform) {
  const auto* window = find(suites, Pattern::bandwidth, RouteClass::inter_node);
  if (window == nullptr) return std::nullopt;
  const auto measured = small_time(*window, kBesideCalls);
  const auto without = predicted_result(*window, window->points.front(), platform);
  if (!without || *without >= (1 - measured.error) * measured.ps) return std::nullopt;
  return fitted_figure(*window, measured, platform, receive_of);
}

bool settle_send(const std::vector<Suite>& suites, Platform& platform) {
  const auto* both = find(suites, Pattern::bidirectional, RouteClass::inter_node);
  if (both == nullptr) return false;
  const auto measured = small_time(*both, kBesideCalls);
  const auto without = predicted_result(*both, both->points.front(), platform);
  if (!without || *without >= (1 - measured.error) * measured.ps) return false;
  const auto latency = platform.machines.front().network.latency;
  halved({}, latency, [&](Duration middle) {
    set_send(platform, middle, latency);
    const auto predicted = predicted_result(*both, both->points.front(), platform);
    return predicted && *predicted < measured.ps;
  });
  return true;
}

std::optional<Fitted> settle_memory_latency(const std::vector<Suite>& suites, const Interval& receive_ps,
                                            Platform& platform) {
  const auto* pingpong = find(suites, Pattern::pingpong, RouteClass::intra_node);
  if (pingpong == nullptr) return std::nullopt;
  const auto measured = small_time(*pingpong, platform.machines.front().nodes.front().intra_node.bandwidth);
  const auto predicted = predicted_result(*pingpong, pingpong->points.front(), platform);
  if (!predicted) return std::nullopt;
  if (std::abs(*predicted / measured.ps - 1) <= measured.error &&
      !hides_latency(*pingpong, *predicted, platform))
    return std::nullopt;
  auto solved = fitted_figure(*pingpong, measured, platform, memory_latency_of);
  if (!solved) return std::nullopt;
  widen(*solved, receive_ps, *pingpong, measured.ps, platform, memory_latency_of);
  memory_latency_of(platform) = Duration::from_double(solved->value);
  return solved;
}

std::optional<Fitted> settle_handshake(const std::vector<Suite>& suites, const Interval& receive_ps,
                                       Platform& platform) {
  if (!platform.mpi.rendezvous_from || platform.mpi.ssend_handshake) return std::nullopt;
  const auto at = std::find_if(suites.begin(), suites.end(), [](const Suite& s) {
    return s.operation.starts_with("MPI_Ssend") && s.pattern == Pattern::pingpong &&
           s.route_class == RouteClass::inter_node && s.varies == measure::Varies::bytes && !s.points.empty();
  });
  if (at == suites.end()) return std::nullopt;
  const auto measured = small_time(*at, platform.machines.front().network.bandwidth);
  auto solved = fitted_figure(*at, measured, platform, handshake_of);
  if (!solved) return std::nullopt;
  widen(*solved, receive_ps, *at, measured.ps, platform, handshake_of);
  const auto latency = static_cast<double>(platform.machines.front().network.latency.count());
  if (solved->value < kLeastHandshake * latency) solved->value = solved->interval.low = 0;
  handshake_of(platform) = Duration::from_double(solved->value);
  return solved;
}

}  // namespace busline::calibrate
