#include "measuring/tables/measurement_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/tables/launch_table.hpp"

namespace busline {
namespace {

using namespace measure;

constexpr std::size_t kPointsShown = 60;
constexpr std::size_t kRanksShown = 8;

template <class E, std::size_t N>
std::string_view name_of(const Names<E, N>& names, E value) {
  for (const auto& [name, v] : names)
    if (v == value) return name;
  return "";
}

std::string time_text(double ps) {
  return readable(Duration::from_double(ps));
}

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  if (ranks.empty()) return "";
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  if (ranks.size() > kRanksShown) return fmt::format("{} ranks", readable(std::uint64_t{ranks.size()}));
  return fmt::format("ranks {}", fmt::join(ranks, ", "));
}

// "pingpong (round-trip) of MPI_Send / MPI_Recv over bytes, inter-node, ranks 0, 32"
std::string subject(const Suite& s) {
  auto text = fmt::format("{} ({}) of {}", name_of(kPatternNames, s.pattern), name_of(kTimeOfNames, s.time),
                          s.operation);
  if (s.varies != Varies::nothing) text += fmt::format(" over {}", name_of(kVariesNames, s.varies));
  if (s.bytes) text += ", " + readable(*s.bytes, "byte");
  if (s.launch) text.append(", ").append(to_text(*s.launch));
  if (s.chunks) text += ", " + readable(*s.chunks, "chunk");
  if (s.concurrent > 1) text += fmt::format(", {} pairs at once", s.concurrent);
  if (s.route_class) text.append(", ").append(name_of(kRouteClassNames, s.route_class));
  if (!s.ranks.empty()) text.append(", ").append(ranks_text(s.ranks));
  return text;
}

std::string notes(const Point& p) {
  std::string text;
  if (p.refined) text += "  refined";
  if (p.interpolated) text += "  interpolated";
  if (!p.settled) text += "  not settled";
  return text;
}

std::string table(const Suite& suite) {
  const auto any = [&](auto of) { return std::any_of(suite.points.begin(), suite.points.end(), of); };
  const bool with_ranks = any([](const Point& p) { return !p.ranks.empty(); });
  const bool with_spread = any([](const Point& p) { return p.merged.has_value(); });
  if (suite.launch && !with_spread) return launch_table(suite);
  std::string text = "  ";
  if (with_ranks) text += fmt::format("{:<16}", "ranks");
  text += fmt::format("{:>12}{:>14}{:>10}{:>9}", name_of(kVariesNames, suite.varies), "result", "error",
                      "samples");
  if (with_spread) text += fmt::format("{:>6}{:>14}{:>14}", "runs", "smallest", "largest");
  text += '\n';
  for (std::size_t i = 0; i < std::min(suite.points.size(), kPointsShown); ++i) {
    const auto& p = suite.points[i];
    const auto& r = p.result_ps;
    text += "  ";
    if (with_ranks) text += fmt::format("{:<16}", fmt::format("{}", fmt::join(p.ranks, ", ")));
    text += fmt::format("{:>12}{:>14}{:>10}{:>9}", readable(p.argument), time_text(r.value),
                        r.value > 0 ? percent(r.standard_error / r.value) : "-",
                        readable(p.time_ps ? p.time_ps->count : p.count));
    if (p.merged)
      text += fmt::format("{:>6}{:>14}{:>14}", p.merged->runs, time_text(p.merged->results_ps.low),
                          time_text(p.merged->results_ps.high));
    text += notes(p) + '\n';
  }
  if (suite.points.size() > kPointsShown)
    text += fmt::format("  and {} more; --json has them all\n",
                        readable(std::uint64_t{suite.points.size() - kPointsShown}));
  return text;
}

std::string measurement_heading(const Measurement& m) {
  auto text = fmt::format("{}: {}, {}", m.machine.name, name_of(kTestbedNames, m.testbed),
                          readable(m.suites.size(), "suite"));
  if (m.merged)
    text += fmt::format(", merged from {} by {}", readable(m.merged->files.size(), "file"),
                        name_of(kMergeRuleNames, m.merged->rule));
  return text + '\n';
}

}  // namespace

std::string to_text(const Measurement& m) {
  auto text = measurement_heading(m);
  for (const auto& s : m.suites) text += fmt::format("\n{}\n  {}\n{}", s.name, subject(s), table(s));
  return text;
}

std::string summary_text(const Measurement& m) {
  auto text = measurement_heading(m);
  TextTable table({"suite", "points", "over", "smallest", "largest"}, {0, 6, 24, 12, 12});
  for (const auto& s : m.suites) {
    if (s.points.empty()) continue;
    const auto [low, high] = std::minmax_element(
        s.points.begin(), s.points.end(),
        [](const Point& a, const Point& b) { return a.result_ps.value < b.result_ps.value; });
    const auto [from, to] =
        std::minmax_element(s.points.begin(), s.points.end(),
                            [](const Point& a, const Point& b) { return a.argument < b.argument; });
    const auto range = s.varies == Varies::nothing
                           ? std::string("-")
                           : fmt::format("{} {} to {}", name_of(kVariesNames, s.varies),
                                         readable(from->argument), readable(to->argument));
    table.add({s.name, readable(std::uint64_t{s.points.size()}), range, time_text(low->result_ps.value),
               time_text(high->result_ps.value)});
  }
  return text + "\n" + table.text();
}

}  // namespace busline
