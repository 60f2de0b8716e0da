#include "measuring/tables/linktest_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "documents/text/csv.hpp"
#include "documents/text/json_document.hpp"
#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/linktest_names.hpp"

namespace busline {
namespace {

using namespace linktest;
using nlohmann::ordered_json;

// Whole picoseconds; null for what is not a number.
ordered_json ps(double seconds) {
  if (std::isnan(seconds)) return nullptr;
  return Duration::seconds(seconds).count();
}

ordered_json to_json(const Spread& s) {
  ordered_json j{{"times", s.count}};
  if (s.count == 0) return j;
  j["min_ps"] = ps(s.min);
  j["median_ps"] = ps(s.median);
  j["mean_ps"] = ps(s.mean);
  j["max_ps"] = ps(s.max);
  return j;
}

ordered_json settings_json(const LinkTestResult& r) {
  const auto& s = r.settings;
  ordered_json j{{"mode", s.mode},
                 {"kernel", name_of(s.kernel)},
                 {"pairs", s.bisection ? "bisection" : "all"},
                 {"serial", s.flags[kSerial] != 0},
                 {"all_to_all", s.all_to_all},
                 {"messages", s.messages},
                 {"message_bytes", s.message_bytes}};
  if (s.warmup_messages) j["warmup_messages"] = *s.warmup_messages;
  j["mixed_order"] = s.mixed_order;
  if (s.by_node) j["by_node"] = true;
  j["shuffled_orders"] = s.shuffled_orders;
  j["order_seed"] = s.order_seed;
  j["shuffled_steps"] = s.flags[kShuffledSteps] != 0;
  j["buffers"] = s.buffers;
  j["random_buffers"] = s.flags[kRandomBuffers] != 0;
  j["buffer_seed"] = s.buffer_seed;
  j["retests"] = s.retests;
  j["git_hash"] = s.git_hash;
  return j;
}

// The lists of a document: each element says which iteration it belongs to.
struct Lists {
  ordered_json iterations = ordered_json::array(), classes = ordered_json::array(),
               histogram = ordered_json::array(), steps = ordered_json::array(),
               slow_pairs = ordered_json::array(), ranks = ordered_json::array();
};

ordered_json side_json(const SideFigures& s) {
  return {{"mean_ps", ps(s.mean)}, {"max_ps", ps(s.max)}, {"slowest_partner", s.slowest_partner}};
}

void add_iteration(Lists& to, std::size_t number, const LinkTestReport& report, const Iteration& iteration) {
  ordered_json head{{"iteration", number},
                    {"start_time", iteration.start_time},
                    {"end_time", iteration.end_time},
                    {"access_pattern", name_of(iteration.access)}};
  if (iteration.all_to_all_summary) {
    head["all_to_all_min_ps"] = ps(iteration.all_to_all_summary->min);
    head["all_to_all_avg_ps"] = ps(iteration.all_to_all_summary->avg);
    head["all_to_all_max_ps"] = ps(iteration.all_to_all_summary->max);
  }
  if (iteration.access == AccessPattern::unmapped) {
    to.iterations.push_back(std::move(head));
    return;
  }
  const auto a = analyse(report.result, iteration);
  head["left_out"] = a.left_out;
  head.update(to_json(a.all));
  to.iterations.push_back(std::move(head));
  for (const auto kind : {PairClass::within_node, PairClass::between_nodes}) {
    ordered_json j{{"iteration", number}, {"class", name_of(kind)}};
    j.update(to_json(a.classes[static_cast<std::size_t>(kind)]));
    to.classes.push_back(std::move(j));
  }
  for (const auto& bin : a.histogram.bins)
    to.histogram.push_back({{"iteration", number},
                            {"from_ps", ps(bin.from)},
                            {"to_ps", ps(bin.to)},
                            {"intra_node", bin.pairs[0]},
                            {"inter_node", bin.pairs[1]}});
  for (const auto& s : a.steps) {
    ordered_json j{{"iteration", number}, {"step", s.step},        {"times", s.times},
                   {"min_ps", ps(s.min)}, {"mean_ps", ps(s.mean)}, {"max_ps", ps(s.max)}};
    if (s.bisection) j["bisection_bytes_per_s"] = s.bisection->in_bytes_per_second();
    to.steps.push_back(std::move(j));
  }
  for (const auto& s : a.slow) {
    ordered_json j{{"iteration", number},
                   {"initiator", s.initiator},
                   {"responder", s.responder},
                   {"class", name_of(s.kind)},
                   {"first_ps", ps(s.first)}};
    if (s.second) j["second_ps"] = ps(*s.second);
    j["verdict"] = name_of(s.verdict);
    to.slow_pairs.push_back(std::move(j));
  }
  for (std::size_t rank = 0; rank < a.ranks.size(); ++rank)
    to.ranks.push_back({{"iteration", number},
                        {"rank", rank},
                        {"as_initiator", side_json(a.ranks[rank].initiator)},
                        {"as_responder", side_json(a.ranks[rank].responder)}});
}

}  // namespace

ordered_json to_json(const LinkTestReport& report) {
  const auto& r = report.result;
  ordered_json j{{"schema", "busline/linktest/1"}, {"run", report.name}};
  j["version"] = version_text(r.version);
  j["rank_count"] = r.ranks();
  j["settings"] = settings_json(r);
  auto& places = j["places"] = ordered_json::array();
  for (std::uint32_t rank = 0; rank < r.ranks(); ++rank)
    places.push_back({{"rank", rank}, {"host", r.places[rank].host}, {"core", r.places[rank].core}});
  Lists lists;
  for (std::size_t i = 0; i < r.iterations.size(); ++i) add_iteration(lists, i + 1, report, r.iterations[i]);
  j["iterations"] = std::move(lists.iterations);
  j["classes"] = std::move(lists.classes);
  j["histogram"] = std::move(lists.histogram);
  j["steps"] = std::move(lists.steps);
  j["slow_pairs"] = std::move(lists.slow_pairs);
  j["ranks"] = std::move(lists.ranks);
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

ordered_json row_json(const LinkTestReport& report, std::size_t iteration, std::uint32_t initiator) {
  const auto& i = report.result.iterations[iteration];
  auto times = ordered_json::array(), steps = ordered_json::array();
  for (std::uint32_t b = 0; b < report.result.ranks(); ++b) {
    const bool there = is_measured(i, initiator, b);
    times.push_back(there ? ordered_json(ps(i.seconds(initiator, b))) : ordered_json());
    steps.push_back(there ? ordered_json(i.step(initiator, b)) : ordered_json());
  }
  return {{"iteration", iteration + 1}, {"initiator", initiator}, {"times_ps", times}, {"steps", steps}};
}

LinkTestTable::LinkTestTable(const LinkTestReport& report)
    : result_(report.result), nodes_(nodes_of(report.result)) {
  for (const auto& place : result_.places) hosts_.push_back(csv_cell(place.host));
}

std::string LinkTestTable::heading() {
  return "iteration,step,initiator,responder,initiator_host,responder_host,class,time_ps,bytes_per_s\n";
}

std::string LinkTestTable::lines(std::size_t iteration, std::uint32_t initiator) const {
  const auto& i = result_.iterations[iteration];
  std::string lines;
  for (std::uint32_t b = 0; b < result_.ranks(); ++b) {
    if (!is_measured(i, initiator, b)) continue;
    const auto seconds = i.seconds(initiator, b);
    lines += fmt::format("{},{},{},{},{},{},{},{},{:.0f}\n", iteration + 1, i.step(initiator, b), initiator,
                         b, hosts_[initiator], hosts_[b], name_of(class_of(nodes_[initiator], nodes_[b])),
                         Duration::seconds(seconds).count(),
                         bandwidth_of(result_.settings, seconds).in_bytes_per_second());
  }
  return lines;
}

}  // namespace busline
