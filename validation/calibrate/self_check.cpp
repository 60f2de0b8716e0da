#include "validation/calibrate/self_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "measuring/method/statistics.hpp"
#include "sim/base/quantile.hpp"
#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::Point;
using measure::Suite;

/// Shares that people act on: OSU tables are compared within 5 %, collectives within 10 %.
struct Tolerated {
  double median, octave;
};
constexpr Tolerated kOfMessages{0.05, 0.15}, kOfCollectives{0.1, 0.25};
constexpr double kOfSpread = 3;
/// What is added to both times, in latencies between nodes: calls and late parts of collectives that last
/// next to nothing have no ratio, and a few per cent of a message between nodes matter to no program.
constexpr double kHalf = 0.5, kNegligible = 0.02;

bool is_short_beside_latency(const Suite& suite) {
  return suite.pattern == Pattern::overhead || suite.pattern == Pattern::collective;
}

class SuiteCheck {
 public:
  SuiteCheck(const Suite& suite, const Platform& platform)
      : suite_(suite),
        tolerated_(suite.pattern == Pattern::collective ? kOfCollectives : kOfMessages),
        floor_ps_((is_short_beside_latency(suite) ? kHalf : kNegligible) *
                  static_cast<double>(platform.machines.front().network.latency.count())) {
    for (const auto& p : suite.points) most_samples_ = std::max(most_samples_, p.samples.size());
  }

  void add(const Residual& r) {
    Errors e{std::abs(std::log((r.modelled_ps + floor_ps_) / (r.measured_ps + floor_ps_))), 0};
    for (const auto& p : suite_.points) {
      if (p.argument != r.argument) continue;
      // The only sample of a call is a first one (CurveKind::send_call).
      if (suite_.pattern == Pattern::overhead && p.samples.size() == 1 && most_samples_ > 1) return;
      e.spread = sample_range(p);
    }
    all_.push_back(e);
    if (suite_.varies == measure::Varies::bytes)
      octaves_[static_cast<int>(std::bit_width(r.argument))].push_back(e);
  }

  double spread() const { return medians(all_).spread; }

  bool is_off() const {
    // A single sample has no spread of its own.
    const auto beyond = [usual = spread()](const std::vector<Errors>& of, double tolerated) {
      const auto [error, spread] = medians(of);
      return error > std::max(tolerated, kOfSpread * (spread > 0 ? spread : usual));
    };
    return beyond(all_, tolerated_.median) ||
           std::any_of(octaves_.begin(), octaves_.end(),
                       [&](const auto& o) { return beyond(o.second, tolerated_.octave); });
  }

 private:
  struct Errors {
    double error, spread;
  };
  static Errors medians(const std::vector<Errors>& of) {
    std::vector<double> errors, spreads;
    for (const auto& e : of) {
      errors.push_back(e.error);
      spreads.push_back(e.spread);
    }
    return {median(std::move(errors)), median(std::move(spreads))};
  }

  const Suite& suite_;
  Tolerated tolerated_;
  double floor_ps_;
  std::size_t most_samples_ = 0;  // of a point
  std::vector<Errors> all_;
  std::map<int, std::vector<Errors>> octaves_;  // of sizes
};

// CalibratedSuite::operation.
std::string operation_measured_by(const Suite& suite) {
  switch (suite.pattern) {
    case Pattern::collective:
      return suite.operation;
    case Pattern::pingpong:
    case Pattern::pingping:
    case Pattern::bandwidth:
    case Pattern::bidirectional:
    case Pattern::node_flows:
    case Pattern::pairings:
    case Pattern::incast:
    case Pattern::ring:
      return suite.route_class == measure::RouteClass::inter_node ? kMessages : "";
    default:
      return "";
  }
}

const Suite* suite_named(const std::vector<Suite>& suites, const std::string& name) {
  const auto at = std::find_if(suites.begin(), suites.end(), [&](const Suite& s) { return s.name == name; });
  return at == suites.end() ? nullptr : &*at;
}

}  // namespace

std::vector<CalibratedSuite> check_suites(const std::vector<Residual>& residuals,
                                          const std::vector<Suite>& suites, const Platform& platform) {
  std::map<std::string, std::vector<const Residual*>> by_suite;
  for (const auto& r : residuals) by_suite[r.suite].push_back(&r);
  std::vector<CalibratedSuite> checked;
  for (const auto& [name, of] : by_suite) {
    CalibratedSuite s;
    s.held_out = of.front()->held_out;
    s.name = name;
    s.points = static_cast<std::uint32_t>(of.size());
    std::vector<double> errors;
    for (const auto* r : of) {
      errors.push_back(std::abs(r->error()));
      if (errors.back() <= s.worst_error) continue;
      s.worst_error = errors.back();
      s.worst_at = r->argument;
    }
    s.median_error = median(std::move(errors));
    if (const auto* suite = suite_named(suites, s.name)) {
      s.operation = operation_measured_by(*suite);
      SuiteCheck check(*suite, platform);
      for (const auto* r : of) check.add(*r);
      s.spread = check.spread();
      s.off = check.is_off();
    }
    checked.push_back(std::move(s));
  }
  return checked;
}

}  // namespace busline::calibrate
