#include "studies/study/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "documents/fields/document.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/quantity_column.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/runs/status_json.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/store.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::array<FigureColumn, 6> kMeanParts{{{"compute", &Outcome::compute_ps},
                                                  {"latency", &Outcome::latency_ps},
                                                  {"messages", &Outcome::wait_ps},
                                                  {"waiting in collectives", &Outcome::collective_wait_ps},
                                                  {"collectives", &Outcome::collective_ps},
                                                  {"CPUs", &Outcome::cpu_wait_ps}}};

Expected<ComparableRuns> of_study(const std::string& path) {
  const auto store = Store::open(path, Store::Mode::read);
  if (!store) return tl::unexpected(store.error());
  const auto study = store->study();
  if (!study) return tl::unexpected(study.error());
  ComparableRuns all{path, {}};
  if (!*study) return all;
  const auto axes = axes_of(**study);
  auto done = store->each([&](const PointOutcome& p) -> Expected<void> {
    ComparableRuns::Run run{"", "", p.outcome};
    // Axes with one value are settings of the base case: what two studies may differ in.
    for (std::size_t i = 0; i < axes.size() && i < p.values.size(); ++i) {
      if (!axes[i].varies()) continue;
      run.name += fmt::format("{}{} = {}", run.name.empty() ? "" : ", ", axes[i].label, p.values[i].name);
      run.key += fmt::format("{} = {}\n", axes[i].label,
                             axes[i].pointer.empty() ? p.values[i].name : p.values[i].json);
    }
    all.runs.push_back(std::move(run));
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));
  return all;
}

// For a single run's status. One that was interrupted has no result, as if the system had ended it.
Outcome::Status status_of_point(Result::Status of_run) {
  switch (of_run) {
    case Result::Status::complete:
      return Outcome::Status::done;
    case Result::Status::deadlock:
      return Outcome::Status::deadlock;
    case Result::Status::clock_overflow:
      return Outcome::Status::clock_overflow;
    case Result::Status::interrupted:
      break;
  }
  return Outcome::Status::failed;
}

Expected<ComparableRuns> of_result(const std::string& path) {
  const auto document = Document::read(path);
  if (!document) return tl::unexpected(document.error());
  const auto& j = document->root();
  const auto whole = [](const ordered_json& object, const std::string& key) -> Outcome::Figure {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
  };
  if (!j.is_object() || j.value("schema", ordered_json()) != "busline/result/1" || !j.contains("ranks") ||
      !j["ranks"].is_array()) {
    return refuse_file(
        Error::Kind::bad_input, path,
        "neither a file of results of 'busline study' nor a document of 'busline simulate --json'");
  }
  Outcome o;
  auto status = Result::Status::interrupted;
  Choice<Result::Status> choice{status, kStatusNames};
  const Cursor at(*document);
  const auto member = at.member("status");
  if (!member) return tl::unexpected(fields::missing(at, "status"));
  if (auto read = read_value(*member, choice); !read) return tl::unexpected(std::move(read.error()));
  o.status = status_of_point(status);
  o.run_time_ps = whole(j, "run_time_ps");
  const auto& ranks = j["ranks"];
  for (const auto& [name, figure] : kFigureColumns) {
    double sum = 0;
    bool all = !ranks.empty();
    for (const auto& rank : ranks) {
      const auto value = rank.is_object() ? whole(rank, std::string(name)) : std::nullopt;
      all = all && value;
      sum += static_cast<double>(value.value_or(0));
    }
    if (all && !(o.*figure)) o.*figure = std::llround(sum / static_cast<double>(ranks.size()));
  }
  return ComparableRuns{path, {{"", "", std::move(o)}}};
}

std::string pair_change_text(const Difference::Pair& p) {
  const auto& figure = p.first.run_time_ps ? &Outcome::run_time_ps : &Outcome::bytes_per_s;
  const auto a = p.first.*figure, b = p.second.*figure;
  if (!a || !b || *a == 0 || !p.first.is_done() || !p.second.is_done()) return "-";
  return fmt::format("{:+.2f} %", (static_cast<double>(*b) / static_cast<double>(*a) - 1) * 100);
}

bool have_paths(const Difference& d) {
  return std::all_of(d.pairs.begin(), d.pairs.end(),
                     [](const auto& p) { return p.first.has_path() && p.second.has_path(); });
}

// The part that changed most: of the critical path, or of a rank's mean time.
std::string most_changed(const Difference::Pair& p, std::span<const FigureColumn> parts) {
  std::string_view most;
  std::int64_t by = 0;
  for (const auto& [name, part] : parts) {
    const auto change = (p.second.*part).value_or(0) - (p.first.*part).value_or(0);
    if (std::abs(change) > std::abs(by)) {
      most = name;
      by = change;
    }
  }
  if (by == 0 || !p.first.is_done() || !p.second.is_done()) return "-";
  return fmt::format("{} {}{}", most, by > 0 ? "+" : "-", readable(Duration::picoseconds(std::abs(by))));
}

// For a run alone, which was no point of anything.
std::string name_text(const std::string& name) {
  return name.empty() ? "run" : name;
}

std::string names_line(const char* what, const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const auto& name : names) shown.push_back(name_text(name));
  return names.empty() ? std::string() : fmt::format("{}: {}\n", what, fmt::join(shown, "; "));
}

}  // namespace

Expected<ComparableRuns> read_comparable_runs(const std::string& path) {
  return is_store(path) ? of_study(path) : of_result(path);
}

Difference difference_of(const ComparableRuns& first, const ComparableRuns& second) {
  Difference d{first.file, second.file, {}, {}, {}};
  const bool single = first.runs.size() == 1 && second.runs.size() == 1;
  if (single) {
    d.pairs.push_back({first.runs[0].name, first.runs[0].outcome, second.runs[0].outcome});
    return d;
  }
  std::map<std::string_view, const ComparableRuns::Run*> by_key;
  for (const auto& run : second.runs) by_key.emplace(run.key, &run);
  for (const auto& run : first.runs) {
    const auto found = by_key.find(run.key);
    if (found == by_key.end()) {
      d.only_first.push_back(run.name);
      continue;
    }
    d.pairs.push_back({run.name, run.outcome, found->second->outcome});
    by_key.erase(found);
  }
  for (const auto& run : second.runs)
    if (by_key.count(run.key) > 0) d.only_second.push_back(run.name);
  return d;
}

std::string to_text(const Difference& d) {
  const bool paths = have_paths(d);
  const auto parts = paths ? std::span<const FigureColumn>(kPathParts) : kMeanParts;
  QuantityColumn times(QuantityKind::time);
  for (const auto& p : d.pairs)
    for (const auto* o : {&p.first, &p.second})
      if (o->is_done() && o->run_time_ps) times.see(static_cast<double>(*o->run_time_ps));
  const auto time_text = [&times](const Outcome& o) {
    if (!o.is_done()) return std::string(name_of(o.status));
    return o.run_time_ps ? times.result(static_cast<double>(*o.run_time_ps)) : result_text(o);
  };
  const auto heading = [&times](const char* label) { return times.empty() ? label : times.heading(label); };
  TextTable table({"point", heading("first"), heading("second"), "change",
                   paths ? "largest change, critical path" : "largest change, mean over ranks"});
  for (const auto& p : d.pairs)
    table.add({name_text(p.name), time_text(p.first), time_text(p.second), pair_change_text(p),
               most_changed(p, parts)});
  auto text = fmt::format("{} against {}\n{}", d.second, d.first, table.text());
  if (d.pairs.empty())
    text += "they have no point in common: only points with the same values on all axes are compared\n";
  text += names_line("only in the first", d.only_first) + names_line("only in the second", d.only_second);
  return text;
}

ordered_json to_json(const Difference& d) {
  const auto figures = [](const Outcome& o) {
    ordered_json j{{"status", name_of(o.status)}};
    for (const auto& column : kFigureColumns)
      if (const auto& figure = o.*column.figure) j[std::string(column.name)] = *figure;
    return j;
  };
  ordered_json j{{"schema", "busline/diff/1"}, {"first", d.first}, {"second", d.second}};
  auto& pairs = j["points"] = ordered_json::array();
  for (const auto& p : d.pairs)
    pairs.push_back({{"point", p.name}, {"first", figures(p.first)}, {"second", figures(p.second)}});
  j["only_first"] = d.only_first;
  j["only_second"] = d.only_second;
  return j;
}

}  // namespace busline
