#include "measuring/skampi/result_writer.hpp"

#include <fmt/format.h>

#include <iterator>

#include "measuring/measurement/variation.hpp"
#include "measuring/skampi/parameter_words.hpp"

namespace busline::skampi {
namespace {

using measure::Pattern;
using measure::TimeOf;
using measure::Varies;

constexpr double kMicrosecond = 1e6;  // picoseconds
constexpr std::string_view kRule = "#-----------------------------------------------------------------\n";

std::string_view kind_of(const measure::Suite& suite) {
  switch (suite.pattern) {
    case Pattern::master_worker:
      return "mw";
    case Pattern::local:
    case Pattern::compute:
      return "simple";
    case Pattern::pingpong:
    case Pattern::pingping:
    case Pattern::bandwidth:
    case Pattern::bidirectional:
    case Pattern::overhead:
      return "p2p";
    default:
      return suite.time == TimeOf::max_over_ranks ? "syncol" : "col";
  }
}

std::string_view pattern_of(std::string_view kind) {
  return kind == "p2p"      ? "Point-to-Point"
         : kind == "mw"     ? "Master-Worker"
         : kind == "simple" ? "Simple"
                            : "Collective";
}

// argument, then result, standard error and count of the cleaned samples and of all, then times of processes.
void put_point(std::string& to, const measure::Point& p, const measure::Estimate& overhead) {
  auto all = p.result_ps;
  auto count = p.count;
  if (p.time_ps) {
    all = measure::without_overhead({p.time_ps->mean, p.time_ps->standard_error}, overhead);
    count = p.time_ps->count;
  }
  fmt::format_to(std::back_inserter(to), "{:8} {:9.1f} {:8.1f} {:6} {:9.1f} {:8.1f} {:6}", p.argument,
                 p.result_ps.value / kMicrosecond, p.result_ps.standard_error / kMicrosecond, p.count,
                 all.value / kMicrosecond, all.standard_error / kMicrosecond, count);
  for (const auto t : p.node_results_ps) fmt::format_to(std::back_inserter(to), " {:9.1f}", t / kMicrosecond);
  to += '\n';
}

// A text of several lines, each but the first behind a #.
std::string commented(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += '#';
  }
  return out;
}

std::string minutes(const Duration& d) {
  return fmt::format("{:.2f}", d.in_seconds() / 60);
}

}  // namespace

ResultHead head_of(const ParameterFile& parameters) {
  ResultHead head;
  for (const auto& [key, text] : {std::pair<std::string, std::string>{"MACHINE", parameters.machine},
                                  {"NODE", parameters.node},
                                  {"NETWORK", parameters.network},
                                  {"USER", parameters.user}})
    if (!text.empty()) head.emplace_back(key, text);
  head.emplace_back("ABSOLUTE", parameters.absolute ? "yes" : "no");
  return head;
}

std::string head_text(const ResultHead& head) {
  std::string text;
  for (const auto& [key, value] : head) text += fmt::format("#@{} {}\n", key, commented(value));
  return text;
}

std::string suite_text(const measure::Suite& suite, const SuiteDescription& description) {
  const auto kind = kind_of(suite);
  auto text = fmt::format(
      "{}#/*@in{}_{}.ski*/\n#Description of the {} measurement:\n#Pattern: {} varied over {}.\n#Operation: "
      "{}\n",
      kRule, kind, suite.name, suite.name, pattern_of(kind), measure::variation_of(suite.varies).words,
      suite.operation);
  const auto to = std::back_inserter(text);
  const auto* const plan = description.plan;
  if (plan != nullptr && suite.varies != Varies::nothing && !suite.points.empty())
    fmt::format_to(to, "#Scale: {}, range {} to {}, stepwidth {}.\n",
                   word_in(kScaleWords, std::optional(plan->range.scale)), suite.points.front().argument,
                   suite.points.back().argument, plan->range.step);
  const auto* const most = plan != nullptr && plan->limits.time_limit ? &*plan->limits.time_limit : nullptr;
  fmt::format_to(to,
                 "#default values: {} nodes, message length {} units, {} chunks, max. / act. time for suite "
                 "{}/{} min.\n",
                 description.processes, suite.bytes.value_or(0), suite.chunks.value_or(0),
                 most != nullptr ? minutes(*most) : "disabled", minutes(description.spent));
  if (suite.repetition)
    fmt::format_to(to, "#max. allowed standard error is {:.2f} %\n", suite.repetition->precision * 100);
  text +=
      "#argument, result, standard error and repetitions (cleaned), the same (all), times of the processes "
      "[us]\n";
  for (const auto& point : suite.points) put_point(text, point, suite.overhead_ps);
  text += "#eol\n";
  return text;
}

std::string end_text() {
  return fmt::format("{}\n", kFinished);
}

}  // namespace busline::skampi
