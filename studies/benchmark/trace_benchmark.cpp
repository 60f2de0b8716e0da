#include "studies/benchmark/trace_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "documents/text/process_usage.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "studies/benchmark/benchmark_machine.hpp"
#include "studies/runs/run_cost.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/values.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

// ---- what is measured

std::uint64_t sum_of(const dumpi::Status& s) {
  return static_cast<std::uint64_t>(s.bytes) + static_cast<std::uint64_t>(s.source) +
         static_cast<std::uint64_t>(s.tag) + s.cancelled + s.error;
}

std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = text.size();
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return sum;
}

// Looks at every number and every letter.
template <class T>
std::uint64_t sum_of(const T& value) {
  if constexpr (std::is_same_v<T, dumpi::Absent>) {
    return 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else {
    std::uint64_t sum = value.size();
    if constexpr (requires { value[0]; })
      for (std::size_t i = 0; i < value.size(); ++i) sum += sum_of(value[i]);
    else
      for (const auto& element : value) sum += sum_of(element);
    return sum;
  }
}

std::uint64_t sum_of_values(const dumpi::Record& r) {
  std::uint64_t sum = r.thread;
  for (const auto& s : {r.cpu, r.wall})
    sum += s.entry_seconds + s.exit_seconds + std::uint64_t{s.entry_nanoseconds} + s.exit_nanoseconds;
  for (std::size_t i = 0; i < r.counters.size(); ++i) sum += r.counters[i];
  for (std::size_t i = 0; i < dumpi::kLayouts[r.function].arguments; ++i)
    sum += std::visit([](const auto& value) { return sum_of(value); }, dumpi::value_of(r, i));
  return sum;
}

struct Read {
  std::uint64_t records = 0;
  std::uint64_t sum = 0;  // so that no reading can be left out
};

template <class Look>
Expected<Read> read_files(const std::vector<std::string>& files, const Look& look) {
  Read read;
  for (const auto& path : files) {
    Diagnostics told_elsewhere;
    const auto file = dumpi::TraceFile::open(path, told_elsewhere);
    if (!file) return tl::unexpected(file.error());
    dumpi::RecordReader reader(*file);
    while (const auto* r = reader.next()) {
      ++read.records;
      read.sum += look(*r);
    }
    if (reader.error()) return tl::unexpected(*reader.error());
  }
  return read;
}

Expected<void> predict(const Program& program, const std::string& model) {
  const auto platform = benchmark_machine(program.ranks());
  const auto machine = place_ranks(platform, program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  SimulateOptions options;
  options.model = model;
  const auto result = simulate(program, platform, *machine, options);
  if (!result) return tl::unexpected(result.error());
  return {};
}

// ---- measuring

struct TraceStep {
  TraceBenchmarkRow row;
  std::function<Expected<void>()> run;
  RunCost least{};
};

Expected<void> measure_time(TraceStep& step) {
  const auto cost = cost_of(step.run);
  if (!cost) return tl::unexpected(cost.error());
  step.least = least_of(step.least, *cost);
  step.row.user_seconds = step.least.user_seconds;
  return {};
}

// Apart from the time, since looking takes time itself.
Expected<void> measure_memory(TraceStep& step) {
  reset_peak_resident();
  AnonymousPeak peak;
  auto done = step.run();
  step.row.anonymous_bytes = peak.bytes();
  return done;
}

std::vector<TraceStep> steps_of(const TraceBenchmarkOptions& options, const std::vector<std::string>& files) {
  std::vector<TraceStep> steps;
  const auto add = [&steps](std::string what, auto run) {
    auto& step = steps.emplace_back();
    step.row.what = std::move(what);
    step.run = std::move(run);
  };
  const auto add_reading = [&](const char* what, auto look) {
    add(what, [&files, look]() -> Expected<void> {
      const auto read = read_files(files, look);
      if (!read) return tl::unexpected(read.error());
      [[maybe_unused]] volatile auto used = read->sum;
      return {};
    });
  };
  add_reading("find all records", [](const dumpi::Record& r) { return std::uint64_t{r.function}; });
  add_reading("read all values", sum_of_values);
  const auto compile = [trace = options.trace] {
    Diagnostics diagnostics;
    return read_dumpi(trace, {}, diagnostics);
  };
  add("trace to Program", [compile]() -> Expected<void> {
    const auto program = compile();
    if (!program) return tl::unexpected(program.error());
    return {};
  });
  auto models = options.models;
  if (models.empty())
    for (const auto& m : model_names())
      if (!m.apart) models.push_back(m.name);
  for (const auto& model : models)
    add(fmt::format("trace to prediction, {}", model), [compile, model]() -> Expected<void> {
      const auto program = compile();
      if (!program) return tl::unexpected(program.error());
      return predict(*program, model);
    });
  return steps;
}

// What the trace holds. Reading it once brings it into memory.
Expected<TraceBenchmark> describe(const std::string& trace, const std::vector<std::string>& files) {
  TraceBenchmark b;
  b.trace = trace;
  Diagnostics diagnostics;
  for (const auto& path : files) {
    const auto file = dumpi::TraceFile::open(path, diagnostics);
    if (!file) return tl::unexpected(file.error());
    b.bytes += file->bytes().size();
  }
  const auto read = read_files(files, sum_of_values);
  if (!read) return tl::unexpected(read.error());
  b.calls = read->records;
  const auto program = read_dumpi(trace, {}, diagnostics);
  if (!program) return tl::unexpected(program.error());
  b.ranks = program->ranks();
  b.operations = program->operations().size();
  return b;
}

double per_second(std::uint64_t amount, double seconds) {
  return seconds > 0 ? static_cast<double>(amount) / seconds : 0;
}

double per_operation(const TraceBenchmark& b, std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, b.operations));
}

double nanoseconds_per_call(const TraceBenchmark& b, double seconds) {
  return seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(1, b.calls));
}

}  // namespace

Expected<TraceBenchmark> run_trace_benchmark(const TraceBenchmarkOptions& options,
                                             const std::function<bool(double)>& progress) {
  Diagnostics diagnostics;
  const auto files = dumpi::find_trace_files(options.trace, diagnostics);
  if (!files) return tl::unexpected(files.error());
  auto benchmark = describe(options.trace, files->ranks);
  if (!benchmark) return benchmark;
  auto steps = steps_of(options, files->ranks);
  const auto rounds = std::max(1U, options.repetitions) + 1;
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto done = round == 0 ? measure_memory(steps[i]) : measure_time(steps[i]);
      if (!done) return tl::unexpected(done.error());
      const auto measured = static_cast<double>(round * steps.size() + i + 1);
      if (!progress(measured / static_cast<double>(rounds * steps.size()))) return benchmark;
    }
  for (auto& step : steps) benchmark->rows.push_back(std::move(step.row));
  return benchmark;
}

ordered_json to_json(const TraceBenchmark& b) {
  ordered_json j{{"schema", "busline/trace-benchmark/1"}, {"trace", b.trace}, {"rank_count", b.ranks}};
  j["calls"] = b.calls;
  j["bytes"] = b.bytes;
  j["operations"] = b.operations;
  auto& rows = j["rows"] = ordered_json::array();
  for (const auto& r : b.rows)
    rows.push_back({{"what", r.what},
                    {"user_s", r.user_seconds},
                    {"calls_per_s", per_second(b.calls, r.user_seconds)},
                    {"bytes_per_s", per_second(b.bytes, r.user_seconds)},
                    {"ns_per_call", nanoseconds_per_call(b, r.user_seconds)},
                    {"anonymous_bytes", r.anonymous_bytes},
                    {"anonymous_bytes_per_operation", per_operation(b, r.anonymous_bytes)}});
  return j;
}

std::string to_text(const TraceBenchmark& b) {
  auto text = fmt::format("{}: {} ranks, {} calls in {}, {} operations\n\n", b.trace, b.ranks,
                          readable(b.calls), readable(Bytes{b.bytes}), readable(b.operations));
  TextTable table({"from the files", "user CPU", "calls/s", "ns/call", "file bytes/s", "anonymous memory",
                   "B/operation"});
  for (const auto& r : b.rows)
    table.add({r.what, fmt::format("{:.3f} s", r.user_seconds),
               fmt::format("{:.2f} M", per_second(b.calls, r.user_seconds) * 1e-6),
               fmt::format("{:.1f}", nanoseconds_per_call(b, r.user_seconds)),
               readable(Bandwidth::bytes_per_second(per_second(b.bytes, r.user_seconds))),
               readable(Bytes{r.anonymous_bytes}),
               fmt::format("{:.1f}", per_operation(b, r.anonymous_bytes))});
  return text + table.text();
}

}  // namespace busline
