#include "measuring/run_times/kernel_counts.hpp"

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <iterator>

namespace busline::record {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Removes what is returned, and the separator behind it.
std::string_view take_until(std::string_view& text, char separator) {
  const auto part = text.substr(0, text.find(separator));
  text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
  return part;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto end = text.data() + text.size();
  const auto [stopped, wrong] = std::from_chars(text.data(), end, value);
  if (wrong != std::errc() || stopped != end) return std::nullopt;
  return value;
}

bool limits_cpu_time(std::string_view controllers) {
  while (!controllers.empty())
    if (take_until(controllers, ',') == "cpu") return true;
  return false;
}

std::int64_t throttled_now() {
  std::int64_t sum = -1;
  for (const auto& path : throttling_files(content("/proc/self/cgroup")))
    if (const auto time = throttled_in(content(path))) sum = (sum < 0 ? 0 : sum) + *time;
  return sum;
}

std::int64_t added(std::int64_t before, std::int64_t after) {
  return before < 0 || after < before ? -1 : after - before;
}

}  // namespace

std::optional<std::int64_t> waited_in(std::string_view schedstat) {
  take_until(schedstat, ' ');
  const auto waited = number(take_until(schedstat, ' '));
  const auto ran = number(take_until(schedstat, '\n'));
  if (!ran || *ran == 0) return std::nullopt;
  return waited;
}

std::vector<std::string> throttling_files(std::string_view cgroup) {
  std::vector<std::string> files;
  while (!cgroup.empty()) {
    auto line = take_until(cgroup, '\n');
    take_until(line, ':');
    const auto controllers = take_until(line, ':');
    if (!controllers.empty() && !limits_cpu_time(controllers)) continue;
    std::string base = "/sys/fs/cgroup";
    if (!controllers.empty()) base.append("/").append(controllers);
    for (auto group = std::string(line == "/" ? "" : line);; group.resize(group.rfind('/'))) {
      files.push_back(base + group + "/cpu.stat");
      if (group.find('/') == group.npos) break;
    }
  }
  return files;
}

std::optional<std::int64_t> throttled_in(std::string_view cpu_stat) {
  while (!cpu_stat.empty()) {
    auto line = take_until(cpu_stat, '\n');
    const auto name = take_until(line, ' ');
    const auto value = number(line);
    if (name == "throttled_time") return value;
    if (name == "throttled_usec" && value) return *value * 1000;
  }
  return std::nullopt;
}

KernelCounts kernel_counts() {
  KernelCounts counts;
  counts.waited = waited_in(content("/proc/thread-self/schedstat")).value_or(-1);
  counts.throttled = throttled_now();
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) counts.preempted = usage.ru_nivcsw;
  return counts;
}

KernelCounts counts_since(const KernelCounts& before) {
  const auto now = kernel_counts();
  return {added(before.waited, now.waited), added(before.throttled, now.throttled),
          added(before.preempted, now.preempted)};
}

}  // namespace busline::record
