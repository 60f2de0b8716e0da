#include "studies/study/workload_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "documents/text/sha256.hpp"
#include "workloads/generate/generator.hpp"

namespace busline {
namespace {

using ProgramPointer = std::shared_ptr<const Program>;

std::uint64_t program_bytes(const Program& program) {
  return program.operations().size_bytes() + std::uint64_t{512} * program.ranks();
}

// How a trace is read.
std::string reading_of(const WorkloadOptions& options) {
  const auto& o = options.dumpi;
  auto text = fmt::format("{} {}{}{}{}", o.compute_scale, o.cpu_time ? 'c' : '-', o.keep_io ? 'i' : '-',
                          o.rematch_wildcards ? 'w' : '-', o.salvage ? 's' : '-');
  for (const auto& s : options.scales) text += fmt::format("\nscale {}={}", s.region, s.factor);
  return text;
}

// Distinguishes choices by their text, not by the contents of their files.
std::string key_of(const WorkloadChoice& choice) {
  if (const auto* trace = std::get_if<TraceChoice>(&choice)) {
    return fmt::format("trace {} {}", trace->path, reading_of(trace->options));
  }
  if (const auto* generated = std::get_if<GeneratedChoice>(&choice)) {
    auto key = "generate " + generated->generator;
    for (const auto& [name, value] : generated->parameters) key += fmt::format("\n{}={}", name, value);
    return key;
  }
  const auto& b = std::get<BenchmarkChoice>(choice);
  return fmt::format("measure {} {} {} {} {}", name_of(choice), b.size ? count(*b.size) : 0,
                     b.size.has_value(), b.ranks, fmt::format("{} {}", b.nodes, b.ranks_per_node));
}

Expected<Program> generate(const GeneratedChoice& choice) {
  const auto all = generators();
  const auto generator =
      std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.name == choice.generator; });
  auto program = generator->generate(choice.parameters);  // it was looked up when the choice was read
  if (!program && program.error().where.starts_with("--"))
    program.error().where = "/workload/" + program.error().where.substr(2);
  return program;
}

// `options` do not matter for files of other formats, but including them costs at most a rerun.
Expected<std::string> digest(const TraceChoice& trace) {
  auto files = workload_files(trace.path, trace.options);
  if (files.empty()) files.push_back(trace.path);  // whose error load_workload explains
  Sha256 all;
  for (const auto& file : files) {
    const auto one = sha256_of_file(file);
    if (!one) return tl::unexpected(one.error());
    all.update(*one);
  }
  return fmt::format("trace {} {}", all.hex(), reading_of(trace.options));
}

}  // namespace

struct WorkloadPool::State {
  struct Entry {
    std::mutex busy;  // while it is being made
    std::optional<Error> error;
    std::weak_ptr<const Program> program;
    std::optional<std::string> deciding;
  };

  std::shared_ptr<Entry> entry(const std::string& key) {
    const std::lock_guard lock(mutex);
    auto& e = entries[key];
    if (!e) e = std::make_shared<Entry>();
    return e;
  }
  void keep(const ProgramPointer& program) {
    const std::lock_guard lock(mutex);
    kept.push_back(program);
    kept_bytes += program_bytes(*program);
    for (; kept.size() > 1 && kept_bytes > most_kept; kept.pop_front())
      kept_bytes -= program_bytes(*kept.front());
  }

  mutable std::mutex mutex;
  std::uint64_t most_kept = 0, kept_bytes = 0;
  std::map<std::string, std::shared_ptr<Entry>> entries;
  std::deque<ProgramPointer> kept;  // the latest last
  Diagnostics diagnostics;
  std::map<std::string, std::pair<double, Diagnostic>> of_runs;  // by code
};

WorkloadPool::WorkloadPool(std::uint64_t keep) : state_(std::make_unique<State>()) {
  state_->most_kept = keep;
}
WorkloadPool::~WorkloadPool() = default;

Expected<std::string> WorkloadPool::deciding_text(const WorkloadChoice& choice) {
  auto key = key_of(choice);
  const auto* trace = std::get_if<TraceChoice>(&choice);
  if (trace == nullptr) return key;
  const auto entry = state_->entry(key);
  const std::lock_guard lock(entry->busy);
  if (!entry->deciding) {
    auto text = digest(*trace);
    if (!text) return text;
    entry->deciding = *std::move(text);
  }
  return *entry->deciding;
}

Expected<std::shared_ptr<const Program>> WorkloadPool::program(const WorkloadChoice& choice) {
  const auto entry = state_->entry(key_of(choice));
  const std::lock_guard lock(entry->busy);
  if (entry->error) return tl::unexpected(*entry->error);
  if (auto known = entry->program.lock()) return known;
  Diagnostics news;
  auto made = [&]() -> Expected<Program> {
    const auto* trace = std::get_if<TraceChoice>(&choice);
    if (trace == nullptr) return generate(std::get<GeneratedChoice>(choice));
    return load_workload(trace->path, trace->options, news).map([](Workload&& w) {
      return std::move(w.program);
    });
  }();
  if (!made) {
    entry->error = made.error();
    return tl::unexpected(std::move(made.error()));
  }
  {
    const std::lock_guard all(state_->mutex);
    tell_once(state_->diagnostics, std::move(news));
  }
  ProgramPointer program = std::make_shared<const Program>(*std::move(made));
  entry->program = program;
  state_->keep(program);
  return program;
}

void WorkloadPool::warn(Diagnostic warning, double weight) {
  const std::lock_guard lock(state_->mutex);
  const auto [known, fresh] = state_->of_runs.try_emplace(warning.code, weight, warning);
  auto& [most, text] = known->second;
  // Equal weights: independent of the order in which threads come.
  if (fresh || weight < most || (weight == most && warning.message >= text.message)) return;
  most = weight;
  text = std::move(warning);
}

Diagnostics WorkloadPool::diagnostics() const {
  const std::lock_guard lock(state_->mutex);
  auto all = state_->diagnostics;
  for (const auto& [code, warning] : state_->of_runs) all.push_back(warning.second);
  return all;
}

}  // namespace busline
