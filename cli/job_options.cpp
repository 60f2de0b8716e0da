#include "cli/job_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/convert_options.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::cli {
namespace {

constexpr const char* kForm =
    "such as --job solver=trace.meta@0-7 or --job noise=load.program@8-11,start=2ms,repeat";

tl::unexpected<Error> refuse_job(std::string_view text, std::string_view why) {
  return refuse_option("--job", fmt::format("'{}': {}", text, why), kForm);
}

Expected<void> read_start(const std::string& text, std::string_view value, JobOption& job) {
  if (value.starts_with('-')) return refuse_job(text, "a job cannot start before 0");
  const auto start = parse_duration(value);
  if (!start)
    return refuse_job(text, fmt::format("start: column {}: {}", start.error().column, start.error().reason));
  job.start = *start;
  return {};
}

}  // namespace

Expected<JobOption> parse_job(const std::string& text) {
  JobOption job;
  const std::string_view all = text;
  const auto equals = all.find('='), at = all.rfind('@');
  if (equals == all.npos || equals == 0) return refuse_job(text, "expected NAME=TRACE@NODES");
  if (at == all.npos || at < equals) return refuse_job(text, "expected @ and the nodes after the trace");
  job.name = all.substr(0, equals);
  if (!std::all_of(job.name.begin(), job.name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '-';
      }))
    return refuse_job(text, "a job's name has letters, digits, '.', '_' and '-' only");
  job.path = all.substr(equals + 1, at - equals - 1);
  if (job.path.empty()) return refuse_job(text, "expected a trace between = and @");
  std::string nodes;
  for (const auto part : split(all.substr(at + 1), ',')) {
    constexpr std::string_view kStart = "start=";
    if (part == "repeat") {
      job.repeats = true;
    } else if (part.starts_with(kStart)) {
      if (auto read = read_start(text, part.substr(kStart.size()), job); !read)
        return tl::unexpected(std::move(read.error()));
    } else {
      nodes.append(nodes.empty() ? "" : ",").append(part);
    }
  }
  auto list = parse_ranks(nodes, "--job");
  if (!list)
    return refuse_job(text, fmt::format("'{}' is neither a list of nodes nor start=TIME nor repeat", nodes));
  job.nodes = *std::move(list);
  return job;
}

Expected<JobsWorkload> load_jobs(const std::vector<std::string>& texts, const WorkloadOptions& options,
                                 Diagnostics& diagnostics) {
  JobsWorkload all;
  std::vector<Job> plain;
  for (const auto& text : texts) {
    auto option = parse_job(text);
    if (!option) return tl::unexpected(std::move(option.error()));
    if (std::any_of(plain.begin(), plain.end(), [&](const Job& j) { return j.name == option->name; }))
      return refuse_job(text, fmt::format("there is already a job '{}'", option->name));
    auto workload = load_workload(option->path, options, diagnostics);
    if (!workload) return tl::unexpected(std::move(workload.error()));
    auto& files = all.workload.files;
    files.insert(files.end(), workload->files.begin(), workload->files.end());
    all.workload.name.append(plain.empty() ? "" : " + ").append(option->name);
    plain.push_back({option->name, workload->program, option->start, option->repeats});
    all.jobs.push_back({plain.back(), std::move(option->nodes)});
  }
  auto merged = merge_jobs(plain);
  if (!merged) return tl::unexpected(std::move(merged.error()));
  all.merged = *std::move(merged);
  all.workload.format = "jobs";
  all.workload.program = all.merged.program;
  return all;
}

}  // namespace busline::cli
