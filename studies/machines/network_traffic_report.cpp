#include "studies/machines/network_traffic_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using compare::TrafficComparison;
using compare::TrafficFigures;
using Json = nlohmann::ordered_json;

std::string_view routing_name(Routing routing) {
  return kRoutingNames[static_cast<std::size_t>(routing)].first;
}
std::string_view pattern_name(TrafficPattern pattern) {
  return kTrafficNames[static_cast<std::size_t>(pattern)].first;
}

TrafficFigures mean(const std::vector<TrafficComparison>& seeds, TrafficFigures TrafficComparison::*model) {
  double seconds = 0, at_once = 0;
  for (const auto& s : seeds) {
    seconds += (s.*model).run_time.in_seconds();
    at_once += (s.*model).at_once;
  }
  const auto n = static_cast<double>(seeds.size());
  return {Duration::seconds(seconds / n), at_once / n};
}

struct Means {
  explicit Means(const std::vector<TrafficComparison>& seeds)
      : flow(mean(seeds, &TrafficComparison::flow)),
        derived(mean(seeds, &TrafficComparison::derived)),
        no_buses(mean(seeds, &TrafficComparison::no_buses)) {}
  TrafficFigures flow, derived, no_buses;
};

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}
double time_ratio(const TrafficFigures& model, const TrafficFigures& flow) {
  return ratio(model.run_time.in_seconds(), flow.run_time.in_seconds());
}

Json figures_json(const TrafficFigures& f) {
  return {{"run_time_ps", f.run_time.count()}, {"messages_at_once", f.at_once}};
}

}  // namespace

std::string to_text(const NetworkTrafficReport& report) {
  const auto& t = report.traffic;
  const Means means(report.seeds);
  auto text =
      fmt::format("{}: {}, {} routing; {} of {}, {} per host, mean of {}\n\n", report.name,
                  readable(t.ranks, "host"), routing_name(report.routing), pattern_name(t.pattern),
                  to_text(t.size), readable(t.messages, "message"), readable(report.seeds.size(), "seed"));
  TextTable table({"model", "time", "vs flow", "at once", "vs flow"});
  const auto add = [&](const std::string& name, const TrafficFigures& f) {
    table.add({name, readable(f.run_time), fmt::format("{:.3f}", time_ratio(f, means.flow)),
               fmt::format("{:.1f}", f.at_once),
               fmt::format("{:.3f}", ratio(f.at_once, means.flow.at_once))});
  };
  add("flow, over the links", means.flow);
  add(fmt::format("dimemas, {} buses", report.seeds.front().buses), means.derived);
  add("dimemas, no limit", means.no_buses);
  return text + table.text() +
         fmt::format(
             "\nAt once: the number of full-speed messages ({}) that would carry as much while all hosts "
             "send.\n",
             readable(report.equivalent.message));
}

Json to_json(const NetworkTrafficReport& report) {
  const auto& t = report.traffic;
  const Means means(report.seeds);
  Json document{{"schema", "busline/topology-traffic/1"},
                {"name", report.name},
                {"hosts", t.ranks},
                {"routing", routing_name(report.routing)},
                {"pattern", pattern_name(t.pattern)},
                {"messages", t.messages},
                {"size_bytes", count(t.size)},
                {"links", report.equivalent.links},
                {"bandwidth", to_text(report.equivalent.message)},
                {"buses", report.seeds.front().buses},
                {"flow", figures_json(means.flow)},
                {"derived", figures_json(means.derived)},
                {"no_buses", figures_json(means.no_buses)},
                {"derived_time_ratio", time_ratio(means.derived, means.flow)},
                {"derived_at_once_ratio", ratio(means.derived.at_once, means.flow.at_once)},
                {"no_buses_time_ratio", time_ratio(means.no_buses, means.flow)}};
  auto seeds = Json::array();
  for (const auto& s : report.seeds)
    seeds.push_back({{"seed", s.seed},
                     {"flow", figures_json(s.flow)},
                     {"derived", figures_json(s.derived)},
                     {"no_buses", figures_json(s.no_buses)}});
  document["seeds"] = std::move(seeds);
  return document;
}

}  // namespace busline
