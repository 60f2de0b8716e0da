#include "measuring/runs/trace_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "measuring/runs/trace_times.hpp"
#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::runs {
namespace {

using namespace dumpi;

Expected<TracedRank> rank_calls(const RankSpan& span, Diagnostics& diagnostics) {
  const auto file = TraceFile::open(span.path, diagnostics);
  if (!file) return tl::unexpected(file.error());
  std::array<std::int64_t, kFunctionTable.size()> inside_ns{};
  CallReader records(*file);
  UnrolledClock clock;
  while (const auto* const r = records.next()) {
    const auto [entry, exit] = clock.read(r->wall, r->thread);
    const auto begin = std::max(entry, span.begin_ns), end = std::min(exit, span.end_ns);
    if (begin < end) inside_ns[r->function] = saturated_sum(inside_ns[r->function], end - begin);
  }
  if (records.error()) return tl::unexpected(*records.error());
  TracedRank rank{span.length(), {}};
  for (std::size_t i = 0; i < inside_ns.size(); ++i)
    if (inside_ns[i] > 0)
      rank.calls.emplace(kFunctionTable[i].name,
                         Duration::picoseconds(saturated_product(inside_ns[i], 1000)));
  return rank;
}

}  // namespace

Expected<std::vector<TracedRank>> trace_calls(const std::string& trace, const Borders& borders) {
  const auto spans = trace_spans(trace, borders);
  if (!spans) return tl::unexpected(spans.error());
  std::vector<TracedRank> ranks;
  // Warnings about the files were reported when the trace was loaded.
  Diagnostics diagnostics;
  for (const auto& span : *spans) {
    auto rank = rank_calls(span, diagnostics);
    if (!rank) return tl::unexpected(std::move(rank.error()));
    ranks.push_back(*std::move(rank));
  }
  return ranks;
}

}  // namespace busline::runs
