#include "studies/benchmark/part_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "models/simulate.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"
#include "sim/replay/pending_events.hpp"
#include "studies/benchmark/benchmark_machine.hpp"
#include "studies/runs/run_cost.hpp"
#include "studies/study/run_study.hpp"
#include "workloads/files/temporary_folder.hpp"
#include "workloads/load_workload.hpp"
#include "workloads/write_workload.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kTraceRanks = 64;
constexpr std::uint32_t kSenders = 64;  // of the incast
constexpr std::uint32_t kStudyRanks = 16;
constexpr std::uint32_t kBusCounts = 10;  // values of the study's first axis

struct PartStep {
  PartBenchmarkRow row;
  std::function<Expected<void>()> run;
  RunCost least{};
};

using Steps = std::vector<PartStep>;

// ---- what is measured

// The hold model (Jones, CACM 29(4), 1986): the number of events stays, and each is replaced by one that is
// due a random time later.
std::uint64_t hold(std::uint32_t pending, std::uint64_t times) {
  constexpr std::uint32_t kLatest = 1'000'000'000;  // a millisecond
  PendingEvents events;
  Random random(1);
  for (std::uint32_t i = 0; i < pending; ++i) events.push({1 + random.below(kLatest), 0, i});
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < times; ++i) {
    auto e = events.pop();
    sum += e.subject;
    e.time += 1 + random.below(kLatest);
    events.push(e);
  }
  return sum;
}

Expected<void> add_queue(const PartBenchmarkOptions& options, Steps& steps) {
  for (const std::uint32_t pending : {1'000U, 100'000U}) {
    auto& step = steps.emplace_back();
    step.row = {.part = "queue",
                .what = fmt::format("{} events pending", readable(std::uint64_t{pending})),
                .unit = "events",
                .count = options.operations};
    step.run = [pending, times = options.operations]() -> Expected<void> {
      [[maybe_unused]] volatile auto used = hold(pending, times);  // so that nothing can be left out
      return {};
    };
  }
  return {};
}

// Each sends far faster than rank 0 can receive, so most of the messages are under way together.
Program incast(std::uint32_t each) {
  constexpr std::uint32_t kMostBytes = 200'000;
  constexpr std::uint32_t kLongestPause = 10'000'000;  // ps
  Random random(1);
  ProgramBuilder b(kSenders + 1);
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < kSenders * each; ++i) b.recv({.peer = kAnySource}, Bytes{kMostBytes});
  for (std::uint32_t rank = 1; rank <= kSenders; ++rank) {
    b.begin_strand(rank);
    for (std::uint32_t i = 0; i < each; ++i) {
      b.compute(Duration::picoseconds(random.below(kLongestPause)));
      b.isend_and_forget({.peer = 0}, Bytes{1 + random.below(kMostBytes)});
    }
  }
  return b.build();
}

Expected<void> add_incast(const PartBenchmarkOptions& options, Steps& steps) {
  constexpr std::uint32_t kMost = 100'000;  // of a sender
  const auto each = std::clamp<std::uint64_t>(options.operations / 10 / kSenders, 1, kMost);
  auto platform = benchmark_machine(kSenders + 1);
  platform.machines[0].network.sharing = Network::Sharing::fair;
  const auto machine = place_ranks(platform, kSenders + 1);
  if (!machine) return tl::unexpected(machine.error());
  auto& step = steps.emplace_back();
  step.row = {.part = "incast",
              .what = fmt::format("{} ranks send to one, fair sharing", kSenders),
              .unit = "messages",
              .count = kSenders * each};
  const auto program = std::make_shared<const Program>(incast(static_cast<std::uint32_t>(each)));
  step.run = [program, platform, machine = *machine]() -> Expected<void> {
    const auto result = simulate(*program, platform, machine, {});
    if (!result) return tl::unexpected(result.error());
    return {};
  };
  return {};
}

Expected<std::uint64_t> bytes_of(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const auto& file : workload_files(path, {})) {
    std::error_code failed;
    bytes += std::filesystem::file_size(file, failed);
    if (failed) return refuse_file(Error::Kind::unreadable, file, failed.message());
  }
  return bytes;
}

Expected<void> add_trace(const PartBenchmarkOptions& options, const char* part, const std::string& path,
                         Steps& steps) {
  const Workload workload{.name = part,
                          .format = {},
                          .files = {},
                          .origin = {},
                          .program = benchmark_program(kTraceRanks, options.operations),
                          .salvaged = {}};
  Diagnostics diagnostics;
  if (auto written = write_workload(workload, {}, path, diagnostics); !written)
    return tl::unexpected(std::move(written.error()));
  const auto bytes = bytes_of(path);
  if (!bytes) return tl::unexpected(bytes.error());
  auto& step = steps.emplace_back();
  step.row = {.part = part,
              .what = fmt::format("to a Program of {} ranks", kTraceRanks),
              .unit = "operations",
              .count = workload.program.operations().size(),
              .bytes = *bytes};
  step.run = [path]() -> Expected<void> {
    Diagnostics told_to_nobody;
    const auto read = load_workload(path, {}, told_to_nobody);
    if (!read) return tl::unexpected(read.error());
    return {};
  };
  return {};
}

// Buses and latencies of the benchmarks' machine, and a halo exchange as it would be tried first.
Expected<Study> small_study(std::uint32_t points) {
  const auto latencies = (points + kBusCounts - 1) / kBusCounts;
  ordered_json document{{"schema", "busline/study/1"},
                        {"name", "bench"},
                        {"platform", to_json(benchmark_machine(kStudyRanks))},
                        {"workload", {{"generate", "halo"}, {"ranks", kStudyRanks}, {"iterations", 10}}}};
  auto& axes = document["axes"] = ordered_json::array();
  ordered_json buses = ordered_json::array(), latency = ordered_json::array();
  for (std::uint32_t i = 1; i <= std::min(points, kBusCounts); ++i) buses.push_back(i);
  for (std::uint32_t i = 1; i <= latencies; ++i) latency.push_back(fmt::format("{} ns", 100 * i));
  axes.push_back({{"set", "/platform/network/buses"}, {"to", std::move(buses)}});
  axes.push_back({{"set", "/platform/network/latency"}, {"to", std::move(latency)}});
  return parse_study(document.dump(), "study", {});
}

Expected<void> run_small_study(std::uint32_t points, unsigned threads, const std::string& file) {
  std::error_code none_yet;
  std::filesystem::remove(file, none_yet);
  auto study = small_study(points);
  if (!study) return tl::unexpected(std::move(study.error()));
  Diagnostics diagnostics;
  const auto cases = Cases::of(*std::move(study), diagnostics);
  if (!cases) return tl::unexpected(cases.error());
  auto store = Store::open(file, Store::Mode::create);
  if (!store) return tl::unexpected(std::move(store.error()));
  if (auto begun = store->begin(stored(cases->study(), cases->points().count())); !begun)
    return tl::unexpected(std::move(begun.error()));
  WorkloadPool workloads;
  RunStudyOptions how;
  how.threads = threads;
  how.program = "bench";
  const auto done = run_study(*cases, workloads, *store, how);
  if (!done) return tl::unexpected(done.error());
  return {};
}

Expected<void> add_study(const PartBenchmarkOptions& options, const std::string& file, Steps& steps) {
  const auto study = small_study(std::max(1U, options.points));
  if (!study) return tl::unexpected(study.error());
  const auto points = Points::of(study->axes, study->sampling);
  if (!points) return tl::unexpected(points.error());
  std::vector<unsigned> counts{1};
  if (options.threads > 1) counts.push_back(options.threads);
  for (const auto threads : counts) {
    auto& step = steps.emplace_back();
    step.row = {.part = "study",
                .what = fmt::format("halo of {} ranks, {} {}", kStudyRanks, threads,
                                    threads == 1 ? "thread" : "threads"),
                .unit = "points",
                .count = points->count(),
                .shared = true};
    step.run = [wished = std::max(1U, options.points), threads, file] {
      return run_small_study(wished, threads, file);
    };
  }
  return {};
}

// ---- measuring

Expected<void> add_part(const std::string& part, const PartBenchmarkOptions& options,
                        const TemporaryFolder& folder, Steps& steps) {
  if (part == "queue") return add_queue(options, steps);
  if (part == "incast") return add_incast(options, steps);
  if (part == "dim") return add_trace(options, "dim", folder.file("bench.dim"), steps);
  if (part == "dumpi") return add_trace(options, "dumpi", folder.file("bench.meta"), steps);
  if (part == "study") return add_study(options, folder.file("bench.study"), steps);
  return refuse_file(Error::Kind::bad_option, {}, fmt::format("unknown part '{}'", part),
                     fmt::format("the parts are {}", fmt::join(part_names(), ", ")));
}

}  // namespace

double PartBenchmarkRow::per_second() const {
  const auto seconds = shared ? wall_seconds : user_seconds;
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::vector<std::string_view> part_names() {
  return {"queue", "incast", "dim", "dumpi", "study"};
}

Expected<std::vector<PartBenchmarkRow>> run_part_benchmark(const PartBenchmarkOptions& options,
                                                           const std::function<bool(double)>& progress) {
  const TemporaryFolder folder("busline-bench");
  if (folder.path().empty())
    return refuse_file(Error::Kind::unreadable, {}, "a temporary folder cannot be created",
                       "set TMPDIR to a writable folder");
  auto parts = options.parts;
  if (parts.empty())
    for (const auto name : part_names()) parts.emplace_back(name);
  Steps steps;
  for (const auto& part : parts)
    if (auto added = add_part(part, options, folder, steps); !added)
      return tl::unexpected(std::move(added.error()));
  const auto rounds = std::max(1U, options.repetitions);
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto cost = cost_of(steps[i].run);
      if (!cost) return tl::unexpected(cost.error());
      steps[i].least = least_of(steps[i].least, *cost);
      const auto measured = static_cast<double>(round * steps.size() + i + 1);
      if (!progress(measured / static_cast<double>(rounds * steps.size())))
        return std::vector<PartBenchmarkRow>();
    }
  std::vector<PartBenchmarkRow> rows;
  for (auto& step : steps) {
    step.row.user_seconds = step.least.user_seconds;
    step.row.wall_seconds = step.least.wall_seconds;
    rows.push_back(std::move(step.row));
  }
  return rows;
}

ordered_json to_json(const std::vector<PartBenchmarkRow>& rows) {
  ordered_json list = ordered_json::array();
  for (const auto& r : rows) {
    ordered_json row{{"part", r.part},         {"what", r.what},           {"unit", r.unit},
                     {"count", r.count},       {"user_s", r.user_seconds}, {"wall_s", r.wall_seconds},
                     {"per_s", r.per_second()}};
    if (r.bytes > 0) row["bytes"] = r.bytes;
    list.push_back(std::move(row));
  }
  return list;
}

std::string to_text(const std::vector<PartBenchmarkRow>& rows) {
  TextTable table({"part", "what", "count", "user CPU", "wall", "a second", "files"});
  for (const auto& r : rows) {
    const auto bytes = r.user_seconds > 0 ? static_cast<double>(r.bytes) / r.user_seconds : 0;
    table.add(
        {r.part, r.what, fmt::format("{} {}", readable(r.count), r.unit),
         fmt::format("{:.3f} s", r.user_seconds), fmt::format("{:.3f} s", r.wall_seconds),
         r.shared ? fmt::format("{:.0f}", r.per_second()) : fmt::format("{:.2f} M", r.per_second() * 1e-6),
         r.bytes > 0 ? readable(Bandwidth::bytes_per_second(bytes)) : "-"});
  }
  return table.text();
}

}  // namespace busline
