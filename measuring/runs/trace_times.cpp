#include "measuring/runs/trace_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/record_counts.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::runs {
namespace {

using namespace dumpi;
using Nanoseconds = std::vector<std::int64_t>;

// When a rank left each call of one border's function, and entered each of the other's; and its first and
// last calls.
struct Moments {
  Nanoseconds from, to;
  std::optional<std::int64_t> initialised, finalizing;
};

Expected<Moments> moments_of(const TraceFile& file, const Borders& borders) {
  Moments m;
  CallReader records(file);
  RecordCounts counts{};
  UnrolledClock clock;
  while (const auto* const r = records.next()) {
    ++counts[r->function];
    if ((r->mask & Record::has_wall_time) == 0)
      return tl::unexpected(records.error_in(*r, "has no wall time, which is needed to time the run"));
    const auto [entry, exit] = clock.read(r->wall, r->thread);
    const auto name = kFunctionTable[r->function].name;
    if (borders.from && name == borders.from->call) m.from.push_back(exit);
    if (borders.to && name == borders.to->call) m.to.push_back(entry);
    if (name == "MPI_Init" || name == "MPI_Init_thread") m.initialised = exit;
    if (name == "MPI_Finalize") m.finalizing = entry;
  }
  if (records.error()) return tl::unexpected(*records.error());
  if (const auto wrong = check_record_counts(file, counts)) return tl::unexpected(*wrong);
  if (m.initialised && m.finalizing) return m;
  return refuse_file(
      Error::Kind::bad_input, file.path(),
      fmt::format("found no {}, expected a complete run", m.initialised ? "MPI_Finalize" : "MPI_Init"));
}

std::optional<std::int64_t> nth(const Nanoseconds& moments, std::int64_t number) {
  const auto there = std::ssize(moments);
  const auto index = number > 0 ? number - 1 : there + number;
  if (index < 0 || index >= there) return std::nullopt;
  return moments[static_cast<std::size_t>(index)];
}

}  // namespace

Error no_such_call(const std::string& where, const CallRef& call) {
  return file_error(Error::Kind::bad_option, where,
                    call.number == 1 || call.number == -1
                        ? fmt::format("no rank calls {}", call.call)
                        : fmt::format("no rank calls {} {} times", call.call, std::llabs(call.number)),
                    "'busline inspect' counts the calls of a trace");
}

Expected<std::vector<RankSpan>> trace_spans(const std::string& trace, const Borders& borders) {
  Diagnostics diagnostics;
  const auto files = find_trace_files(trace, diagnostics);
  if (!files) return tl::unexpected(files.error());
  std::vector<RankSpan> spans;
  bool from_made = !borders.from, to_made = !borders.to;
  for (const auto& path : files->ranks) {
    const auto file = TraceFile::open(path, diagnostics);
    if (!file) return tl::unexpected(file.error());
    const auto m = moments_of(*file, borders);
    if (!m) return tl::unexpected(m.error());
    const auto from = borders.from ? nth(m->from, borders.from->number) : std::nullopt;
    const auto to = borders.to ? nth(m->to, borders.to->number) : std::nullopt;
    from_made |= from.has_value();
    to_made |= to.has_value();
    const auto begin = from.value_or(*m->initialised);
    spans.push_back({path, begin, std::max(begin, to.value_or(*m->finalizing))});
  }
  if (!from_made) return tl::unexpected(no_such_call(files->meta, *borders.from));
  if (!to_made) return tl::unexpected(no_such_call(files->meta, *borders.to));
  return spans;
}

Expected<std::vector<Duration>> trace_times(const std::string& trace, const Borders& borders) {
  const auto spans = trace_spans(trace, borders);
  if (!spans) return tl::unexpected(spans.error());
  std::vector<Duration> times;
  for (const auto& span : *spans) times.push_back(span.length());
  return times;
}

}  // namespace busline::runs
