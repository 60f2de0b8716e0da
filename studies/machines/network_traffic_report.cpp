#include "studies/machines/network_traffic_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "documents/text/written.hpp"
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

void describe(Fields& f, TrafficFigures& t) {
  f.defined_as("topology-traffic.schema.json#/$defs/figures");
  f.about("The result of simulating the traffic.");
  f.required("run_time_ps", TimeTaken{t.run_time}, "Simulated time until the last message has arrived.");
  f.required(
      "messages_at_once", NotNegative{t.at_once},
      "Number of full-speed messages that would carry as much: a mean over the time in which all hosts have "
      "something to send.");
}

void describe(Fields& f, TrafficComparison& s) {
  f.required("seed", Amount{s.seed}, "Seed for random choices.");
  f.required("flow", s.flow, "As above, for this traffic.");
  f.required("derived", s.derived, "Likewise.");
  f.required("no_buses", s.no_buses, "Likewise.");
}

void describe(Fields& f, NetworkTrafficReport& report) {
  auto& t = report.traffic;
  if (report.seeds.empty()) report.seeds.resize(1);  // as in a schema, whose figures do not matter
  Means means(report.seeds);
  auto bandwidth = to_text(report.equivalent.message);
  f.about(
      "docs/reference/topology.md, \"How good the derived buses are\". Values are means over the seeds; "
      "ratios are "
      "ratios of the means.");
  f.required("schema", SchemaName{"busline/topology-traffic/1"});
  f.required("name", report.name, "As given: 'torus:8x8x16', or the path of a file.");
  f.required("hosts", Amount{t.ranks, 2}, "Their number.");
  f.required("routing", Choice<Routing>{report.routing, kRoutingNames}, "How messages are routed.");
  f.required("pattern", Choice<TrafficPattern>{t.pattern, kTrafficNames}, "The communication pattern.");
  f.required("messages", Amount{t.messages, 1}, "Sent by each host, one after the other.");
  f.required("size_bytes", Amount{count(t.size), 1}, "Message size.");
  f.required("links", Amount{report.equivalent.links, 1}, "L, of each node in the Dimemas model.");
  f.required("bandwidth", BandwidthText{bandwidth}, "For a single message: what a bus carries.");
  f.required("buses", Amount{report.seeds.front().buses, 1}, "B, derived for this pattern.");
  f.required("flow", means.flow, "Over the network's links, by the flow model.");
  f.required("derived", means.derived, "In the Dimemas model with these links and buses.");
  f.required("no_buses", means.no_buses, "Likewise, with unlimited buses.");
  f.required("derived_time_ratio", Real{time_ratio(means.derived, means.flow), 0},
             "run_time_ps of 'derived' divided by that of 'flow'; 0 if that is 0.");
  f.required("derived_at_once_ratio", Real{ratio(means.derived.at_once, means.flow.at_once), 0},
             "Likewise of messages_at_once.");
  f.required("no_buses_time_ratio", Real{time_ratio(means.no_buses, means.flow), 0},
             "run_time_ps of 'no_buses' divided by that of 'flow'.");
  f.required("seeds", NotEmpty{report.seeds}, "The results of each traffic that was drawn.");
  describe_end(f);
}

Json to_json(const NetworkTrafficReport& report) {
  auto copy = report;
  return written(fields::Object(copy));
}

}  // namespace busline
