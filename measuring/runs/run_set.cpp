#include "measuring/runs/run_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace busline::runs {

std::string to_text(const Borders& borders) {
  return fmt::format("from {} to {}", borders.from ? to_text(*borders.from) : "the end of MPI_Init",
                     borders.to ? to_text(*borders.to) : "MPI_Finalize");
}

std::optional<bool> is_disturbed(const Run& run) {
  const auto& [cpu_wait, throttled, preempted] = run.disturbance;
  if (!run.time || (!cpu_wait && !throttled)) return std::nullopt;
  const auto longest = std::max(cpu_wait.value_or(Duration()), throttled.value_or(Duration()));
  return longest.in_seconds() > kMostDisturbance * run.time->in_seconds();
}

std::optional<std::uint64_t> disturbed_runs(const RunSet& set) {
  std::uint64_t count = 0;
  for (const auto& run : set.runs) {
    const auto disturbed = is_disturbed(run);
    if (run.time && !disturbed) return std::nullopt;
    if (disturbed && *disturbed) ++count;
  }
  return count;
}

std::string trace_path(const RunSet& set) {
  // An absolute path replaces the folder.
  return (std::filesystem::path(set.folder) / set.traced->trace).string();
}

std::vector<Duration> times_of(const RunSet& set) {
  std::vector<Duration> times;
  for (const auto& run : set.runs)
    if (run.time) times.push_back(*run.time);
  return times;
}

double Spread::relative() const {
  if (median == Duration()) return 0;
  return (most - least).in_seconds() / median.in_seconds();
}

std::optional<Spread> spread_of(std::vector<Duration> times) {
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  const auto upper = times[times.size() / 2], lower = times[(times.size() - 1) / 2];
  return Spread{times.front(), lower + Duration::picoseconds((upper - lower).count() / 2), times.back()};
}

}  // namespace busline::runs
