#include "studies/runs/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/runs/status_json.hpp"
#include "studies/runs/why_report.hpp"
#include "studies/traces/salvage_json.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kBlockedShown = 20;

std::string_view name_of(Preset preset) {
  return preset == Preset::published ? "published" : "dimemas-5.5";
}

Duration mpi_time(const RankTimes& t) {
  return t.latency + t.wait + t.collective_wait + t.collective;
}

void add_times(ordered_json& j, const RankTimes& t) {
  j["compute_ps"] = t.compute.count();
  j["mpi_ps"] = mpi_time(t).count();
  j["latency_ps"] = t.latency.count();
  j["wait_ps"] = t.wait.count();
  j["collective_wait_ps"] = t.collective_wait.count();
  j["collective_ps"] = t.collective.count();
  j["cpu_wait_ps"] = t.cpu_wait.count();
}

double utilisation(const ResourceResult& r, Time run_time) {
  if (r.capacity == 0 || run_time == Time::zero()) return 0;
  return static_cast<double>(r.busy.count()) / static_cast<double>(r.capacity) /
         static_cast<double>(run_time.count());
}

ordered_json ranks_json(const Result& result) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < result.ranks.size(); ++i) {
    const auto& r = result.ranks[i];
    ordered_json j{{"rank", i}, {"node", r.node}, {"end_ps", r.end.count()}};
    add_times(j, r.times);
    j["link_wait_ps"] = r.link_wait.count();
    j["bus_wait_ps"] = r.bus_wait.count();
    j["messages"] = r.messages_sent;
    j["bytes"] = r.bytes_sent;
    if (result.collective_messages > 0) {
      j["collective_messages"] = r.collective_messages;
      j["collective_bytes"] = r.collective_bytes;
    }
    list.push_back(std::move(j));
  }
  return list;
}

ordered_json resources_json(const Result& result) {
  ordered_json list = ordered_json::array();
  for (const auto& r : result.resources) {
    ordered_json j{{"name", r.name}};
    j["capacity"] = r.capacity == 0 ? ordered_json("unlimited") : ordered_json(r.capacity);
    j["busy_ps"] = r.busy.count();
    j["wait_ps"] = r.wait.count();
    j["messages"] = r.messages;
    j["peak_queue"] = r.peak_queue;
    j["utilisation"] = utilisation(r, result.run_time);
    list.push_back(std::move(j));
  }
  return list;
}

ordered_json region_json(const RegionResult& region, const std::string& asked) {
  ordered_json ranks = ordered_json::array();
  for (std::size_t i = 0; i < region.ranks.size(); ++i) {
    ordered_json j{{"rank", i}};
    add_times(j, region.ranks[i]);
    ranks.push_back(std::move(j));
  }
  return {{"asked", asked}, {"run_time_ps", region.run_time.count()}, {"ranks", std::move(ranks)}};
}

// A row of the table of times: a name, and where the figure is.
struct Row {
  const char* name;
  Duration (*of)(const RankTimes&);
};
constexpr std::array<Row, 6> kRows{{
    {"compute", [](const RankTimes& t) { return t.compute; }},
    {"latency on the CPU", [](const RankTimes& t) { return t.latency; }},
    {"waiting for messages", [](const RankTimes& t) { return t.wait; }},
    {"waiting in collectives", [](const RankTimes& t) { return t.collective_wait; }},
    {"collectives", [](const RankTimes& t) { return t.collective; }},
    {"waiting for a CPU", [](const RankTimes& t) { return t.cpu_wait; }},
}};

// Smallest, mean and largest over ranks, and the sum's share of ranks times `whole`.
std::string table_row(const char* name, const std::vector<Duration>& values, const TimeColumn& column,
                      Duration whole, bool with_share) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double sum = 0;
  for (const auto v : values) sum += static_cast<double>(v.count());
  const auto mean = sum / static_cast<double>(values.size());
  auto text = fmt::format("  {:<24}{:>12}{:>12}{:>12}", name, column(*least),
                          column(Duration::from_double(mean)), column(*most));
  if (with_share && whole > Duration())
    text += fmt::format("{:>10}", percent(mean / static_cast<double>(whole.count())));
  return text + "\n";
}

std::string table_head(const TimeColumn& column) {
  return fmt::format("  {:<24}{:>12}{:>12}{:>12}{:>10}\n", fmt::format("time of a rank [{}]", column.unit),
                     "min", "mean", "max", "share");
}

template <class Ranks, class Times>
std::string times_table(const Ranks& ranks, Duration whole, const Times& times_of) {
  const TimeColumn column(whole);
  auto text = table_head(column);
  std::vector<Duration> values(ranks.size());
  for (const auto& row : kRows) {
    std::transform(ranks.begin(), ranks.end(), values.begin(),
                   [&](const auto& r) { return row.of(times_of(r)); });
    const bool optional = row.name != kRows[0].name;
    if (optional && std::all_of(values.begin(), values.end(), [](Duration d) { return d == Duration(); }))
      continue;
    text += table_row(row.name, values, column, whole, true);
  }
  return text;
}

std::string ranks_text(const Result& result) {
  const auto whole = result.run_time.since_start();
  auto text = times_table(result.ranks, whole, [](const RankResult& r) { return r.times; });
  const TimeColumn column(whole);
  std::vector<Duration> values(result.ranks.size());
  const auto row = [&](const char* name, auto of, bool share) {
    std::transform(result.ranks.begin(), result.ranks.end(), values.begin(), of);
    if (std::any_of(values.begin(), values.end(), [](Duration d) { return d != Duration(); }))
      text += table_row(name, values, column, whole, share);
  };
  row(
      "after its end", [&](const RankResult& r) { return result.run_time - r.end; }, true);
  if (result.messages == 0) return text;
  text += "  of messages sent\n";
  row(
      "  waiting for a link", [](const RankResult& r) { return r.link_wait; }, false);
  row(
      "  waiting for a bus", [](const RankResult& r) { return r.bus_wait; }, false);
  if (text.ends_with("sent\n")) text += "    none waited for a link or a bus\n";
  return text;
}

std::string resources_text(const Result& result) {
  const auto classes = resource_classes(result);
  if (classes.empty()) return "";
  auto text = fmt::format("\n  {:<24}{:>12}{:>12}{:>12}{:>10}{:>14}{:>8}\n", "links and buses", "number",
                          "mean use", "max use", "messages", "waited", "queue");
  for (const auto& c : classes) {
    const auto capacity = c.capacity == 0 ? std::string("-") : std::to_string(c.capacity);
    const auto number = c.groups == 1 ? capacity : fmt::format("{} x {}", c.groups, capacity);
    text += fmt::format("  {:<24}{:>12}{:>12}{:>12}{:>10}{:>14}{:>8}\n", c.name, number,
                        percent(c.mean_utilisation), percent(c.max_utilisation), readable(c.messages),
                        readable(c.wait), c.peak_queue);
  }
  return text;
}

std::string blocked_text(const Result& result) {
  std::string text;
  const auto shown = std::min(result.blocked.size(), kBlockedShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& b = result.blocked[i];
    text += fmt::format("  rank {}, call {} ({}) waits for {}\n", b.rank, b.call_number, b.call, b.waits_for);
  }
  if (shown < result.blocked.size())
    text += fmt::format("  and {} more; --json lists all\n", readable(result.blocked.size() - shown, "rank"));
  return text;
}

std::string status_text(const SimulateReport& report) {
  const auto& result = report.result;
  const auto until = readable(result.run_time.since_start());
  switch (result.status) {
    case Result::Status::complete:
      return "";
    case Result::Status::deadlock:
      return fmt::format("deadlock at {}: {} of {} cannot continue\n{}\n", until, result.blocked.size(),
                         readable(result.ranks.size(), "rank"), blocked_text(result));
    case Result::Status::clock_overflow:
      return fmt::format("the simulated time exceeds 106 days, the limit of the clock\n\n");
    case Result::Status::interrupted:
      return fmt::format("interrupted at simulated time {}; the results cover the run until then\n\n", until);
  }
  return "";
}

/// With as many digits as are significant.
std::string run_time_text(const SimulateReport& report) {
  const auto run_time = report.result.run_time.since_start();
  if (!report.why || !report.why->resolution) return readable(run_time);
  return readable(run_time, report.why->resolution->spread());
}

std::string traced_text(const SimulateReport& report) {
  const auto traced = *report.traced_run_time;
  auto text = readable(traced);
  if (traced > Duration() && report.result.status == Result::Status::complete) {
    const auto ratio =
        static_cast<double>(report.result.run_time.count()) / static_cast<double>(traced.count()) - 1;
    text += fmt::format("  (predicted: {:+.1f} %)", ratio * 100);
  }
  return text;
}

}  // namespace

std::optional<Efficiency> efficiency(const Result& result) {
  double sum = 0, most = 0;
  for (const auto& r : result.ranks) {
    const auto compute = static_cast<double>(r.times.compute.count());
    sum += compute;
    most = std::max(most, compute);
  }
  const auto run_time = static_cast<double>(result.run_time.count());
  if (most <= 0 || run_time <= 0) return std::nullopt;
  const auto mean = sum / static_cast<double>(result.ranks.size());
  return Efficiency{mean / run_time, mean / most, most / run_time};
}

std::vector<ResourceClass> resource_classes(const Result& result) {
  std::vector<ResourceClass> classes;
  std::map<std::string, std::size_t, std::less<>> index;
  for (const auto& r : result.resources) {
    std::string_view kind = r.name;
    const bool one_of_many = kind.starts_with("node ") || kind.starts_with("link ");
    if (const auto slash = kind.find('/'); one_of_many && slash != kind.npos) kind.remove_prefix(slash + 1);
    const auto [at, fresh] = index.try_emplace(std::string(kind), classes.size());
    if (fresh) classes.push_back({.name = std::string(kind), .capacity = r.capacity, .wait = {}});
    auto& c = classes[at->second];
    ++c.groups;
    if (c.capacity != r.capacity) c.capacity = 0;
    const auto use = utilisation(r, result.run_time);
    c.mean_utilisation += use;
    c.max_utilisation = std::max(c.max_utilisation, use);
    c.wait += r.wait;
    c.messages += r.messages;
    c.peak_queue = std::max(c.peak_queue, r.peak_queue);
  }
  for (auto& c : classes) c.mean_utilisation /= static_cast<double>(c.groups);
  return classes;
}

ordered_json to_json(const SimulateReport& report) {
  const auto& result = report.result;
  ordered_json j{{"schema", "busline/result/1"}, {"status", name_of(result.status)}};
  j["workload"] = report.workload;
  j["platform"] = report.platform;
  j["model"] = report.model;
  j["preset"] = name_of(report.preset);
  j["run_time_ps"] = result.run_time.count();
  j["run_time_s"] = result.run_time.since_start().in_seconds();
  if (report.traced_run_time) j["traced_run_time_ps"] = report.traced_run_time->count();
  if (const auto e = efficiency(result))
    j["efficiency"] = {
        {"parallel", e->parallel}, {"load_balance", e->load_balance}, {"communication", e->communication}};
  j["operations"] = result.operations;
  j["events"] = result.events;
  j["messages"] = result.messages;
  j["bytes"] = result.bytes;
  if (result.collective_messages > 0) {
    j["collective_messages"] = result.collective_messages;
    j["collective_bytes"] = result.collective_bytes;
  }
  if (result.status == Result::Status::deadlock) j["blocked"] = to_json(result.blocked);
  if (result.region) j["region"] = region_json(*result.region, report.region);
  if (report.why) j["why"] = to_json(*report.why);
  j["ranks"] = ranks_json(result);
  j["resources"] = resources_json(result);
  if (report.salvaged) j["salvaged"] = to_json(*report.salvaged);
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

std::string to_text(const SimulateReport& report) {
  const auto& result = report.result;
  auto text = fmt::format("{} on {}: {}, model {} ({})\n\n", report.workload, report.platform,
                          readable(result.ranks.size(), "rank"), report.model, name_of(report.preset));
  text += status_text(report);
  if (result.status == Result::Status::complete)
    text += labelled_line("predicted run time", run_time_text(report));
  if (report.traced_run_time) text += labelled_line("traced run time", traced_text(report));
  if (const auto e = efficiency(result); e && result.status == Result::Status::complete)
    text += labelled_line("parallel efficiency",
                          fmt::format("{:.3f} = load balance {:.3f} x communication {:.3f}", e->parallel,
                                      e->load_balance, e->communication));
  text += labelled_line("messages",
                        fmt::format("{}, {}", readable(result.messages), readable(Bytes{result.bytes})));
  if (result.collective_messages > 0)
    text += labelled_line("in collectives", fmt::format("{}, {}", readable(result.collective_messages),
                                                        readable(Bytes{result.collective_bytes})));
  text += labelled_line("operations", readable(result.operations));
  if (!result.ranks.empty()) text.append("\n").append(ranks_text(result));
  text += resources_text(result);
  if (result.region) {
    text += fmt::format("\n{}: {}\n", report.region, readable(result.region->run_time));
    if (!result.region->ranks.empty())
      text +=
          times_table(result.region->ranks, result.region->run_time, [](const RankTimes& t) { return t; });
  }
  if (report.why) text.append("\n").append(to_text(*report.why));
  return text;
}

}  // namespace busline
