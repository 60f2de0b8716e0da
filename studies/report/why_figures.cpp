#include "studies/report/why_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "documents/text/readable.hpp"
#include "studies/report/members.hpp"
#include "studies/runs/why_report.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostRows = 24;  // of ranks and of calls, those with the most time
constexpr std::size_t kMostTold = 3;

std::string cause_words(std::string cause) {
  std::replace(cause.begin(), cause.end(), '_', ' ');
  return cause;
}

void read_parts(Members& m, StoredWhy::Parts& parts) {
  m.list("parts", [&](Members& p) {
    auto& [cause, time] = parts.emplace_back();
    p.text("cause", cause);
    p.time("ps", time);
  });
}

void read_path(Members& path, StoredWhy& why) {
  path.time("total_ps", why.total);
  read_parts(path, why.parts);
  path.list("ranks", [&](Members& r) {
    std::uint32_t rank = 0;
    auto& share = why.ranks.emplace_back();
    r.whole("rank", rank);
    share.name = fmt::format("rank {}", rank);
    read_parts(r, share.parts);
  });
  path.list("calls", [&](Members& c) {
    auto& share = why.calls.emplace_back();
    if (c.is_null("call"))
      share.name = "between calls";
    else
      c.text("call", share.name);
    read_parts(c, share.parts);
  });
}

double total_of_parts(const StoredWhy::Parts& parts) {
  double sum = 0;
  for (const auto& [cause, time] : parts) sum += ps(time);
  return sum;
}

// The path as a whole, then its share on each rank or in each call.
Figure bars_of(const StoredWhy& why, std::vector<StoredWhy::Share> shares, const char* title) {
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) {
    return total_of_parts(a.parts) > total_of_parts(b.parts);
  });
  const auto all = shares.size();
  shares.resize(std::min(all, kMostRows));
  shares.insert(shares.begin(), {"all", why.parts});
  Bars bars{{"time on the critical path", Unit::time}, {}, {}};
  std::vector<std::string> causes;
  for (const auto& [cause, time] : why.parts) causes.push_back(cause);
  // First, so that computing has the same colour as where the time of ranks is shown.
  std::stable_partition(causes.begin(), causes.end(),
                        [](const std::string& cause) { return cause == "compute"; });
  for (const auto& cause : causes) bars.parts.push_back(cause_words(cause));
  for (const auto& share : shares) {
    Bars::Row row{share.name, std::vector<double>(causes.size())};
    for (const auto& [cause, time] : share.parts) {
      const auto at = std::find(causes.begin(), causes.end(), cause);
      if (at != causes.end())
        row.values[static_cast<std::size_t>(std::distance(causes.begin(), at))] += ps(time);
    }
    bars.rows.push_back(std::move(row));
  }
  return {title,
          all > kMostRows
              ? fmt::format("The {} of {} with the most time.", kMostRows, readable(std::uint64_t{all}))
              : std::string(),
          std::move(bars)};
}

Figure steps_table(const StoredWhy& why) {
  Table table;
  table.columns = {{"change"}, {"run time from the slope", Unit::time}, {"by a run", Unit::time}};
  for (const auto& s : why.steps) table.rows.push_back({s.change, ps(s.predicted), ps(s.simulated)});
  return {"Effect of large changes",
          why.exact ? "Slopes hold for small changes."
                    : "Slopes hold for small changes, as long as no message overtakes another.",
          std::move(table)};
}

std::string path_sentence(const StoredWhy& why) {
  auto parts = why.parts;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostTold); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", cause_words(parts[i].first),
                        percent(why.total > Duration() ? ps(parts[i].second) / ps(why.total) : 0));
  if (text.empty()) return text;
  text = fmt::format("The critical path, which determines the run time, is {}.", text);
  const auto computing =
      std::find_if(parts.begin(), parts.end(), [](auto& p) { return p.first == "compute"; });
  const auto of_path = computing == parts.end() ? 0 : ps(computing->second) / ps(why.total);
  const auto overlap = why.efficiency ? overlap_sentence(why.efficiency->parallel, of_path) : "";
  return overlap.empty() ? text : text + " " + overlap;
}

std::string better_figure(const std::string& figure) {
  for (const auto& [name, known] : kAdviceFigureNames)
    if (name == figure) return std::string(description_of(known));
  return figure;
}

std::string advice_words(const StoredWhy::CheckedFigure& a) {
  const auto name = better_figure(a.figure);
  const auto interval = fmt::format("{} to {}", signed_percent(a.low), signed_percent(a.high));
  const bool several = a.figure == "cpu_speed";
  if (!a.reliable)
    return fmt::format("{} {} no reliable effect ({})", name, several ? "have" : "has", interval);
  return fmt::format("{} {} the run time by {} ({})", name, several ? "change" : "changes",
                     signed_percent(a.median), interval);
}

std::string advice_sentence(const StoredWhy& why) {
  std::string text;
  for (const auto& a : why.advice) text.append(text.empty() ? "" : "; ").append(advice_words(a));
  return text.empty() ? text
                      : fmt::format(
                            "{}. This is what {} runs with slightly different bursts show; nine in "
                            "ten lie in these ranges.",
                            text, why.runs);
}

Figure advice_table(const StoredWhy& why) {
  Table table;
  table.columns = {{"change"}, {"run time"}, {"5 to 95 % of runs"}, {"one run"}, {"from the slope"}};
  for (const auto& a : why.advice)
    table.rows.push_back({better_figure(a.figure),
                          a.reliable ? signed_percent(a.median) : "no reliable effect",
                          fmt::format("{} to {}", signed_percent(a.low), signed_percent(a.high)),
                          signed_percent(a.by_a_run), signed_percent(a.by_slope)});
  return {"Advice, checked by runs",
          fmt::format("{} runs were made, most of them with bursts jittered by up to 1 %.", why.runs),
          std::move(table)};
}

}  // namespace

Expected<std::optional<StoredWhy>> read_why(const Document& document) {
  const Cursor top(document);
  Members m(top);
  std::optional<StoredWhy> found;
  m.object_if_there("why", [&](Members& w) {
    auto& why = found.emplace();
    w.object("critical_path", [&](Members& path) { read_path(path, why); });
    w.object("slopes", [&](Members& s) {
      s.flag("exact", why.exact);
      s.number("latency", why.latency);
      s.number("inverse_bandwidth_ps", why.inverse_bandwidth_ps);
      s.number("inverse_cpu_speed_ps", why.inverse_cpu_speed_ps);
    });
    w.list_if_there("advice", [&](Members& a) {
      auto& checked = why.advice.emplace_back();
      a.text("figure", checked.figure);
      a.flag("reliable", checked.reliable);
      a.number("median", checked.median);
      a.number("low", checked.low);
      a.number("high", checked.high);
      a.number("by_a_run", checked.by_a_run);
      a.number("by_slope", checked.by_slope);
    });
    if (!why.advice.empty()) w.whole("runs", why.runs);
    w.list_if_there("large_steps", [&](Members& s) {
      auto& step = why.steps.emplace_back();
      s.text("change", step.change);
      s.time("predicted_ps", step.predicted);
      s.time("simulated_ps", step.simulated);
    });
    w.object_if_there("efficiency", [&](Members& e) {
      auto& efficiency = why.efficiency.emplace(StoredWhy::Efficiency());
      e.number("parallel", efficiency.parallel);
      e.number("load_balance", efficiency.load_balance);
      e.number("serialisation", efficiency.serialisation);
      e.number("transfer", efficiency.transfer);
    });
    w.object_if_there("resolution", [&](Members& r) { r.time("spread_ps", why.spread); });
  });
  if (m.error()) return tl::unexpected(*m.error());
  return found;
}

void add_why(const StoredWhy& why, Section& run) {
  std::vector<std::string> sentences;
  for (auto text : {path_sentence(why), advice_sentence(why)})
    if (!text.empty()) sentences.push_back(std::move(text));
  if (why.spread && *why.spread > Duration())
    sentences.push_back(fmt::format(
        "Tiny changes of the bursts and the latency change the run time by {}: no prediction here is finer "
        "than that.",
        readable(*why.spread)));
  run.summary.insert(run.summary.begin() + (run.summary.empty() ? 0 : 1), sentences.begin(), sentences.end());
  if (const auto& e = why.efficiency) {
    run.facts.emplace_back("serialisation efficiency", fmt::format("{:.3f}", e->serialisation));
    run.facts.emplace_back("transfer efficiency", fmt::format("{:.3f}", e->transfer));
  }
  std::vector<Figure> figures{bars_of(why, why.calls, "Critical path by call"),
                              bars_of(why, why.ranks, "Critical path by rank")};
  if (!why.advice.empty()) figures.push_back(advice_table(why));
  if (!why.steps.empty()) figures.push_back(steps_table(why));
  run.figures.insert(run.figures.begin(), std::make_move_iterator(figures.begin()),
                     std::make_move_iterator(figures.end()));
}

}  // namespace busline::report
