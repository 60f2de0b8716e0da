#include "studies/traces/inspect_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/traces/traffic_tables.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostRegions = 20;  // that the page shows; compilers instrument thousands of functions

std::string calls_text(const char* title, const std::vector<WorkloadStatistics::Call>& calls,
                       std::uint32_t ranks, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::string text;
  if (!calls.empty()) text += fmt::format("\n  {:<26}{:>14}{:>14}\n", title, "number", "per rank");
  std::size_t shown = 0;
  for (const auto& c : calls) {
    if (shown++ == most) return text + fmt::format("  and {} others\n", readable(calls.size() - most));
    text += fmt::format("  {:<26}{:>14}{:>14.1f}\n", c.name, readable(c.count),
                        static_cast<double>(c.count) / static_cast<double>(ranks));
  }
  return text;
}

std::string called_collectives_text(const WorkloadStatistics& s) {
  std::string text;
  if (!s.collectives.empty())
    text += fmt::format("\n  {:<26}{:>14}{:>14}{:>14}\n", "collectives, by rank", "number", "least bytes",
                        "most bytes");
  for (const auto& c : s.collectives)
    text += fmt::format("  {:<26}{:>14}{:>14}{:>14}\n", name_of(c.kind), readable(c.count),
                        readable(Bytes{c.least_bytes}), readable(Bytes{c.most_bytes}));
  return text;
}

template <class Of>
std::string rank_row(const WorkloadStatistics& s, const char* name, const Of& of) {
  std::uint64_t least = of(s.per_rank.front()), most = least;
  double sum = 0;
  for (const auto& r : s.per_rank) {
    const std::uint64_t v = of(r);
    least = std::min(least, v);
    most = std::max(most, v);
    sum += static_cast<double>(v);
  }
  const auto mean = sum / static_cast<double>(s.per_rank.size());
  return fmt::format("  {:<26}{:>14}{:>14.1f}{:>14}\n", name, readable(least), mean, readable(most));
}

std::string rank_counts_text(const WorkloadStatistics& s) {
  using Rank = WorkloadStatistics::Rank;
  if (s.per_rank.empty()) return "";
  auto text = fmt::format("\n  {:<26}{:>14}{:>14}{:>14}\n", "per rank", "min", "mean", "max");
  text += rank_row(s, "operations", [](const Rank& r) { return r.operations; });
  text += rank_row(s, "calls", [](const Rank& r) { return r.calls; });
  text += rank_row(s, "messages sent", [](const Rank& r) { return r.messages_sent; });
  text += rank_row(s, "bytes sent", [](const Rank& r) { return r.bytes_sent; });
  text += rank_row(s, "bytes received", [](const Rank& r) { return r.bytes_received; });
  text += rank_row(s, "computing [us]", [](const Rank& r) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, r.compute.count())) / 1'000'000;
  });
  return text;
}

std::string communicators_text(const WorkloadStatistics& s) {
  const auto n = s.communicator_sizes.size();
  const auto [least, most] = std::minmax_element(s.communicator_sizes.begin(), s.communicator_sizes.end());
  if (n == 0) return "none";
  return *least == *most ? fmt::format("{}, of {}", n, readable(*most, "rank"))
                         : fmt::format("{}, of {} to {} ranks", n, *least, *most);
}

ordered_json rank_json(std::size_t rank, const WorkloadStatistics::Rank& r) {
  return {{"rank", rank},
          {"operations", r.operations},
          {"calls", r.calls},
          {"compute_ps", r.compute.count()},
          {"collectives", r.collectives},
          {"messages_sent", r.messages_sent},
          {"bytes_sent", r.bytes_sent},
          {"messages_received", r.messages_received},
          {"bytes_received", r.bytes_received}};
}

}  // namespace

ordered_json to_json(const InspectReport& report) {
  const auto& s = report.statistics;
  ordered_json j{{"schema", "busline/workload/1"}, {"workload", report.workload}, {"format", report.format}};
  for (const auto& o : report.origin) j["origin"].push_back({{"key", o.key}, {"value", o.value}});
  j["rank_count"] = s.ranks;
  j["strands"] = s.strands;
  j["operations"] = s.operations;
  j["messages"] = s.messages;
  j["bytes"] = s.bytes;
  j["open_receives"] = s.open_receives;
  if (s.traced_run_time) j["traced_run_time_ps"] = s.traced_run_time->count();
  j["communicator_sizes"] = s.communicator_sizes;
  const auto list = [&j](const char* name) -> ordered_json& { return j[name] = ordered_json::array(); };
  auto& calls = list("calls");
  for (const auto& c : s.calls) calls.push_back({{"name", c.name}, {"count", c.count}});
  for (const auto& r : s.regions) j["regions"].push_back({{"name", r.name}, {"count", r.count}});
  auto& collectives = list("collectives");
  for (const auto& c : s.collectives)
    collectives.push_back({{"name", name_of(c.kind)},
                           {"count", c.count},
                           {"least_bytes", c.least_bytes},
                           {"most_bytes", c.most_bytes}});
  j["message_sizes"] = sizes_json(s.message_sizes);
  j["pairs"] = pairs_json(s.pairs);
  auto& ranks = list("ranks");
  for (std::size_t i = 0; i < s.per_rank.size(); ++i) ranks.push_back(rank_json(i, s.per_rank[i]));
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

std::string to_text(const InspectReport& report) {
  const auto& s = report.statistics;
  auto text = fmt::format("{}: {} of {}\n", report.workload, report.format, readable(s.ranks, "rank"));
  for (const auto& o : report.origin) text += fmt::format("  {}: {}\n", o.key, o.value);
  text += "\n";
  if (s.traced_run_time) text += labelled_line("traced run time", readable(*s.traced_run_time));
  text += labelled_line("operations", readable(s.operations));
  text += labelled_line("messages", fmt::format("{}, {}", readable(s.messages), readable(Bytes{s.bytes})));
  if (s.strands > s.ranks) text += labelled_line("threads", readable(s.strands));
  if (s.open_receives > 0)
    text += labelled_line("open receives",
                          fmt::format("{}, from any source or with any tag", readable(s.open_receives)));
  text += labelled_line("communicators", communicators_text(s));
  return text + calls_text("calls", s.calls, s.ranks) +
         calls_text("user regions", s.regions, s.ranks, kMostRegions) + called_collectives_text(s) +
         sizes_text(s.message_sizes) + pairs_text(s.pairs, s.bytes, s.ranks) + rank_counts_text(s);
}

}  // namespace busline
