#include "studies/benchmark/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "documents/text/process_usage.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/sha256.hpp"
#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "studies/benchmark/benchmark_machine.hpp"
#include "studies/runs/run_cost.hpp"
#include "workloads/patterns/halo_allreduce.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

// Nothing if it was ended on the way.
Expected<std::optional<BenchmarkRow>> measure_row(const std::string& model, const Program& program,
                                                  const Platform& platform, const Machine& machine,
                                                  const BenchmarkOptions& how) {
  BenchmarkRow row;
  row.model = model;
  row.ranks = program.ranks();
  row.operations = program.operations().size();
  SimulateOptions options;
  options.model = model;
  bool ended = false;
  if (how.go_on)
    options.progress = [&](double) {
      ended = ended || !how.go_on();
      return !ended;
    };
  const auto once =
      simulate(benchmark_program(program.ranks(), 1), platform, machine, options);  // code is in memory then
  if (!once) return tl::unexpected(once.error());
  RunCost least;
  for (std::uint32_t i = 0; i < std::max(1U, how.repetitions); ++i) {
    reset_peak_resident();
    const auto resident = resident_bytes();
    const auto cost = cost_of([&]() -> Expected<void> {
      const auto result = simulate(program, platform, machine, options);
      if (!result) return tl::unexpected(result.error());
      return {};
    });
    if (!cost) return tl::unexpected(cost.error());
    if (ended || (how.go_on && !how.go_on())) return std::nullopt;
    least = least_of(least, *cost);
    // A model that runs apart has its memory in another process.
    const auto peak = std::max(peak_resident_bytes(), peak_resident_bytes_of_children());
    row.replay_bytes = std::max(row.replay_bytes, peak - std::min(resident, peak));
  }
  row.user_seconds = least.user_seconds;
  return row;
}

// ---- signature

struct Variant {
  const char* name;
  void (*change)(Platform&);
};

constexpr Variant kVariants[] = {
    {"contended", [](Platform&) {}},
    {"unlimited",
     [](Platform& p) {
       p.machines[0].network.buses = kUnlimited;
       p.machines[0].nodes[0].links = {};
     }},
    {"one bus, half duplex",
     [](Platform& p) {
       p.machines[0].network.buses = 1;
       p.machines[0].nodes[0].links = {Links::Kind::half_duplex, 1, 1};
     }},
    {"rendezvous", [](Platform& p) { p.mpi.rendezvous_from = Bytes{1}; }},
    {"latency in flight", [](Platform& p) { p.machines[0].network.latency_at = Network::LatencyAt::flight; }},
    {"two ranks on a CPU",
     [](Platform& p) {
       p.mapping.kind = Mapping::Kind::per_node;
       p.mapping.per_node = 2;
     }},
    {"dimemas-5.5", [](Platform& p) { p.preset = Preset::dimemas_5_5; }},
    {"streams", [](Platform& p) { p.machines[0].network.sharing = Network::Sharing::streams; }},
    {"queues", [](Platform& p) { p.machines[0].network.sharing = Network::Sharing::queues; }},
    {"fair sharing", [](Platform& p) { p.machines[0].network.sharing = Network::Sharing::fair; }},
};

std::string line_of(const std::string& name, const Result& result) {
  auto text = fmt::format("{}: {} {}", name, static_cast<int>(result.status), result.run_time.count());
  for (const auto& r : result.ranks)
    text += fmt::format(" {}/{}/{}", r.end.count(), r.times.compute.count(),
                        r.link_wait.count() + r.bus_wait.count());
  return text + "\n";
}

}  // namespace

double BenchmarkRow::operations_per_second() const {
  return user_seconds > 0 ? static_cast<double>(operations) / user_seconds : 0;
}

Expected<std::vector<BenchmarkRow>> run_benchmark(const BenchmarkOptions& options,
                                                  const std::function<bool(const BenchmarkRow&)>& row_done) {
  auto models = options.models;
  if (models.empty())
    for (const auto& m : model_names())
      if (!m.apart) models.push_back(m.name);
  std::vector<BenchmarkRow> rows;
  for (const auto ranks : options.ranks) {
    const auto before = allocated_bytes();
    const auto program = benchmark_program(std::max(1U, ranks), options.operations);
    const auto grown = allocated_bytes() - std::min(before, allocated_bytes());
    const auto platform = benchmark_machine(program.ranks());
    const auto machine = place_ranks(platform, program.ranks());
    if (!machine) return tl::unexpected(machine.error());
    for (const auto& model : models) {
      auto row = measure_row(model, program, platform, *machine, options);
      if (!row) return tl::unexpected(std::move(row.error()));
      if (!*row) return rows;
      (*row)->program_bytes = grown;
      rows.push_back(**row);
      if (!row_done(rows.back())) return rows;
    }
  }
  return rows;
}

ordered_json to_json(const std::vector<BenchmarkRow>& rows) {
  ordered_json list = ordered_json::array();
  for (const auto& r : rows)
    list.push_back({{"model", r.model},
                    {"ranks", r.ranks},
                    {"operations", r.operations},
                    {"user_s", r.user_seconds},
                    {"operations_per_s", r.operations_per_second()},
                    {"program_bytes", r.program_bytes},
                    {"replay_bytes", r.replay_bytes}});
  return list;
}

std::string benchmark_heading() {
  return fmt::format("{:<10}{:>8}{:>13}{:>12}{:>18}{:>16}{:>16}\n", "model", "ranks", "operations",
                     "user CPU", "operations/s", "program B/op", "replay memory");
}

std::string to_text(const BenchmarkRow& row) {
  const auto operations = static_cast<double>(std::max<std::uint64_t>(1, row.operations));
  return fmt::format("{:<10}{:>8}{:>13}{:>12}{:>18}{:>16.1f}{:>16}\n", row.model, row.ranks,
                     readable(row.operations), fmt::format("{:.3f} s", row.user_seconds),
                     fmt::format("{:.2f} M", row.operations_per_second() * 1e-6),
                     static_cast<double>(row.program_bytes) / operations, readable(Bytes{row.replay_bytes}));
}

Expected<std::string> prediction_signature() {
  Sha256 hash;
  for (const std::uint32_t ranks : {1U, 2U, 5U, 16U, 64U})
    for (const std::uint32_t dimensions : {1U, 2U, 3U})
      for (const auto& variant : kVariants) {
        HaloAllreduce pattern;
        pattern.ranks = ranks;
        pattern.dimensions = dimensions;
        pattern.iterations = 3;
        pattern.allreduce = dimensions != 2;
        const auto program = halo_allreduce(pattern);
        auto platform = benchmark_machine(ranks);
        variant.change(platform);
        const auto machine = place_ranks(platform, ranks);
        if (!machine) return tl::unexpected(machine.error());
        for (const auto& model : model_names()) {
          if (model.apart) continue;
          SimulateOptions options;
          options.model = model.name;
          const auto result = simulate(program, platform, *machine, options);
          if (!result) return tl::unexpected(result.error());
          hash.update(
              line_of(fmt::format("{} {} {} {}", ranks, dimensions, variant.name, model.name), *result));
        }
      }
  return hash.hex().substr(0, 16);
}

}  // namespace busline
