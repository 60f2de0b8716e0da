#include "workloads/dim/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "workloads/dim/record_codes.hpp"

namespace busline::dim {
namespace {

// The names that calls get when the trace is read.
std::set<std::string, std::less<>> names_of_records() {
  std::set<std::string, std::less<>> names{"compute",    "MPI_Send", "MPI_Ssend", "MPI_Isend",
                                           "MPI_Issend", "MPI_Recv", "MPI_Irecv", "MPI_Wait"};
  for (std::size_t i = 0; i < static_cast<std::size_t>(kCollectiveIds); ++i) {
    names.emplace(kCollectiveNames[i]);
    names.insert(nonblocking_name(static_cast<CollectiveKind>(i)));
  }
  return names;
}

// "MPI_Sendrecv, MPI_Waitall and 3 others": calls of the program that no record is named after.
std::string lost_names(const Program& program) {
  std::vector<bool> used(program.call_names().size());
  for (const auto& op : program.operations())
    if (op.kind != OpKind::event) used[op.call] = true;
  const auto kept = names_of_records();
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t lost = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i] || kept.contains(program.call_names()[i])) continue;
    if (++lost <= kShown) text += (lost == 1 ? "" : ", ") + program.call_names()[i];
  }
  if (lost > kShown) text += fmt::format(" and {} others", lost - kShown);
  return text;
}

}  // namespace

CollectiveKind written_as(CollectiveKind kind) {
  if (static_cast<std::int64_t>(kind) < kCollectiveIds) return kind;
  return kind == CollectiveKind::exscan ? CollectiveKind::scan : CollectiveKind::barrier;
}

void LeftOut::tell(const Program& program, Diagnostics& diagnostics) const {
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message)});
  };
  using enum Diagnostic::Severity;
  if (send_waits > 0)
    say(warning, "send-waits",
        fmt::format("{} waits for an MPI_Isend are left out: such a sender continues at once even where "
                    "messages wait for their receiver",
                    send_waits));
  if (open_receives > 0)
    say(warning, "open-receives",
        fmt::format("{} receives from any source or with any tag have -1 there, which Dimemas rejects",
                    open_receives));
  if (elapsed > 0)
    say(warning, "elapsed",
        fmt::format("the times of {} file calls are written as computations, which faster CPUs shorten",
                    elapsed));
  if (threads > 0)
    say(warning, "threads",
        fmt::format("{} ranks have several threads, which Dimemas may simulate differently", threads));
  if (late_starts > 0)
    say(warning, "late-start",
        fmt::format("{} threads do not begin with a computation: Dimemas leaves them out", late_starts));
  std::string list;
  for (std::size_t i = 0; i < replaced.size(); ++i)
    if (replaced[i] > 0)
      list += fmt::format("{}{} {} as {}", list.empty() ? "" : ", ", replaced[i], kCollectiveNames[i],
                          name_of(written_as(static_cast<CollectiveKind>(i))));
  if (!list.empty())
    say(warning, "replaced",
        fmt::format("written: {}; they cost the same unless the platform says otherwise", list));
  if (block_lists > 0)
    say(warning, "mean-sizes",
        fmt::format("{} collectives list a size for each peer, and are written with the mean", block_lists));
  if (measuring > 0)
    say(note, "measuring",
        fmt::format("{} time marks and local calls of a benchmark are left out", measuring));
  if (ends > 0)
    say(note, "ends",
        "MPI_Init and MPI_Finalize are left out: ranks end when their work is done, not together");
  if (const auto names = lost_names(program); !names.empty())
    say(note, "call-names", fmt::format("calls are named after their records, not {}", names));
  if (!program.event_labels().empty())
    say(note, "event-labels",
        fmt::format("the meanings of {} events are left out", program.event_labels().size()));
  if (program.traced_run_time()) say(note, "traced-run-time", "the traced run time is left out");
}

}  // namespace busline::dim
