#include "studies/report/find_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/report/members.hpp"
#include "studies/report/study_axes.hpp"
#include "studies/study/axis_number.hpp"

namespace busline::report {
namespace {

double good_enough(const StoredFind& f) {
  return ps(f.target) * (1 + f.within);
}

// A document has a value's name alone: "8", "1.5 us".
std::optional<AxisNumber> number_in_name(const std::string& name) {
  const auto number = axis_number(name);
  return number ? number : axis_number(nlohmann::json(name).dump());
}

// None where values are not numbers of one kind.
std::optional<Figure> tried_figure(const StoredFind& f) {
  Chart chart{{f.axis, Unit::number}, {"run time", Unit::time}, {}};
  Chart::Curve line{"run time", Chart::Style::line, {}};
  std::optional<QuantityKind> kind;
  for (const auto& t : f.tried) {
    const auto number = number_in_name(t.value);
    if (!number || (kind && *kind != number->kind)) return std::nullopt;
    kind = number->kind;
    if (t.run_time) line.samples.push_back({number->value, ps(*t.run_time), {}, {}, t.value});
  }
  if (line.samples.size() < 2) return std::nullopt;
  std::stable_sort(line.samples.begin(), line.samples.end(),
                   [](const auto& a, const auto& b) { return a.x < b.x; });
  const auto least = line.samples.front().x, most = line.samples.back().x;
  chart.x.unit = unit_of_axis(*kind);
  chart.x.logarithmic = spans_widely(least, most);
  chart.curves = {std::move(line),
                  {"good enough up to here",
                   Chart::Style::line,
                   {{least, good_enough(f), {}, {}, ""}, {most, good_enough(f), {}, {}, ""}}}};
  return Figure{fmt::format("Run time over {}", f.axis), "Nothing is known about values between those tried.",
                std::move(chart)};
}

Figure tried_table(const StoredFind& f) {
  Table table;
  table.columns = {{f.axis}, {"run time", Unit::time}, {"to target", Unit::multiple}, {"good enough"}};
  for (const auto& t : f.tried)
    table.rows.push_back(
        {t.value, t.run_time ? Table::Cell(ps(*t.run_time)) : Table::Cell(t.status),
         t.run_time && f.target > Duration() ? Table::Cell(ps(*t.run_time) / ps(f.target)) : Table::Cell(),
         std::string(t.good ? "yes" : "no")});
  return {"Values tried", "", std::move(table)};
}

std::vector<std::string> find_sentences(const StoredFind& f) {
  std::vector<std::string> text;
  const auto good = std::count_if(f.tried.begin(), f.tried.end(), [](const auto& t) { return t.good; });
  const auto first = std::find_if(f.tried.begin(), f.tried.end(), [](const auto& t) { return t.good; });
  if (!f.found)
    text.push_back("None of the values tried is good enough.");
  else
    text.push_back(fmt::format("{} = {} is the {} of the values tried that is good enough.", f.axis, *f.found,
                               good == 1                                            ? "only one"
                               : first != f.tried.end() && first->value == *f.found ? "first"
                                                                                    : "last"));
  text.push_back(fmt::format("Good enough is a run time of at most {}: {} above the target of {}.",
                             readable(Duration::from_double(good_enough(f))), percent(f.within),
                             readable(f.target)));
  if (f.several_borders)
    text.push_back(
        "Run times do not change monotonically along this axis: values beyond it may be good "
        "enough, or not.");
  return text;
}

}  // namespace

Expected<StoredFind> read_find(const Document& document) {
  const Cursor top(document);
  Members m(top);
  StoredFind f;
  m.text("axis", f.axis);
  m.time("target_ps", f.target);
  m.number("within", f.within);
  m.text("found", f.found);
  m.flag("several_borders", f.several_borders);
  m.list("tried", [&](Members& t) {
    auto& tried = f.tried.emplace_back();
    t.text("value", tried.value);
    t.text("status", tried.status);
    t.flag("good", tried.good);
    t.time("run_time_ps", tried.run_time);
  });
  if (m.error()) return tl::unexpected(*m.error());
  return f;
}

Section find_section(const StoredFind& f, const std::string& source) {
  Section s{"find", fmt::format("{} that is fast enough", f.axis), source, find_sentences(f)};
  if (auto chart = tried_figure(f)) s.figures.push_back(*std::move(chart));
  s.figures.push_back(tried_table(f));
  return s;
}

}  // namespace busline::report
