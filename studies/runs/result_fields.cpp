#include "studies/runs/result_fields.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/provenance.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/json_document.hpp"
#include "platforms/description/platform_fields.hpp"
#include "sim/results/resource_name.hpp"
#include "studies/runs/interval_report.hpp"
#include "studies/runs/jobs_report.hpp"
#include "studies/runs/noise_report.hpp"
#include "studies/runs/status_json.hpp"
#include "studies/runs/why_report.hpp"
#include "studies/traces/salvage_fields.hpp"

namespace busline {

constexpr std::int64_t kMostInt64 = std::numeric_limits<std::int64_t>::max();

/// How many equal servers a resource has: 1 or more, or "unlimited" (0).
struct Capacity {
  std::uint64_t& value;
};
Expected<void> read_value(const Cursor& at, Capacity& out) {
  out.value = 0;
  if (at.value() == "unlimited") return {};
  const auto v = read_whole(at, 1, kMostInt64, "\"unlimited\"");
  if (!v) return tl::unexpected(v.error());
  out.value = static_cast<std::uint64_t>(*v);
  return {};
}
nlohmann::ordered_json write_value(const Capacity& v) {
  if (v.value == 0) return "unlimited";
  return v.value;
}
nlohmann::ordered_json schema_of(const Capacity&) {
  return {{"oneOf", {whole_schema(1, kMostInt64), {{"const", "unlimited"}}}}};
}

void describe(Fields& f, RankTimes& t) {
  f.about(
      "compute + mpi + cpu_wait is the rank's time; mpi = latency + wait + collective_wait + collective.");
  auto mpi = t.latency + t.wait + t.collective_wait + t.collective;
  f.required("compute_ps", Picoseconds{t.compute}, "CPU bursts.");
  f.required("mpi_ps", WriteOnly{Picoseconds{mpi}}, "Time in MPI.");
  f.required("latency_ps", Picoseconds{t.latency}, "Latency and overheads paid on the CPU.");
  f.required("wait_ps", Picoseconds{t.wait}, "Blocked in point-to-point calls.");
  f.required("collective_wait_ps", Picoseconds{t.collective_wait},
             "In a collective, until all ranks had arrived and the buses were free.");
  f.required("collective_ps", Picoseconds{t.collective}, "In a collective, from then on.");
  f.required("cpu_wait_ps", Picoseconds{t.cpu_wait}, "Ready, but the node's CPUs were taken.");
}

void describe(Fields& f, Efficiency& e) {
  f.required("parallel", Number{e.parallel}, "Mean computing time of a rank / run time.");
  f.required("load_balance", Number{e.load_balance}, "Mean / largest computing time of a rank.");
  f.required("communication", Number{e.communication}, "Largest computing time of a rank / run time.");
}

namespace {

// A member that is left out where `there` does not hold.
void optional_result_count(Fields& f, std::string_view key, bool there, std::uint64_t& value,
                           std::string_view meaning) {
  auto count = there ? std::optional(value) : std::nullopt;
  f.optional(key, Whole{count, 0, kMostInt64}, meaning);
  value = count.value_or(value);
}

void describe_rank_number(Fields& f, std::size_t index) {
  auto rank = index;
  f.required("rank", Whole{rank, 0, kMostInt64}, "Rank in the run.");
}

void describe_rank(Fields& f, std::size_t index, RankResult& r, bool has_collective_messages) {
  auto end = r.end.since_start();
  describe_rank_number(f, index);
  f.required("node", Whole{r.node, 0, std::numeric_limits<std::uint32_t>::max()},
             "The number of its node on the platform.");
  auto start = r.start > Time::zero() ? std::optional(r.start.since_start()) : std::nullopt;
  f.optional("start_ps", OptionalPicoseconds{start}, "Simulated time when the rank began, if not 0.");
  r.start = Time::at(start.value_or(Duration()));
  f.required("end_ps", Picoseconds{end}, "Simulated time when the rank ended.");
  describe(f, r.times);
  f.required("link_wait_ps", Picoseconds{r.link_wait}, "Summed over the messages that the rank sent.");
  f.required("bus_wait_ps", Picoseconds{r.bus_wait}, "Likewise.");
  f.required("messages", Whole{r.messages_sent, 0, kMostInt64}, "Sent.");
  f.required("bytes", Whole{r.bytes_sent, 0, kMostInt64}, "Sent.");
  optional_result_count(f, "collective_messages", has_collective_messages, r.collective_messages,
                        "Sent inside collectives, beside 'messages'.");
  optional_result_count(f, "collective_bytes", has_collective_messages, r.collective_bytes, "Likewise.");
  r.end = Time::at(end);
}

void describe_resource(Fields& f, ResourceResult& r, Time run_time) {
  auto name = name_of(r);
  auto use = utilisation(r, run_time);
  f.required("name", name, "Such as 'network/buses', 'node 3/links out'.");
  f.required("capacity", Capacity{r.capacity}, "Number of its identical servers.");
  f.required("busy_ps", Picoseconds{r.busy}, "Summed over its servers.");
  f.required("wait_ps", Picoseconds{r.wait}, "Summed over the messages that queued.");
  f.required("messages", Whole{r.messages, 0, kMostInt64}, "Messages that used it.");
  f.required("peak_queue", Whole{r.peak_queue, 0, kMostInt64},
             "The most messages that waited for it at one time.");
  f.required("utilisation", WriteOnly{Number{use}}, "busy_ps / (capacity * run_time_ps); 0 if unlimited.");
  set_name(r, name);
}

}  // namespace

void describe(Fields& f, RegionResult& r) {
  f.required("run_time_ps", Picoseconds{r.run_time}, "The longest over ranks.");
  f.required("ranks",
             DescribedList{r.ranks,
                           [](Fields& rank, std::size_t i, RankTimes& times) {
                             describe_rank_number(rank, i);
                             describe(rank, times);
                           }},
             "Where the time of each rank went in it.");
}

// The region of a result and what was asked for.
struct AskedRegion {
  std::string asked;
  RegionResult result;
};
void describe(Fields& f, AskedRegion& r) {
  f.required("asked", r.asked, "The region as requested.");
  describe(f, r.result);
}

/// A share of real runs, or nothing.
struct RealShare {
  std::optional<double> value;
};
Expected<void> read_value(const Cursor& at, RealShare& out) {
  Number number{out.value.emplace()};
  return read_value(at, number);
}
nlohmann::ordered_json write_value(const RealShare& v) {
  if (!v.value) return nullptr;
  return *v.value;
}
nlohmann::ordered_json schema_of(const RealShare&) {
  return {{"type", "number"}};
}

// The real runs of a result, and what was predicted for them.
struct RealRunsOfResult {
  RealRuns real;
  Duration predicted;
  bool complete = false;
};
void describe(Fields& f, RealRunsOfResult& r) {
  auto& times = r.real.times;
  RealShare spread{times.spread()};
  RealShare error{r.complete ? std::optional(times.error_of(r.predicted)) : std::nullopt};
  f.required("machine", r.real.machine, "Where the real runs were.");
  f.required("measured_in", Choice<compare::MeasuredIn>{times.measured_in, kMeasuredInNames},
             "'trace': another region than the run set's was asked for; only the traced run has its time.");
  f.required("runs", Whole{times.runs, 0, kMostInt64}, "Runs that were timed.");
  f.required("failed_runs", Whole{times.failed_runs, 0, kMostInt64}, "Runs that failed; they do not count.");
  f.optional(
      "disturbed_runs", Whole{times.disturbed_runs, 0, kMostInt64},
      "Runs in which a rank waited for a CPU or was throttled for more than 5 % of the time; left out if "
      "not known.");
  f.required("measured_ps", Picoseconds{times.measured.median}, "Median of their times in the region.");
  f.required("least_ps", Picoseconds{times.measured.least}, "The shortest.");
  f.required("most_ps", Picoseconds{times.measured.most}, "The longest.");
  f.optional("spread", spread, "(most_ps - least_ps) / measured_ps; left out for a single run.");
  f.optional("error", error,
             "region/run_time_ps / measured_ps - 1: above 0 the prediction is too long; for complete runs.");
}

void describe(Fields& f, SimulateReport& report) {
  auto& r = report.result;
  auto run_time = r.run_time.since_start();
  auto seconds = run_time.in_seconds();
  auto efficient = efficiency(r);
  const bool deadlock = r.status == Result::Status::deadlock;
  auto blocked = deadlock ? std::optional(r.blocked) : std::nullopt;
  auto region = r.region ? std::optional(AskedRegion{report.region, *r.region}) : std::nullopt;
  Provenance provenance;
  f.about("Everything except 'provenance' is byte-identical for the same inputs.");
  f.required("schema", SchemaName{kResultSchema});
  f.required("status", Choice<Result::Status>{r.status, kStatusNames},
             "If not complete, times run until then.");
  f.required("workload", report.workload, "The last part of its path, or the program of a run set.");
  f.required("platform", report.platform, "The platform's name.");
  f.required("model", report.model, "The model that was simulated: 'dimemas', 'ideal' or 'flow'.");
  f.required("preset", Choice<Preset>{report.preset, kPresetNames},
             "Which reading of the Dimemas model: as published, or as Dimemas 5.5 computes.");
  f.required("run_time_ps", Picoseconds{run_time}, "Simulated time when the last rank ends.");
  r.run_time = Time::at(run_time);
  f.required("run_time_s", WriteOnly{Number{seconds}}, "The same for reading.");
  f.optional("traced_run_time_ps", OptionalPicoseconds{report.traced_run_time},
             "How long the traced run took, if the trace tells.");
  f.optional("efficiency", WriteOnly{efficient},
             "parallel = load_balance * communication = mean computing time / run time.");
  f.required("operations", Whole{r.operations, 0, kMostInt64},
             "Operations of the Program that were simulated.");
  f.required("events", Whole{r.events, 0, kMostInt64}, "Events that the simulation handled.");
  f.required("messages", Whole{r.messages, 0, kMostInt64}, "Point-to-point messages.");
  f.required("bytes", Whole{r.bytes, 0, kMostInt64}, "Of these messages, together.");
  const bool has_collective_messages = r.collective_messages > 0;
  optional_result_count(
      f, "collective_messages", has_collective_messages, r.collective_messages,
      "Messages inside collectives whose platform names an algorithm, beside 'messages'; left out "
      "if there are none.");
  optional_result_count(f, "collective_bytes", has_collective_messages, r.collective_bytes,
                        "Bytes in these messages, in addition to 'bytes'.");
  f.optional("blocked", blocked, "With status deadlock: the ranks that cannot continue.");
  r.blocked = std::move(blocked).value_or(std::vector<BlockedRank>{});
  f.optional("region", region,
             "The part that --from, --to or --time-range asked for, or the region of a run set.");
  if (region) {
    report.region = std::move(region->asked);
    r.region = std::move(region->result);
  }
  auto real = report.real && r.region ? std::optional(RealRunsOfResult{*report.real, r.region->run_time,
                                                                       r.status == Result::Status::complete})
                                      : std::nullopt;
  f.optional("real_runs", WriteOnly{real}, "With a run set: how long the region really took.");
  f.optional("interval", WriteOnly{report.interval},
             "With --interval, for a complete run: docs/how-to/intervals.md.");
  f.optional("noise", report.noise, "With --runs, for a complete run: docs/how-to/noise.md.");
  f.optional("jobs", report.jobs, "With --job: the jobs of the run, whose ranks follow one another.");
  f.optional("job_matrix", report.job_matrix, "With --job and --matrix: who slows whom.");
  f.optional("why", WriteOnly{report.why}, "With --why, for a complete run: docs/how-to/why.md.");
  f.required(
      "ranks",
      DescribedList{r.ranks, [&](Fields& rank, std::size_t i,
                                 RankResult& of) { describe_rank(rank, i, of, r.collective_messages > 0); }},
      "Where the time of each rank went, by rank.");
  f.required(
      "resources",
      DescribedList{r.resources, [&](Fields& resource, std::size_t,
                                     ResourceResult& of) { describe_resource(resource, of, r.run_time); }},
      "The resources that messages queue for: links, buses, ports.");
  f.optional("salvaged", WriteOnly{report.salvaged},
             "With --salvage: what was left out of a damaged or incomplete trace.");
  f.required("diagnostics", WriteOnly{report.diagnostics},
             "Warnings and notes about the input and the work; empty if there are none.");
  f.required("provenance", WriteOnly{provenance},
             "How the document was made: everything needed to rerun the command, and the resources it used.");
}

Expected<void> check(const Cursor& at, const SimulateReport& report) {
  std::int64_t waits = 0;
  for (const auto& r : report.result.resources) waits = saturated_sum(waits, r.wait.count());
  if (waits == std::numeric_limits<std::int64_t>::max())
    return tl::unexpected(at.member("resources")->error("the waiting times add up to more than 106 days"));
  return {};
}

nlohmann::ordered_json to_json(const SimulateReport& report) {
  auto document = write_object(report);
  document.erase("provenance");  // the caller's to add
  return document;
}

}  // namespace busline
