#include "workloads/paraver/notices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::paraver {
namespace {

using enum Diagnostic::Severity;

std::string seconds(std::int64_t units, const Header& header) {
  return fmt::format("{:.6f} s", (Duration::picoseconds(units * header.unit)).in_seconds());
}

// Threads with records that are no strands: "12 threads, such as THREAD 1.1.2".
std::string other_threads(const Header& header, const Survey& survey, std::uint32_t application,
                          const Names& names) {
  std::uint64_t others = 0;
  std::string example;
  for (const auto& task : header.applications[application].tasks) {
    const auto* const threads = &survey.threads[task.first_thread];
    const auto is_strand = [](const ThreadSurvey& t) { return t.has_mpi; };
    const bool any = std::any_of(threads, threads + task.threads, is_strand);
    for (std::uint64_t i = 0; i < task.threads; ++i) {
      if (!threads[i].has_records || threads[i].has_mpi || (!any && i == 0)) continue;
      if (others++ > 0) continue;
      const auto row = task.first_thread + i;
      const auto number = &task - header.applications[application].tasks.data() + 1;
      example = row < names.threads.size() ? names.threads[row]
                                           : fmt::format("THREAD {}.{}.{}", application + 1, number, i + 1);
    }
  }
  return others == 0 ? std::string() : fmt::format("{}, such as {}", counted(others, "thread"), example);
}

}  // namespace

void tell(const std::string& path, const Header& header, const Survey& survey, std::uint32_t application,
          const Names& names, const Trace& trace, const Findings& f, Diagnostics& diagnostics) {
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message), path});
  };
  if (const auto others = other_threads(header, survey, application, names); !others.empty())
    say(note, "threads-left-out",
        fmt::format("without MPI calls: {}; only the threads with calls are replayed", others));
  if (trace.threads.size() > header.applications[application].tasks.size())
    say(warning, "threads",
        "tasks have several threads with MPI calls; they share their rank's CPUs and are not synchronised "
        "with one "
        "another");
  const bool cut = !trace.all_have_init();
  if (cut && survey.uses_mpi[application])
    say(warning, "cut",
        fmt::format("not all ranks begin with MPI_Init: the trace is a part of a run; there are {} of calls "
                    "without a begin, {} without an end, and {} without a message",
                    counted(trace.begins_lost, "end"), counted(trace.ends_lost, "call"),
                    counted(f.without_message, "call")));
  else if (f.without_message > 0)
    say(note, "without-message",
        fmt::format("{} sends and receives have no message: they are to or from MPI_PROC_NULL",
                    f.without_message));
  if (!cut && trace.begins_lost + trace.ends_lost > 0)
    say(warning, "cut",
        fmt::format("left out: {} without begin, {} without end", counted(trace.begins_lost, "call"),
                    counted(trace.ends_lost, "call")));
  if (trace.nested > 0)
    say(warning, "nested", fmt::format("{} inside other calls are left out", counted(trace.nested, "call")));
  if (f.outside > 0)
    say(warning, "outside-of-calls",
        fmt::format(
            "{} ends of messages lie outside of the calls that send or receive; they happen at their times, "
            "and nobody waits for them there",
            f.outside));
  if (f.without_arguments > 0)
    say(warning, "without-size",
        fmt::format(
            "{} collectives have no communicator and no size: they are replayed on all ranks, without data",
            f.without_arguments));
  if (!trace.communicators.undefined.empty())
    say(warning, "undefined-communicator",
        fmt::format("{} are not defined, such as {}: they have the ranks that use them, in ascending order",
                    counted(trace.communicators.undefined.size(), "communicator"),
                    trace.communicators.undefined.begin()->first));
  if (trace.channels.orders() > 0)
    say(note, "order",
        "messages of the same sender, receiver and tag are received in another order: they are replayed on "
        "communicators of their own");
  if (f.apart > 0)
    say(note, "not-synchronised",
        fmt::format("{} that make communicators, windows or files synchronise nobody: no record has their "
                    "communicator",
                    counted(f.apart, "call")));
  if (trace.parts > 0)
    say(note, "parts",
        fmt::format("{} messages inside collectives are left out: the platform decides about them",
                    trace.parts));
  if (f.flushes > 0)
    say(warning, "flushes",
        fmt::format("{} when the tracer wrote its buffer, {} in all, are no computation",
                    counted(f.flushes, "time"), seconds(f.flush_time, header)));
  if (f.late_flushes > 0)
    say(note, "late-flushes",
        fmt::format("computation after the last call includes {} when the tracer wrote its buffer, {} in all",
                    counted(f.late_flushes, "time"), seconds(f.late_flush_time, header)));
  if (f.gaps > 0)
    say(warning, "tracing-off",
        fmt::format("tracing was off {}, {} in all: that time is left out", counted(f.gaps, "time"),
                    seconds(f.gap_time, header)));
  if (survey.bursts_only > 0)
    say(warning, "bursts-only",
        "the tracer recorded only long computations for a time (mode 'CPU Bursts'): calls and messages are "
        "missing "
        "there");
  std::string list;
  for (const auto& [name, n] : f.unknown) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", n, name);
  if (!list.empty()) say(warning, "not-simulated", fmt::format("calls that take no time: {}", list));
}

}  // namespace busline::paraver
