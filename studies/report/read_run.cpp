#include "studies/report/read_run.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "sim/results/resource_name.hpp"
#include "studies/report/members.hpp"
#include "studies/runs/status_json.hpp"

namespace busline::report {
namespace {

Result::Status status_of(const std::string& name) {
  for (const auto status :
       {Result::Status::complete, Result::Status::deadlock, Result::Status::clock_overflow})
    if (name == name_of(status)) return status;
  return Result::Status::interrupted;
}

RankResult read_rank(Members& m) {
  RankResult r;
  Duration end;
  m.whole("node", r.node);
  m.time("end_ps", end);
  r.end = Time::at(end);
  m.time("compute_ps", r.times.compute);
  m.time("latency_ps", r.times.latency);
  m.time("wait_ps", r.times.wait);
  m.time("collective_wait_ps", r.times.collective_wait);
  m.time("collective_ps", r.times.collective);
  m.time("cpu_wait_ps", r.times.cpu_wait);
  m.time("link_wait_ps", r.link_wait);
  m.time("bus_wait_ps", r.bus_wait);
  m.whole("messages", r.messages_sent);
  m.whole("bytes", r.bytes_sent);
  return r;
}

ResourceResult read_resource(Members& m) {
  ResourceResult r;
  std::string name;
  m.text("name", name);
  set_name(r, name);
  // "unlimited" is no number.
  std::optional<double> limit;
  Members probe = m;
  probe.number("capacity", limit);
  if (!probe.error() && limit) m.whole("capacity", r.capacity);
  m.time("busy_ps", r.busy);
  m.time("wait_ps", r.wait);
  m.whole("messages", r.messages);
  m.whole("peak_queue", r.peak_queue);
  return r;
}

BlockedRank read_blocked(Members& m) {
  BlockedRank b;
  m.whole("rank", b.rank);
  m.whole("call_number", b.call_number);
  m.text("call", b.call);
  m.text("waits_for", b.waits_for);
  return b;
}

}  // namespace

Expected<SimulateReport> read_run(const Document& document) {
  const Cursor top(document);
  Members m(top);
  SimulateReport run;
  std::string status, preset;
  Duration run_time;
  m.text("status", status);
  m.text("workload", run.workload);
  m.text("platform", run.platform);
  m.text("model", run.model);
  m.text("preset", preset);
  m.time("run_time_ps", run_time);
  m.time("traced_run_time_ps", run.traced_run_time);
  auto& result = run.result;
  m.whole("operations", result.operations);
  m.whole("messages", result.messages);
  m.whole("bytes", result.bytes);
  m.list("ranks", [&](Members& rank) { result.ranks.push_back(read_rank(rank)); });
  std::int64_t waits = 0;
  m.list("resources", [&](Members& resource) {
    result.resources.push_back(read_resource(resource));
    waits = saturated_sum(waits, result.resources.back().wait.count());
  });
  m.list_if_there("blocked", [&](Members& blocked) { result.blocked.push_back(read_blocked(blocked)); });
  if (m.error()) return tl::unexpected(*m.error());
  if (waits == std::numeric_limits<std::int64_t>::max())
    return tl::unexpected(
        top.error_within("/resources", "the waiting times are more than 106 days together"));
  run.preset = preset == "dimemas-5.5" ? Preset::dimemas_5_5 : Preset::published;
  result.status = status_of(status);
  result.run_time = Time::at(run_time);
  return run;
}

}  // namespace busline::report
