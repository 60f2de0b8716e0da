#include "workloads/otf2/notices.hpp"

#include <fmt/format.h>

namespace busline::otf2 {
namespace {

std::string list_counted(const Notices::Calls& calls) {
  constexpr std::size_t kShown = 8;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, n] : calls) {
    if (shown++ == kShown) return text + fmt::format(", and {} others", calls.size() - kShown);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  }
  return text;
}

}  // namespace

void Notices::add(const Notices& other) {
  const auto add_calls = [&](Calls Notices::*calls) {
    for (const auto& [name, n] : other.*calls) (this->*calls)[name] += n;
  };
  for (const auto calls :
       {&Notices::collectives, &Notices::nonblocking, &Notices::messages, &Notices::on_files,
        &Notices::not_simulated, &Notices::guessed, &Notices::left_out, &Notices::locations})
    add_calls(calls);
  for (const auto number : {&Notices::metric_records, &Notices::negative_gaps, &Notices::repaired_receives,
                            &Notices::unknown_sends, &Notices::unfinished_receives, &Notices::open_transfers,
                            &Notices::restored_receives, &Notices::chosen_receives, &Notices::null_receives,
                            &Notices::moved_receives})
    this->*number += other.*number;
  for (const auto sum : {&Notices::off, &Notices::flush})
    this->*sum = Duration::picoseconds(saturated_sum((this->*sum).count(), (other.*sum).count()));
  ranks_off.insert(other.ranks_off.begin(), other.ranks_off.end());
}

void Notices::tell(const std::string& path, Diagnostics& diagnostics) const {
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message), path});
  };
  const auto warn = [&](const char* code, std::string message) {
    say(Diagnostic::Severity::warning, code, std::move(message));
  };
  const auto note = [&](const char* code, std::string message) {
    say(Diagnostic::Severity::note, code, std::move(message));
  };
  if (!creator.empty())
    warn("unknown-creator",
         fmt::format("written by \"{}\", which is not known: the bytes of collectives are taken "
                     "for what the calls' arguments say",
                     creator));
  if (!collectives.empty())
    warn("unrecorded-collectives",
         fmt::format("the trace does not record what these move, so they are left out: {}. Score-P 8 records "
                     "non-blocking collectives",
                     list_counted(collectives)));
  if (!nonblocking.empty())
    warn("mpi-3",
         fmt::format("non-blocking collectives that began while recording was off, or that make something, "
                     "are not simulated and take no time: {}",
                     list_counted(nonblocking)));
  if (!messages.empty())
    warn("unrecorded-messages",
         fmt::format("the trace does not record what these send and receive, so they are left out: {}",
                     list_counted(messages)));
  if (!not_simulated.empty())
    warn("not-simulated", fmt::format("in the trace, but not simulated: {}", list_counted(not_simulated)));
  if (!on_files.empty())
    warn("file-time", fmt::format("file calls take no time: {}", list_counted(on_files)));
  if (!guessed.empty())
    warn("assumed-collective",
         fmt::format("these left no record, and are taken for synchronisations of all ranks: {}",
                     list_counted(guessed)));
  if (!left_out.empty())
    warn("unrecorded-communicator",
         fmt::format("these left no record, and not all ranks make them alike, so they are left out: {}",
                     list_counted(left_out)));
  if (ranks_off.size() > 0)
    warn("recording-off",
         fmt::format("recording was off at times on {} ranks, for {:.6f} s in all: that time is left "
                     "out, and what was called in it is not known",
                     ranks_off.size(), off.in_seconds()));
  if (flush > Duration{})
    warn("buffer-flush", fmt::format("writing the trace's buffers took {:.6f} s in all, which is left out",
                                     flush.in_seconds()));
  if (negative_gaps > 0)
    warn("negative-gap",
         fmt::format("{} events are earlier than the one before: the computation between them takes "
                     "no time",
                     negative_gaps));
  if (repaired_receives > 0)
    warn("assumed-receive",
         fmt::format("{} receives started while recording was off: they are taken for blocking ones "
                     "where they completed",
                     repaired_receives));
  if (restored_receives > 0)
    warn("unrecorded-completions",
         fmt::format(
             "the trace does not record what {} receives received: they get the messages that no recorded "
             "receive takes{}{}",
             restored_receives,
             chosen_receives > 0
                 ? fmt::format("; where several ranks sent, {}, in the order that they would have if all "
                               "calls took the same time",
                               chosen_receives)
                 : "",
             null_receives > 0
                 ? fmt::format("; {}, for which there is none, are taken for receives from MPI_PROC_NULL",
                               null_receives)
                 : ""));
  if (moved_receives > 0)
    note("assumed-communicator", fmt::format("{} receives are recorded on MPI_COMM_WORLD, where nobody sends "
                                             "to them: they are taken for those "
                                             "of the communicators on which the messages were sent",
                                             moved_receives));
  if (unfinished_receives > 0)
    warn("unfinished-receives",
         fmt::format("{} receives never complete, and are left out", unfinished_receives));
  if (unknown_sends > 0)
    warn("unknown-request",
         fmt::format("{} sends completed that started while recording was off: nothing waits for "
                     "them",
                     unknown_sends));
  if (open_transfers > 0)
    warn("open-epoch",
         fmt::format("no record completes {} one-sided transfers; they move when their window is freed",
                     open_transfers));
  if (!locations.empty())
    note("other-locations",
         fmt::format("threads, accelerators and counters that are not ranks are left out: {}",
                     list_counted(locations)));
  if (metric_records > 0)
    note("metrics", fmt::format("{} records of metrics are left out: {}", metric_records, metric_names));
}

}  // namespace busline::otf2
