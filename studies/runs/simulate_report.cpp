#include "studies/runs/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "models/costs/link_bound.hpp"
#include "platforms/description/platform_fields.hpp"
#include "sim/results/resource_name.hpp"
#include "studies/runs/interval_report.hpp"
#include "studies/runs/jobs_report.hpp"
#include "studies/runs/noise_report.hpp"
#include "studies/runs/why_report.hpp"

namespace busline {
namespace {

constexpr std::size_t kBlockedShown = 20;

// A row of the table of times: a name, and where the figure is.
struct SummaryRow {
  const char* name;
  Duration (*of)(const RankTimes&);
};
constexpr std::array<SummaryRow, 6> kSummaryRows{{
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
  for (const auto& row : kSummaryRows) {
    std::transform(ranks.begin(), ranks.end(), values.begin(),
                   [&](const auto& r) { return row.of(times_of(r)); });
    const bool optional = row.name != kSummaryRows[0].name;
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
      "before its start", [](const RankResult& r) { return r.start.since_start(); }, true);
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
  TextTable table({"links and buses", "number", "mean use", "max use", "messages", "waited", "queue"},
                  {24, 10, 10, 10, 8, 12, 6});
  for (const auto& c : classes) {
    const auto capacity = c.capacity == 0 ? std::string("-") : std::to_string(c.capacity);
    const auto number = c.groups == 1 ? capacity : fmt::format("{} x {}", c.groups, capacity);
    table.add({c.name, number, percent(c.mean_utilisation), percent(c.max_utilisation), readable(c.messages),
               readable(c.wait), std::to_string(c.peak_queue)});
  }
  return "\n" + table.text();
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
std::string with_resolution(const SimulateReport& report, Duration time) {
  if (!report.why || !report.why->resolution) return readable(time);
  return readable(time, report.why->resolution->spread());
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

// The prediction of the region, and what it took really.
std::string real_text(const SimulateReport& report) {
  const auto predicted = report.result.region->run_time;
  const auto& times = report.real->times;
  const bool complete = report.result.status == Result::Status::complete;
  std::string text;
  if (complete)
    text += labelled_line("predicted region",
                          fmt::format("{}  ({})", with_resolution(report, predicted), report.region));
  auto measured = readable(times.measured.median);
  if (complete) measured += fmt::format("  (predicted: {})", signed_percent(times.error_of(predicted)));
  text += labelled_line("real runs", measured);
  if (times.measured_in == compare::MeasuredIn::trace)
    return text +
           labelled_line("", "the traced run; only the run set's own region was timed without a tracer");
  auto range = readable(times.runs, "run");
  if (times.runs > 1)
    range = fmt::format("median of {} from {} to {}", range, readable(times.measured.least),
                        readable(times.measured.most));
  if (times.disturbed_runs.value_or(0) > 0) range += fmt::format("; {} disturbed", *times.disturbed_runs);
  if (times.failed_runs > 0) range += fmt::format("; {} failed", readable(times.failed_runs, "run"));
  return text + labelled_line("", fmt::format("{}, on {}", range, report.real->machine));
}

}  // namespace

double utilisation(const ResourceResult& r, Time run_time) {
  if (r.capacity == 0 || run_time == Time::zero()) return 0;
  // A transfer counts as a whole when it begins, and not all are over when a run ends.
  return std::min(1.0, static_cast<double>(r.busy.count()) / static_cast<double>(r.capacity) /
                           static_cast<double>(run_time.count()));
}

Diagnostics run_warnings(const Result& result, const std::optional<Region>& region, const std::string& name) {
  Diagnostics found;
  if (auto fast = link_bound_warning(result.below_link_bound)) found.push_back(*std::move(fast));
  if (!region || !result.region) return found;
  const auto run_time = result.run_time.since_start();
  if (region->after && *region->after >= run_time)
    found.push_back({.code = "empty-region",
                     .message = fmt::format("the part {} begins after the end of the run, which takes {}",
                                            name, readable(run_time))});
  else if (result.region->run_time == Duration())
    found.push_back(
        {.code = "empty-region", .message = fmt::format("the part {} has zero length on every rank", name)});
  return found;
}

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
  using Key = std::tuple<ResourceKind, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, std::size_t> index;
  for (const auto& r : result.resources) {
    const auto key = is_one_of_many(r.id.kind) ? Key{r.id.kind, 0, r.id.port, ""}
                                               : Key{r.id.kind, r.id.owner, r.id.port, r.label};
    const auto [at, fresh] = index.try_emplace(key, classes.size());
    if (fresh) classes.push_back({.name = class_name_of(r), .capacity = r.capacity, .wait = {}});
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

std::string to_text(const SimulateReport& report) {
  const auto& result = report.result;
  auto text =
      fmt::format("{} on {}: {}, model {} ({})\n\n", report.workload, report.platform,
                  readable(result.ranks.size(), "rank"), report.model, name_in(kPresetNames, report.preset));
  text += status_text(report);
  if (result.status == Result::Status::complete)
    text += labelled_line("predicted run time", with_resolution(report, result.run_time.since_start()));
  if (report.traced_run_time) text += labelled_line("traced run time", traced_text(report));
  if (report.real && result.region) text += real_text(report);
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
  if (!report.jobs.empty()) text.append("\n").append(jobs_text(report.jobs));
  if (report.job_matrix) text.append("\n").append(matrix_text(*report.job_matrix));
  if (report.noise) text.append("\n").append(to_text(*report.noise));
  if (report.interval) text.append("\n").append(to_text(*report.interval));
  if (report.why) text.append("\n").append(to_text(*report.why));
  return text;
}

}  // namespace busline
