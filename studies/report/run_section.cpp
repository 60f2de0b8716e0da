#include "studies/report/run_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "documents/text/readable.hpp"
#include "studies/runs/jobs_report.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostBlocked = 5;
constexpr double kLossWorthTelling = 0.001;  // a share of the run time
constexpr double kBusy = 0.8;  // a resource that is in use for so long limits what goes through it

// Parts of a rank's time, in the order of the bars.
struct Part {
  const char* name;
  const char* sentence;  // "12 % goes to waiting for messages"
  double (*of)(const RankResult& r);
};
constexpr std::array<Part, 6> kParts{{
    {"compute", "computing", [](const RankResult& r) { return ps(r.times.compute); }},
    {"waiting for messages", "waiting for messages", [](const RankResult& r) { return ps(r.times.wait); }},
    {"collectives", "collectives", [](const RankResult& r) { return ps(r.times.collective); }},
    {"waiting in collectives", "waiting for others in collectives",
     [](const RankResult& r) { return ps(r.times.collective_wait); }},
    {"waiting for a CPU", "waiting for a CPU", [](const RankResult& r) { return ps(r.times.cpu_wait); }},
    {"latency on the CPU", "latency that CPUs pay", [](const RankResult& r) { return ps(r.times.latency); }},
}};
constexpr const char* kAfterEnd = "after its end";

double mean_over_ranks(const Result& result, double (*of)(const RankResult&)) {
  double sum = 0;
  for (const auto& r : result.ranks) sum += of(r);
  return result.ranks.empty() ? 0 : sum / static_cast<double>(result.ranks.size());
}

std::string ranks_name(const std::vector<JobResult>& jobs, std::size_t first, std::size_t last) {
  const auto name = [&](std::size_t r) { return name_of_rank(jobs, static_cast<std::uint32_t>(r)); };
  if (!jobs.empty()) return first == last ? name(first) : fmt::format("{} to {}", name(first), name(last));
  return first == last ? fmt::format("rank {}", first) : fmt::format("ranks {} to {}", first, last);
}

Figure rank_bars(const Result& result, const std::vector<JobResult>& jobs) {
  Bars bars{{"time of a rank", Unit::time}, {}, {}};
  for (const auto& part : kParts) bars.parts.emplace_back(part.name);
  bars.parts.emplace_back(kAfterEnd);
  const bool late = std::any_of(result.ranks.begin(), result.ranks.end(),
                                [](const RankResult& r) { return r.start > Time::zero(); });
  if (late) bars.parts.emplace_back("before its start");
  const auto ranks = result.ranks.size();
  const auto group = (ranks + kMostBars - 1) / kMostBars;
  for (std::size_t first = 0; first < ranks; first += group) {
    const auto last = std::min(first + group, ranks) - 1;
    Bars::Row row{ranks_name(jobs, first, last), std::vector<double>(bars.parts.size())};
    for (std::size_t i = first; i <= last; ++i) {
      const auto& r = result.ranks[i];
      for (std::size_t p = 0; p < kParts.size(); ++p) row.values[p] += kParts[p].of(r);
      row.values[kParts.size()] += std::max(0.0, ps(result.run_time.since_start()) - ps(r.end.since_start()));
      if (late) row.values.back() += ps(r.start.since_start());
    }
    for (auto& v : row.values) v /= static_cast<double>(last - first + 1);
    bars.rows.push_back(std::move(row));
  }
  return {"Where the time went",
          group > 1 ? fmt::format("Each bar is the mean of {} ranks.", group) : std::string(),
          std::move(bars)};
}

Figure rank_table(const Result& result) {
  Table table;
  table.columns = {{"rank"}, {"node"}, {"end", Unit::time}};
  std::vector<Part> parts;
  for (const auto& part : kParts)
    if (mean_over_ranks(result, part.of) > 0) parts.push_back(part);
  for (const auto& part : parts) table.columns.push_back({part.name, Unit::time});
  table.columns.insert(table.columns.end(), {{"messages sent"},
                                             {"bytes sent", Unit::bytes},
                                             {"their wait for links", Unit::time},
                                             {"for buses", Unit::time}});
  for (std::size_t i = 0; i < result.ranks.size(); ++i) {
    const auto& r = result.ranks[i];
    std::vector<Table::Cell> row{static_cast<double>(i), static_cast<double>(r.node),
                                 ps(r.end.since_start())};
    for (const auto& part : parts) row.emplace_back(part.of(r));
    row.emplace_back(static_cast<double>(r.messages_sent));
    row.emplace_back(static_cast<double>(r.bytes_sent));
    row.emplace_back(ps(r.link_wait));
    row.emplace_back(ps(r.bus_wait));
    table.rows.push_back(std::move(row));
  }
  return {"Ranks", "", std::move(table)};
}

Figure resource_table(const std::vector<ResourceClass>& classes) {
  Table table;
  table.columns = {{"links and buses"},
                   {"groups"},
                   {"each"},
                   {"mean use", Unit::share},
                   {"largest use", Unit::share},
                   {"messages"},
                   {"waited", Unit::time},
                   {"longest queue"}};
  for (const auto& c : classes)
    table.rows.push_back({c.name, static_cast<double>(c.groups),
                          c.capacity == 0 ? Table::Cell("unlimited") : Table::Cell(double(c.capacity)),
                          c.mean_utilisation, c.max_utilisation, static_cast<double>(c.messages), ps(c.wait),
                          static_cast<double>(c.peak_queue)});
  return {"Links and buses",
          "Use is the share of the run time in which a link or bus was occupied. Waiting times are summed "
          "over messages.",
          std::move(table)};
}

Figure jobs_table(const std::vector<JobResult>& jobs) {
  Table table;
  table.columns = {{"job"},
                   {"ranks"},
                   {"start", Unit::time},
                   {"run time", Unit::time},
                   {"repetitions"},
                   {"alone", Unit::time},
                   {"slower by", Unit::share}};
  const auto cell = [](const auto& value, auto number) {
    return value ? Table::Cell(number(*value)) : Table::Cell(std::monostate());
  };
  for (const auto& j : jobs)
    table.rows.push_back({j.name, static_cast<double>(j.ranks), ps(j.start), cell(j.run_time, ps),
                          j.background ? Table::Cell(static_cast<double>(j.repetitions)) : Table::Cell(),
                          cell(j.alone, ps), cell(j.slowdown(), [](double x) { return x; })});
  return {"Jobs", "A job that is repeated in the background has the mean time of a repetition.",
          std::move(table)};
}

// What one job's waits have to do with another, at all places together.
Figure waits_matrix(const std::vector<JobResult>& jobs) {
  Matrix matrix{"waits", "holds", {"waiting time", Unit::time}, {}, {}};
  for (const auto& j : jobs) matrix.names.push_back(j.name);
  for (const auto& j : jobs) {
    std::vector<double> by(jobs.size());
    for (const auto& wait : j.waits)
      for (std::size_t i = 0; i < std::min(by.size(), wait.by_job.size()); ++i) by[i] += ps(wait.by_job[i]);
    matrix.values.insert(matrix.values.end(), by.begin(), by.end());
  }
  return {"Who waits for whom", "Summed over messages and ranks of the job.", std::move(matrix)};
}

Figure slowdown_matrix(const JobMatrix& of) {
  Matrix matrix{"slowed down", "by", {"slower by", Unit::share}, of.names, {}};
  for (const auto& row : of.slowdown) matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  return {"Who slows whom", "Each job beside one other, which is repeated as long as it runs.",
          std::move(matrix)};
}

Figure blocked_table(const Result& result) {
  Table table;
  table.columns = {{"rank"}, {"call number"}, {"call"}, {"waits for"}};
  for (const auto& b : result.blocked)
    table.rows.push_back(
        {static_cast<double>(b.rank), static_cast<double>(b.call_number), b.call, b.waits_for});
  return {"Blocked ranks", "", std::move(table)};
}

std::string outcome_sentence(const SimulateReport& run) {
  const auto& result = run.result;
  const auto time = readable(result.run_time.since_start());
  switch (result.status) {
    case Result::Status::complete:
      break;
    case Result::Status::deadlock:
      return fmt::format(
          "The run cannot continue after {}: {} of {} ranks wait for something that never happens.", time,
          readable(std::uint64_t{result.blocked.size()}), readable(std::uint64_t{result.ranks.size()}));
    case Result::Status::clock_overflow:
      return "The run takes longer than 106 days, the limit of the clock.";
    case Result::Status::interrupted:
      return fmt::format("The simulation was stopped after {} of the run.", time);
  }
  auto text = fmt::format("The run takes {}", time);
  if (run.traced_run_time && *run.traced_run_time > Duration()) {
    const auto ratio = ps(result.run_time.since_start()) / ps(*run.traced_run_time) - 1;
    text += fmt::format(", {:.1f} % {} than the {} that were traced", std::abs(ratio) * 100,
                        ratio < 0 ? "less" : "more", readable(*run.traced_run_time));
  }
  return text + ".";
}

// What the ranks do besides computing, the largest share first.
std::string losses_sentence(const Result& result) {
  const auto whole = ps(result.run_time.since_start());
  if (whole <= 0 || result.ranks.empty()) return "";
  struct Loss {
    const char* to;
    double share;
  };
  std::vector<Loss> losses;
  for (std::size_t i = 1; i < kParts.size(); ++i)
    losses.push_back({kParts[i].sentence, mean_over_ranks(result, kParts[i].of) / whole});
  std::stable_sort(losses.begin(), losses.end(),
                   [](const Loss& a, const Loss& b) { return a.share > b.share; });
  auto text = fmt::format("On average a rank computes for {} of it",
                          percent(mean_over_ranks(result, kParts[0].of) / whole));
  for (std::size_t i = 0; i < 2; ++i)
    if (losses[i].share > kLossWorthTelling)
      text += fmt::format("{} {} {}to {}", i == 0 ? ";" : " and", percent(losses[i].share),
                          i == 0 ? "goes " : "", losses[i].to);
  return text + ".";
}

std::string balance_sentence(const Result& result) {
  const auto e = efficiency(result);
  if (!e || result.status != Result::Status::complete || result.ranks.size() < 2) return "";
  if (e->parallel > 0.95) return "A better network or load balance can gain little.";
  const bool balance = e->load_balance < e->communication;
  return balance
             ? fmt::format(
                   "Load balance limits it most: the busiest rank computes {:.2f} times as long as the mean.",
                   1 / e->load_balance)
             : fmt::format(
                   "Communication limits it most: even the busiest rank computes only {} of the time.",
                   percent(e->communication));
}

std::string queue_sentence(const std::vector<ResourceClass>& classes) {
  const auto most = std::max_element(classes.begin(), classes.end(),
                                     [](const auto& a, const auto& b) { return a.wait < b.wait; });
  if (most == classes.end() || most->wait == Duration()) return "No message waited for a link or a bus.";
  auto text = fmt::format("Messages waited longest for {}: {} together", most->name, readable(most->wait));
  if (most->max_utilisation >= kBusy)
    text += fmt::format(", which {} in use {} of the time", most->groups > 1 ? "were, at worst," : "were",
                        percent(most->max_utilisation));
  return text + ".";
}

}  // namespace

Section run_section(const SimulateReport& run, const std::string& source) {
  const auto& result = run.result;
  const auto classes = resource_classes(result);
  Section s{"run", fmt::format("{} on {}", run.workload, run.platform), source, {}};
  for (auto sentence : {outcome_sentence(run), losses_sentence(result), balance_sentence(result),
                        classes.empty() ? std::string() : queue_sentence(classes)})
    if (!sentence.empty()) s.summary.push_back(std::move(sentence));
  for (std::size_t i = 0; i < std::min(result.blocked.size(), kMostBlocked); ++i)
    s.summary.push_back(fmt::format("Rank {} waits in {} for {}.", result.blocked[i].rank,
                                    result.blocked[i].call, result.blocked[i].waits_for));
  s.facts = {{"run time", readable(result.run_time.since_start())},
             {"ranks", readable(std::uint64_t{result.ranks.size()})},
             {"model", run.model},
             {"messages", readable(result.messages)},
             {"bytes", readable(Bytes{result.bytes})}};
  if (run.traced_run_time)
    s.facts.insert(s.facts.begin() + 1, {"traced run time", readable(*run.traced_run_time)});
  if (const auto e = efficiency(result); e && result.status == Result::Status::complete) {
    s.facts.emplace_back("parallel efficiency", fmt::format("{:.3f}", e->parallel));
    s.facts.emplace_back("load balance", fmt::format("{:.3f}", e->load_balance));
    s.facts.emplace_back("communication efficiency", fmt::format("{:.3f}", e->communication));
  }
  if (!run.jobs.empty()) {
    s.figures.push_back(jobs_table(run.jobs));
    s.figures.push_back(waits_matrix(run.jobs));
  }
  if (run.job_matrix) s.figures.push_back(slowdown_matrix(*run.job_matrix));
  if (run.noise)
    s.facts.emplace_back("with noise, 5 to 95 %", fmt::format("{} to {}", readable(run.noise->all.low),
                                                              readable(run.noise->all.high)));
  if (!result.blocked.empty()) s.figures.push_back(blocked_table(result));
  if (!result.ranks.empty()) s.figures.push_back(rank_bars(result, run.jobs));
  if (!classes.empty()) s.figures.push_back(resource_table(classes));
  if (!result.ranks.empty()) s.figures.push_back(rank_table(result));
  return s;
}

}  // namespace busline::report
