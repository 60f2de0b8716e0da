#include "measuring/tables/run_set_report.hpp"

#include <fmt/format.h>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

std::string run_set_heading(const runs::RunSet& set) {
  auto text = fmt::format("{} on {}: {}", set.name, set.machine.name, readable(set.ranks, "rank"));
  if (!set.machine.nodes.empty()) text += fmt::format(" on {}", readable(set.machine.nodes.size(), "host"));
  if (!set.machine.mpi.empty()) text += fmt::format(", {}", set.machine.mpi);
  return fmt::format("{}\n{}\n", text, to_text(set.region));
}

void add_run(TextTable& table, std::string label, const runs::Run& run) {
  const auto& d = run.disturbance;
  table.add({std::move(label), run.time ? readable(*run.time) : fmt::format("failed ({})", run.exit_code),
             run.wall ? readable(*run.wall) : "", d.cpu_wait ? readable(*d.cpu_wait) : "?",
             d.throttled ? readable(*d.throttled) : "?",
             d.preempted ? fmt::format("{}", *d.preempted) : "?"});
}

// Which runs were disturbed, or that nobody knows.
std::string disturbed_text(const runs::RunSet& set) {
  std::string which;
  bool unknown = false;
  for (std::size_t i = 0; i < set.runs.size(); ++i) {
    const auto disturbed = runs::is_disturbed(set.runs[i]);
    if (disturbed && *disturbed) which += fmt::format("{}{}", which.empty() ? "" : ", ", i + 1);
    unknown = unknown || (set.runs[i].time && !disturbed);
  }
  if (!which.empty())
    return fmt::format(
        "  disturbed: {} (a rank waited for a CPU or was throttled for more than {:.0f} % of the time)\n",
        which, runs::kMostDisturbance * 100);
  return unknown ? "  disturbed: not known; the kernel or the library does not count it\n"
                 : "  disturbed: none\n";
}

}  // namespace

std::string to_text(const runs::RunSet& set) {
  TextTable table({"run", "time", "with its launch", "waited for a CPU", "throttled", "preempted"});
  for (std::size_t i = 0; i < set.runs.size(); ++i) add_run(table, std::to_string(i + 1), set.runs[i]);
  if (set.traced) add_run(table, "traced", set.traced->run);
  auto text = run_set_heading(set) + "\n" + table.text();
  const auto spread = runs::spread_of(runs::times_of(set));
  if (!spread) return text;
  text += fmt::format("\n  median {}, from {} to {}: a spread of {:.1f} %\n", readable(spread->median),
                      readable(spread->least), readable(spread->most), spread->relative() * 100);
  text += disturbed_text(set);
  if (set.traced && set.traced->run.time && spread->median > Duration())
    text += fmt::format("  traced: {:+.1f} % of the median\n",
                        (set.traced->run.time->in_seconds() / spread->median.in_seconds() - 1) * 100);
  return text;
}

}  // namespace busline
