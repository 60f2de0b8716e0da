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
  return fmt::format("{}\nfrom {} to {}\n", text,
                     set.region.from ? to_text(*set.region.from) : "the end of MPI_Init",
                     set.region.to ? to_text(*set.region.to) : "MPI_Finalize");
}

void add_run(TextTable& table, std::string label, const runs::Run& run) {
  table.add({std::move(label), run.time ? readable(*run.time) : fmt::format("failed ({})", run.exit_code),
             run.wall ? readable(*run.wall) : ""});
}

}  // namespace

std::string to_text(const runs::RunSet& set) {
  TextTable table({"run", "time", "with its launch"});
  for (std::size_t i = 0; i < set.runs.size(); ++i) add_run(table, std::to_string(i + 1), set.runs[i]);
  if (set.traced) add_run(table, "traced", set.traced->run);
  auto text = run_set_heading(set) + "\n" + table.text();
  const auto spread = runs::spread_of(runs::times_of(set));
  if (!spread) return text;
  text += fmt::format("\n  median {}, from {} to {}: a spread of {:.1f} %\n", readable(spread->median),
                      readable(spread->least), readable(spread->most), spread->relative() * 100);
  if (set.traced && set.traced->run.time && spread->median > Duration())
    text += fmt::format("  traced: {:+.1f} % of the median\n",
                        (set.traced->run.time->in_seconds() / spread->median.in_seconds() - 1) * 100);
  return text;
}

}  // namespace busline
