#include "measuring/linktest/linktest_suites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/linktest_names.hpp"

namespace busline::linktest {
namespace {

using measure::Point;
using measure::Suite;

constexpr std::array kRouteClasses{measure::RouteClass::intra_node, measure::RouteClass::inter_node};

std::uint32_t count(std::uint64_t n) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, std::numeric_limits<std::uint32_t>::max()));
}

// What a sample of n messages is the time of, once it is divided.
measure::TimeOf time_of_kernel(KernelKind kernel) {
  return kernel == KernelKind::semidirectional ? measure::TimeOf::half_round_trip : measure::TimeOf::one_way;
}

class SuiteMaker {
 public:
  explicit SuiteMaker(const LinkTestResult& result) : result_(result), nodes_(nodes_of(result)) {}

  std::vector<Suite> make() {
    for (std::size_t i = 0; i < result_.iterations.size(); ++i) {
      const auto& iteration = result_.iterations[i];
      if (iteration.access == AccessPattern::unmapped) continue;
      const auto number = result_.iterations.size() == 1 ? "" : fmt::format(" {}", i + 1);
      add_pairs(number, iteration);
      add_retests(number, iteration);
    }
    return std::move(suites_);
  }

 private:
  Suite suite(PairClass kind, std::string_view of, const std::string& number) const {
    const auto& s = result_.settings;
    Suite suite;
    suite.name = fmt::format("linktest{}, {}{}", number, name_of(kind), of);
    suite.operation = name_of(s.kernel);
    suite.pattern = measure::Pattern::all_pairs;
    suite.time = time_of_kernel(s.kernel);
    suite.route_class = kRouteClasses[static_cast<std::size_t>(kind)];
    suite.bytes = s.message_bytes;
    for (std::uint32_t rank = 0; rank < result_.ranks(); ++rank) suite.ranks.push_back(rank);
    suite.nodes = nodes_;
    suite.messages = count(s.messages);
    suite.warmup = count(s.warmup_messages.value_or(0));
    suite.buffers = count(std::max<std::uint64_t>(s.buffers, 1));
    return suite;
  }

  static Point point(std::uint64_t argument, std::uint32_t initiator, std::uint32_t responder,
                     double seconds) {
    Point p;
    p.argument = argument;
    p.ranks = {initiator, responder};
    // Whole picoseconds are no whole number of seconds; what is below a thousandth of one came from that.
    p.result_ps.value = std::round(seconds * 1e15) / 1e3;
    p.count = 1;
    return p;
  }

  PairClass class_of(std::uint32_t a, std::uint32_t b) const {
    return linktest::class_of(nodes_[a], nodes_[b]);
  }

  void add_pairs(const std::string& number, const Iteration& iteration) {
    for (const auto kind : {PairClass::within_node, PairClass::between_nodes}) {
      auto s = suite(kind, "", number);
      s.varies = measure::Varies::steps;
      s.concurrent = result_.settings.flags[kSerial] != 0 ? 1 : std::max(1U, result_.ranks() / 2);
      for (std::uint32_t a = 0; a < result_.ranks(); ++a)
        for (std::uint32_t b = 0; b < result_.ranks(); ++b)
          if (is_measured(iteration, a, b) && class_of(a, b) == kind)
            s.points.push_back(point(iteration.step(a, b), a, b, iteration.seconds(a, b)));
      keep(std::move(s));
    }
  }

  void add_retests(const std::string& number, const Iteration& iteration) {
    for (const auto kind : {PairClass::within_node, PairClass::between_nodes}) {
      auto s = suite(kind, ", alone", number);
      s.varies = measure::Varies::nothing;
      for (const auto& r : iteration.retests)
        if (is_time(r.second) && class_of(r.initiator, r.responder) == kind)
          s.points.push_back(point(0, r.initiator, r.responder, r.second));
      keep(std::move(s));
    }
  }

  void keep(Suite suite) {
    if (suite.points.empty()) return;
    measure::sort_points(suite);
    // A file may record a retest twice.
    const auto same = [](const Point& a, const Point& b) {
      return a.ranks == b.ranks && a.argument == b.argument;
    };
    suite.points.erase(std::unique(suite.points.begin(), suite.points.end(), same), suite.points.end());
    suites_.push_back(std::move(suite));
  }

  const LinkTestResult& result_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Suite> suites_;
};

}  // namespace

std::vector<Suite> suites_of(const LinkTestResult& result) {
  return SuiteMaker(result).make();
}

}  // namespace busline::linktest
