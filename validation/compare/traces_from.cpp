#include "validation/compare/traces_from.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "measuring/runs/preload.hpp"

namespace busline::compare {
namespace {

using Candidates = std::vector<const runs::RunSet*>;

std::string run_name(const runs::RunSet& set) {
  return fmt::format("{} on {}", set.name, set.machine.name);
}

// What the program was called with, without the launcher and without folders, which differ from machine to
// machine. Nothing if the command does not show where the program is.
std::optional<std::vector<std::string>> arguments_of(const runs::RunSet& set) {
  std::vector<std::string> words;
  for (const auto& word : set.command) words.push_back(std::filesystem::path(word).filename().string());
  auto begin = std::find(words.begin(), words.end(), runs::kProgramMark);
  const bool marked = begin != words.end();
  if (!marked) begin = words.begin();
  auto program = std::find(begin, words.end(), set.name);
  // Programs whose run sets got another name.
  if (program == words.end() && marked && begin + 1 != words.end()) program = begin + 1;
  if (program == words.end()) return std::nullopt;
  return std::vector(program + 1, words.end());
}

bool differ_in_arguments(const runs::RunSet& a, const runs::RunSet& b) {
  const auto first = arguments_of(a), second = arguments_of(b);
  return first && second && *first != *second;
}

// Why runs have no trace, in few words.
struct LeftOut {
  std::vector<std::string> not_traced, other_ranks;

  bool empty() const { return not_traced.empty() && other_ranks.empty(); }
  std::string text() const {
    std::string all;
    if (!not_traced.empty()) all = fmt::format("not traced: {}", fmt::join(not_traced, ", "));
    if (other_ranks.empty()) return all;
    return fmt::format("{}{}traced on another number of ranks: {}", all, all.empty() ? "" : "; ",
                       fmt::join(other_ranks, ", "));
  }
};

void leave_out(const runs::RunSet& run, const Candidates& of_program, LeftOut& left_out) {
  if (of_program.empty()) {
    left_out.not_traced.push_back(run_name(run));
    return;
  }
  std::vector<std::uint32_t> ranks;
  for (const auto* c : of_program) ranks.push_back(c->ranks);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  left_out.other_ranks.push_back(
      fmt::format("{} ({}, traced on {})", run_name(run), run.ranks, fmt::join(ranks, ", ")));
}

// The one of `candidates`, at least one, that fits best.
Expected<const runs::RunSet*> choose(const runs::RunSet& run, Candidates candidates) {
  const auto same = std::stable_partition(candidates.begin(), candidates.end(), [&](const runs::RunSet* c) {
    return !differ_in_arguments(*c, run);
  });
  if (same != candidates.begin()) candidates.erase(same, candidates.end());
  if (candidates.size() == 1) return candidates.front();
  return refuse_option("--traces",
                       fmt::format("has several traces for {}: of {} and of {}", run_name(run),
                                   run_name(*candidates[0]), run_name(*candidates[1])),
                       "name a folder with one of them");
}

void warn_of_arguments(const runs::RunSet& run, const runs::RunSet& traced, Diagnostics& diagnostics) {
  if (!differ_in_arguments(run, traced)) return;
  diagnostics.push_back(
      {.code = "other-arguments",
       .message = fmt::format("{} ran with other arguments than on {}, where it was traced: '{}' and '{}'",
                              run_name(run), traced.machine.name, fmt::join(*arguments_of(run), " "),
                              fmt::join(*arguments_of(traced), " "))});
}

}  // namespace

Expected<std::vector<TracedRuns>> traces_from(std::span<const runs::RunSet> traced,
                                              std::span<const runs::RunSet> timed, Diagnostics& diagnostics) {
  std::vector<TracedRuns> all;
  LeftOut left_out;
  for (const auto& run : timed) {
    Candidates of_program, candidates;
    for (const auto& t : traced)
      if (t.traced && t.name == run.name) of_program.push_back(&t);
    for (const auto* t : of_program)
      if (t->ranks == run.ranks) candidates.push_back(t);
    if (candidates.empty()) {
      leave_out(run, of_program, left_out);
      continue;
    }
    const auto chosen = choose(run, std::move(candidates));
    if (!chosen) return tl::unexpected(chosen.error());
    warn_of_arguments(run, **chosen, diagnostics);
    all.push_back({&run, *chosen});
  }
  if (all.empty())
    return refuse_option("--traces", fmt::format("has no trace for any of the runs; {}", left_out.text()),
                         "a trace is that of a run set with the same name and number of ranks");
  if (!left_out.empty())
    diagnostics.push_back(
        {.code = "no-trace", .message = fmt::format("--traces: runs are left out; {}", left_out.text())});
  return all;
}

}  // namespace busline::compare
