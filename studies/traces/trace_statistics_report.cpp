#include "studies/traces/trace_statistics_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/traces/traffic_tables.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;
using Function = CallStatistics::Function;
using Rank = CallStatistics::Rank;

constexpr std::size_t kCountedRanksShown = 16;

std::chrono::nanoseconds nanoseconds(std::uint64_t ns) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(ns, kMost)));
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return part == 0 || whole == 0 ? "-" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

// For a rank's own clock.
std::string statistics_seconds_text(std::int64_t ns, bool known) {
  return known ? fmt::format("{:.6f}", static_cast<double>(ns) * 1e-9) : "-";
}

// Microseconds, which calls last.
std::string us(std::uint64_t ns) {
  return fmt::format("{:.3f}", static_cast<double>(ns) * 1e-3);
}

// "?" if no size is known, "> 1 kB" if some are not.
std::string bytes_text(std::uint64_t known, std::uint64_t unknown, std::uint64_t bytes) {
  if (known == 0 && unknown > 0) return "?";
  return (unknown > 0 ? "> " : "") + readable(Bytes{bytes});
}

std::string bytes_text(const CallStatistics::Sizes& s) {
  return s.calls + s.unknown == 0 ? "-" : bytes_text(s.calls, s.unknown, s.bytes);
}

template <class List, class Of>
std::uint64_t sum(const List& list, Of of) {
  std::uint64_t total = 0;
  for (const auto& element : list)
    if (__builtin_add_overflow(total, std::uint64_t{element.*of}, &total)) return ~std::uint64_t{0};
  return total;
}

template <class List, class Of>
std::uint64_t largest(const List& list, Of of) {
  std::uint64_t most = 0;
  for (const auto& element : list) most = std::max(most, element.*of);
  return most;
}

std::string statistics_summary_text(const TraceStatisticsReport& report) {
  const auto& s = report.calls;
  const auto inside = sum(s.ranks, &Rank::mpi_ns), all = inside + sum(s.ranks, &Rank::outside_ns);
  auto text = labelled_line("calls", readable(s.calls));
  if (s.ranks_with_wall > 0) {
    text += labelled_line("run", readable(nanoseconds(largest(s.ranks, &Rank::run_ns))));
    text += labelled_line(
        "time in MPI", fmt::format("{}, {} of {}{}", share_text(inside, all), readable(nanoseconds(inside)),
                                   readable(nanoseconds(all)), s.ranks.size() > 1 ? " of all ranks" : ""));
  } else {
    text += labelled_line("run", "not known: the trace has no wall times");
  }
  if (const auto threads = sum(s.ranks, &Rank::threads); threads > s.ranks.size())
    text += labelled_line("threads", readable(threads));
  text += labelled_line("messages", fmt::format("{}, {}", readable(s.messages), readable(Bytes{s.bytes})));
  if (const auto missing = sum(s.functions, &Function::not_recorded); missing > 0)
    text += labelled_line("not recorded", fmt::format("{} calls", readable(missing)));
  return text;
}

std::string functions_text(const CallStatistics& s) {
  const TimeColumn time(nanoseconds(largest(s.functions, &Function::wall_ns)));
  const TimeColumn cpu(nanoseconds(largest(s.functions, &Function::cpu_ns)));
  const auto run = sum(s.ranks, &Rank::mpi_ns) + sum(s.ranks, &Rank::outside_ns);
  TextTable table({"function", "calls", fmt::format("time [{}]", time.unit), "mean [us]", "max [us]",
                   "of run", fmt::format("CPU [{}]", cpu.unit), "bytes"});
  const auto if_known = [](bool known, std::string text) { return known ? std::move(text) : "-"; };
  for (const auto& f : s.functions) {
    if (f.calls == 0) continue;
    const bool wall = s.ranks_with_wall > 0;
    table.add({std::string(f.name), readable(f.calls), if_known(wall, time(nanoseconds(f.wall_ns))),
               if_known(wall, us(f.wall_ns / f.calls)), if_known(wall, us(f.longest_ns)),
               share_text(f.run_ns, run), if_known(s.ranks_with_cpu > 0, cpu(nanoseconds(f.cpu_ns))),
               bytes_text(f.sizes)});
  }
  return table.text();
}

std::string not_recorded_text(const CallStatistics& s) {
  TextTable table({"called, but not recorded", "calls", "recorded"});
  for (const auto& f : s.functions)
    if (f.not_recorded > 0) table.add({std::string(f.name), readable(f.not_recorded), readable(f.calls)});
  return table.text();
}

std::string statistics_collectives_text(const CallStatistics& s) {
  TextTable table({"data of collectives, by rank", "calls", "least", "mean", "most"});
  for (const auto& f : s.functions)
    if (f.collective && f.sizes.calls > 0)
      table.add({std::string(f.name), readable(f.sizes.calls), readable(Bytes{f.sizes.least}),
                 readable(Bytes{f.sizes.bytes / f.sizes.calls}), readable(Bytes{f.sizes.most})});
  return table.text();
}

// The call that made a communicator or a datatype.
std::string maker_text(std::string_view made_by) {
  return made_by.empty() ? "(no recorded call)" : std::string(made_by);
}

std::string statistics_communicators_text(const CallStatistics& s) {
  TextTable table({"communicator, or the call that made it", "made", "messages", "collectives", "bytes"});
  for (const auto& c : s.communicators)
    table.add({maker_text(c.made_by), c.made == 0 ? "-" : readable(c.made), readable(c.messages),
               readable(c.collectives), readable(Bytes{c.bytes})});
  return table.text();
}

std::string datatypes_text(const CallStatistics& s) {
  TextTable table({"datatype, or the call that made it", "calls", "bytes", "smallest", "largest"});
  for (const auto& t : s.datatypes)
    table.add({maker_text(t.made_by), readable(t.calls), readable(Bytes{t.bytes}),
               readable(Bytes{t.least_size}), readable(Bytes{t.most_size})});
  return table.text();
}

// The file of a single rank does not record its rank.
std::string rank_name(const TraceStatisticsReport& report, std::size_t i) {
  return report.one_file ? "this" : fmt::format("{}", i);
}

std::string rank_times_text(const TraceStatisticsReport& report, std::size_t shown) {
  const auto& s = report.calls;
  if (s.ranks_with_wall + s.ranks_with_cpu == 0) return "";
  const TimeColumn time(
      nanoseconds(std::max(largest(s.ranks, &Rank::run_ns), largest(s.ranks, &Rank::cpu_ns))));
  const auto in_column = [&](std::uint64_t ns, bool known) { return known ? time(nanoseconds(ns)) : "-"; };
  TextTable table({fmt::format("rank, times in {}", time.unit), "run", "in MPI", "outside", "share", "CPU",
                   "CPU in MPI", "first [s]", "last [s]"});
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& r = s.ranks[i];
    const bool wall = s.ranks_with_wall > 0, cpu = s.ranks_with_cpu > 0;
    table.add({rank_name(report, i), in_column(r.run_ns, wall), in_column(r.mpi_ns, wall),
               in_column(r.outside_ns, wall), share_text(r.mpi_ns, r.mpi_ns + r.outside_ns),
               in_column(r.cpu_ns, cpu), in_column(r.cpu_mpi_ns, cpu),
               statistics_seconds_text(r.first_ns, wall), statistics_seconds_text(r.last_ns, wall)});
  }
  return table.text();
}

// One-sided transfers are messages of the job, too; without any, the job's totals count what is received.
bool has_same_messages(const TraceStatisticsReport& report) {
  return report.job && report.job->messages == report.calls.messages &&
         report.job->bytes == report.calls.bytes;
}

std::string rank_messages_text(const TraceStatisticsReport& report, std::size_t shown) {
  const auto& s = report.calls;
  TextTable table({"rank", "calls", "messages sent", "bytes sent", "messages received", "bytes received"});
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& r = s.ranks[i];
    auto received = r.messages_received, bytes = r.bytes_received;
    auto unknown = r.receives_without_size;
    if (has_same_messages(report)) {
      received = report.job->per_rank[i].messages_received;
      bytes = report.job->per_rank[i].bytes_received;
      unknown = 0;
    }
    table.add({rank_name(report, i), readable(r.calls), readable(r.messages_sent),
               readable(Bytes{r.bytes_sent}), readable(received),
               bytes_text(received - std::min(received, unknown), unknown, bytes)});
  }
  return table.text();
}

std::string job_text(const TraceStatisticsReport& report) {
  if (!report.job) return "\nit is not known which ranks communicate: " + report.without_job + "\n";
  return pairs_text(report.job->pairs, report.job->bytes, report.job->ranks);
}

ordered_json function_json(const Function& f) {
  ordered_json j{{"name", f.name},
                 {"calls", f.calls},
                 {"not_recorded", f.not_recorded},
                 {"wall_ns", f.wall_ns},
                 {"longest_ns", f.longest_ns},
                 {"run_ns", f.run_ns},
                 {"cpu_ns", f.cpu_ns},
                 {"collective", f.collective},
                 {"sized_calls", f.sizes.calls},
                 {"unsized_calls", f.sizes.unknown},
                 {"bytes", f.sizes.bytes}};
  j["least_bytes"] = f.sizes.least;
  j["most_bytes"] = f.sizes.most;
  return j;
}

ordered_json statistics_rank_json(const ordered_json& number, const Rank& r) {
  return {{"rank", number},
          {"file", r.path},
          {"calls", r.calls},
          {"threads", r.threads},
          {"first_ns", r.first_ns},
          {"last_ns", r.last_ns},
          {"run_ns", r.run_ns},
          {"mpi_ns", r.mpi_ns},
          {"outside_ns", r.outside_ns},
          {"cpu_ns", r.cpu_ns},
          {"cpu_mpi_ns", r.cpu_mpi_ns},
          {"messages_sent", r.messages_sent},
          {"bytes_sent", r.bytes_sent},
          {"messages_received", r.messages_received},
          {"bytes_received", r.bytes_received},
          {"receives_without_size", r.receives_without_size}};
}

ordered_json job_json(const WorkloadStatistics& job) {
  ordered_json j{{"communicator_sizes", job.communicator_sizes}, {"pairs", pairs_json(job.pairs)}};
  auto& ranks = j["ranks"] = ordered_json::array();
  for (std::size_t i = 0; i < job.per_rank.size(); ++i)
    ranks.push_back({{"rank", i},
                     {"messages_received", job.per_rank[i].messages_received},
                     {"bytes_received", job.per_rank[i].bytes_received}});
  return j;
}

}  // namespace

ordered_json to_json(const TraceStatisticsReport& report) {
  const auto& s = report.calls;
  ordered_json j{
      {"schema", "busline/trace-statistics/1"}, {"trace", report.trace}, {"rank_count", s.ranks.size()}};
  j["calls"] = s.calls;
  j["messages"] = s.messages;
  j["bytes"] = s.bytes;
  j["ranks_with_wall_times"] = s.ranks_with_wall;
  j["ranks_with_cpu_times"] = s.ranks_with_cpu;
  const auto list = [&j](const char* name) -> ordered_json& { return j[name] = ordered_json::array(); };
  auto& functions = list("functions");
  for (const auto& f : s.functions) functions.push_back(function_json(f));
  j["message_sizes"] = sizes_json(s.message_sizes);
  auto& communicators = list("communicators");
  for (const auto& c : s.communicators)
    communicators.push_back({{"made_by", c.made_by},
                             {"made", c.made},
                             {"messages", c.messages},
                             {"collectives", c.collectives},
                             {"bytes", c.bytes}});
  auto& datatypes = list("datatypes");
  for (const auto& t : s.datatypes)
    datatypes.push_back({{"made_by", t.made_by},
                         {"calls", t.calls},
                         {"bytes", t.bytes},
                         {"least_element_bytes", t.least_size},
                         {"most_element_bytes", t.most_size}});
  auto& ranks = list("ranks");
  for (std::size_t i = 0; i < s.ranks.size(); ++i)
    ranks.push_back(statistics_rank_json(report.one_file ? ordered_json() : ordered_json(i), s.ranks[i]));
  if (report.job)
    j["job"] = job_json(*report.job);
  else
    j["without_job"] = report.without_job;
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

std::string to_text(const TraceStatisticsReport& report, bool all_ranks) {
  const auto& s = report.calls;
  const auto ranks = s.ranks.size();
  const auto shown = all_ranks ? ranks : std::min(ranks, kCountedRanksShown);
  auto text = report.one_file
                  ? fmt::format("{}: DUMPI file of one rank\n\n", report.trace)
                  : fmt::format("{}: DUMPI trace of {}\n\n", report.trace, readable(ranks, "rank"));
  text += statistics_summary_text(report);
  const auto add = [&text](const std::string& table) { text += table.empty() ? "" : "\n" + table; };
  add(functions_text(s));
  add(not_recorded_text(s));
  add(statistics_collectives_text(s));
  text += sizes_text(s.message_sizes);
  add(statistics_communicators_text(s));
  add(datatypes_text(s));
  add(rank_times_text(report, shown));
  add(rank_messages_text(report, shown));
  if (shown < ranks)
    text += fmt::format("  {} of {} ranks; --full shows all\n", shown, readable(std::uint64_t{ranks}));
  return text + job_text(report);
}

}  // namespace busline
