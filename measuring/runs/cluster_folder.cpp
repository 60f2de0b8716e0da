#include "measuring/runs/cluster_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"

namespace busline::runs {

// One line of times.jsonl.
struct ApplicationLine {
  std::string app, mode;
  std::uint32_t ranks = 0;
  std::int64_t iterations = 0, bytes = 0, extra = 0;
  double compute_us = 0, time_s = 0, computed_mean_s = 0, computed_max_s = 0;
};

void describe(Fields& f, ApplicationLine& l) {
  f.required("app", l.app);
  f.required("ranks", Whole{l.ranks, 1, measure::kMostRanks});
  f.required("iters", Whole{l.iterations, 0, measure::kMostCount});
  f.required("size", Whole{l.bytes, 0, measure::kMostCount});
  f.required("comp_us", NotNegative{l.compute_us});
  f.required("mode", l.mode);
  f.optional("extra", Whole{l.extra, 0, measure::kMostCount});
  f.required("time_s", NotNegative{l.time_s});
  f.optional("comp_mean_s", NotNegative{l.computed_mean_s});
  f.optional("comp_max_s", NotNegative{l.computed_max_s});
}

Expected<void> check(const Cursor& at, const ApplicationLine& l) {
  if (l.time_s > kLongestTime.in_seconds())
    return tl::unexpected(at.member("time_s")->error("is longer than a run can be"));
  // Its trace is in a folder of that name.
  if (l.app.empty() || l.app.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
    return tl::unexpected(at.member("app")->expected("the name of a program"));
  return {};
}

namespace {

namespace fs = std::filesystem;

// cluster.sh takes no more ranks.
constexpr std::uint32_t kMostClusterRanks = 9999;

Error error_in(const std::string& path, std::uint64_t line, std::string message) {
  Error e;
  e.path = path;
  if (line > 0) e.line = line;
  e.message = std::move(message);
  return e;
}

// The ranks of a set, and where they were: words KEY=VALUE of cluster.txt.
struct Job {
  std::uint32_t ranks = 0, per_host = 0;
  std::string mpi;
};

Expected<Job> read_job(const std::string& path) {
  auto text = read_text_file(path);
  if (!text) return tl::unexpected(std::move(text.error()));
  Job job;
  const auto whole = [](std::string_view value, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    return error == std::errc{} && end == value.data() + value.size() && number > 0 &&
           number <= kMostClusterRanks;
  };
  for (std::size_t at = 0; at < text->size();) {
    const auto end = std::min(text->find_first_of(" \n", at), text->size());
    const auto word = std::string_view(*text).substr(at, end - at);
    const auto value = word.substr(std::min(word.find('=') + 1, word.size()));
    at = end + 1;
    if (word.starts_with("mpi=")) job.mpi = value;
    if ((word.starts_with("np=") && !whole(value, job.ranks)) ||
        (word.starts_with("ppn=") && !whole(value, job.per_host)))
      return tl::unexpected(error_in(
          path, 0, fmt::format("{}: expected a number from 1 to {}", printable(word), kMostClusterRanks)));
  }
  if (job.ranks == 0 || job.per_host == 0)
    return tl::unexpected(
        error_in(path, 0, "np= and ppn= are missing: the numbers of ranks, and of ranks per host"));
  return job;
}

struct NumberedLine {
  std::uint64_t number = 0;
  ApplicationLine line;
};

Expected<std::vector<NumberedLine>> read_lines(const std::string& path) {
  auto text = read_text_file(path);
  if (!text) return tl::unexpected(std::move(text.error()));
  std::vector<NumberedLine> lines;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const auto end = std::min(text->find('\n', at), text->size());
    ++number;
    const auto document = Document::parse(text->substr(at, end - at), path);
    auto& line = lines.emplace_back(NumberedLine{number, {}}).line;
    const auto read = document ? read_value(Cursor(*document), line) : tl::unexpected(document.error());
    if (!read) {
      auto e = read.error();
      e.line = number;
      return tl::unexpected(std::move(e));
    }
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> command_of(const ApplicationLine& l) {
  return {l.app, fmt::format("iters={}", l.iterations), fmt::format("size={}", l.bytes),
          fmt::format("comp={}", l.compute_us), fmt::format("mode={}", l.mode)};
}

// Common to every program of the folder. Hosts h0, h1, ... are filled one after the other.
RunSet set_without_runs(const fs::path& folder, const Job& job) {
  RunSet set;
  set.ranks = job.ranks;
  set.machine.name = fs::absolute(folder).lexically_normal().filename().string();
  set.machine.mpi = job.mpi;
  set.folder = folder.string();
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
    const auto node = rank / job.per_host;
    set.placement.push_back({fmt::format("h{}", node), node, -1});
    if (node == set.machine.nodes.size()) set.machine.nodes.push_back(set.placement.back().host);
  }
  set.region = {CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}};
  return set;
}

// The run of a line, which has to be one of the same program with the same parameters.
Expected<Run> run_of(const std::string& path, const NumberedLine& numbered, const RunSet& set) {
  const auto& [number, line] = numbered;
  if (line.ranks != set.ranks)
    return tl::unexpected(error_in(path, number,
                                   fmt::format("{} ran on {} ranks, but cluster.txt says {}",
                                               printable(line.app), line.ranks, set.ranks)));
  if (command_of(line) != set.command)
    return tl::unexpected(error_in(
        path, number, fmt::format("{} ran with different parameters than before", printable(line.app))));
  return Run{.time = Duration::seconds(line.time_s)};
}

}  // namespace

bool is_cluster_folder(const std::string& folder) {
  std::error_code unknown;
  return fs::is_regular_file(fs::path(folder) / "cluster.txt", unknown) &&
         fs::is_regular_file(fs::path(folder) / "times.jsonl", unknown);
}

Expected<std::vector<RunSet>> read_cluster_folder(const std::string& folder) {
  const fs::path root(folder);
  const auto job = read_job((root / "cluster.txt").string());
  if (!job) return tl::unexpected(job.error());
  const auto times = (root / "times.jsonl").string(), traced = (root / "times_traced.jsonl").string();
  const auto lines = read_lines(times);
  if (!lines) return tl::unexpected(lines.error());
  std::vector<RunSet> sets;
  const auto set_of = [&](const std::string& app) {
    return std::find_if(sets.begin(), sets.end(), [&](const RunSet& s) { return s.name == app; });
  };
  for (const auto& numbered : *lines) {
    auto set = set_of(numbered.line.app);
    if (set == sets.end()) {
      set = sets.insert(sets.end(), set_without_runs(root, *job));
      set->name = numbered.line.app;
      set->command = command_of(numbered.line);
    }
    auto run = run_of(times, numbered, *set);
    if (!run) return tl::unexpected(std::move(run.error()));
    set->runs.push_back(*std::move(run));
  }
  if (!fs::exists(traced)) return sets;
  const auto traced_lines = read_lines(traced);
  if (!traced_lines) return tl::unexpected(traced_lines.error());
  for (const auto& numbered : *traced_lines) {
    const auto set = set_of(numbered.line.app);
    if (set == sets.end())
      return tl::unexpected(
          error_in(traced, numbered.number,
                   fmt::format("{} has no run in times.jsonl", printable(numbered.line.app))));
    auto run = run_of(traced, numbered, *set);
    if (!run) return tl::unexpected(std::move(run.error()));
    set->traced = TracedRun{*std::move(run), "dumpi_" + set->name};
  }
  return sets;
}

}  // namespace busline::runs
