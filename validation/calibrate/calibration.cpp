#include "validation/calibrate/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/quantile.hpp"
#include "sim/base/quantity.hpp"
#include "validation/calibrate/collective_figures.hpp"
#include "validation/calibrate/collectives.hpp"
#include "validation/calibrate/figures.hpp"
#include "validation/calibrate/handshake_order.hpp"
#include "validation/calibrate/inputs.hpp"
#include "validation/calibrate/other_explanations.hpp"
#include "validation/calibrate/progress.hpp"
#include "validation/calibrate/receive_overhead.hpp"
#include "validation/calibrate/suite_replay.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::RouteClass;
using measure::Suite;

// A call that takes nearly all of a message's latency is the CPU paying it, as in Dimemas; on real networks
// it is a few per cent.
constexpr double kCpuPays = 0.9;

Duration duration(double ps) {
  return Duration::from_double(five_digits(std::max(ps, 0.0)));
}

Bandwidth bandwidth(double ps_per_byte) {
  if (ps_per_byte <= 0) return Bandwidth::unlimited();
  return Bandwidth::bytes_per_second(five_digits(1e12 / ps_per_byte));
}

RouteFit fit_route(const std::vector<Suite>& suites, RouteClass where, MessageFitOptions options) {
  RouteFit fit{message_curves(suites, where), std::nullopt};
  if (fit.curves.has(CurveKind::message)) fit.messages = fit_messages(fit.curves, options);
  return fit;
}

// Libraries may use another limit inside a node: Open MPI 4 KiB, where it takes 64 KiB over TCP.
void fit_routes(const Inputs& inputs, const CalibrationOptions& options, Fits& fits) {
  MessageFitOptions how{options.seed, options.replicates, {}, false, true};
  fits.inter = fit_route(inputs.suites, RouteClass::inter_node, how);
  how.ranges = false;  // size classes belong to the network
  if (fits.inter.messages) how.rendezvous = fits.inter.messages->rendezvous;
  how.may_differ = true;
  fits.intra = fit_route(inputs.suites, RouteClass::intra_node, how);
  how.may_differ = false;
  fits.self.curves = self_curves(inputs.suites);
  how.rendezvous = RendezvousFit{.known = RendezvousFit::Known::not_reached};  // a copy waits for nobody
  const auto fit_calls = [&](RouteFit& fit) {
    if (fit.curves.has(CurveKind::message)) fit.messages = fit_messages(fit.curves, how);
  };
  fit_calls(fits.self);
  if (!fits.inter.messages) return;
  // Larger messages wait for their receiver, or for the data.
  const auto& limit = fits.inter.messages->rendezvous;
  const auto below = limit.known == RendezvousFit::Known::found ? limit.from : UINT64_MAX;
  fits.send_calls.curves = call_curves(inputs.suites, "MPI_Isend", below);
  // From SimGrid's calibration, or from our own.
  for (const std::string_view call : {std::string_view("MPI_Recv"), kLateReceive})
    if (!fits.receive_calls.curves.has(CurveKind::message))
      fits.receive_calls.curves = call_curves(inputs.suites, call, below);
  fit_calls(fits.send_calls);
  fit_calls(fits.receive_calls);
}

NodeGroup::Self self_of(const RouteFit& fit) {
  // An assumption: a call, and a copy by one core of a present machine. The network's figures, for which
  // these stand in, are a hundred times as slow.
  if (!fit.messages) return {Duration::picoseconds(1'000'000), Bandwidth::bytes_per_second(5e9)};
  return {duration(fit.messages->latency_ps.value), bandwidth(fit.messages->ps_per_byte.value)};
}

// Factors on the latency of the first range and on the bandwidth that is the network's.
std::vector<SizeClass> size_classes(const MessageFit& fit, double overhead) {
  std::vector<SizeClass> classes;
  const double base = fit.latency_ps.value - overhead;
  for (const auto& range : fit.ranges) {
    SizeClass c{Bytes{range.from}, 1, 1};
    if (base > 0) c.latency_factor = std::max(range.latency_ps - overhead, 0.0) / base;
    if (range.ps_per_byte > 0 && fit.ps_per_byte.value > 0)
      c.bandwidth_factor = fit.ps_per_byte.value / range.ps_per_byte;
    const bool is_base = range.from == 0 && c.latency_factor == 1 && c.bandwidth_factor == 1;
    if (!is_base) classes.push_back(c);
  }
  return classes;
}

void set_messages(const Fits& fits, Platform& platform) {
  const auto& first = *fits.messages()->messages;
  const auto& inside = fits.intra.messages ? *fits.intra.messages : first;
  auto& network = platform.machines.front().network;
  auto& nodes = platform.machines.front().nodes.front();
  const auto* send_call = fits.send_call_ps();
  const double call = send_call != nullptr ? send_call->value : 0;
  const bool cpu_pays = call >= kCpuPays * first.latency_ps.value && call > 0;
  network.latency_at = cpu_pays ? Network::LatencyAt::cpu : Network::LatencyAt::flight;
  const double overhead = cpu_pays ? 0 : call;
  nodes.overheads.send = duration(overhead);
  network.latency = duration(first.latency_ps.value - overhead);
  network.bandwidth = bandwidth(first.ps_per_byte.value);
  network.size_classes = size_classes(first, overhead);
  nodes.intra_node.latency = duration(inside.latency_ps.value - overhead);
  nodes.intra_node.bandwidth = bandwidth(inside.ps_per_byte.value);
  nodes.self = self_of(fits.self);

  const auto& limit = first.rendezvous;
  if (limit.known != RendezvousFit::Known::found) return;
  platform.mpi.rendezvous_from = Bytes{limit.from};
  platform.mpi.handshake = duration(first.handshake_ps->value);
  if (first.synchronous_handshake_ps)
    platform.mpi.ssend_handshake = duration(first.synchronous_handshake_ps->value);
  platform.mpi.send_completes =
      limit.waits_for_transfer ? Mpi::SendCompletes::transfer : Mpi::SendCompletes::launch;
}

// Where the measurements inside a node show that it differs from the network's.
void set_memory_protocol(const Fits& fits, Platform& platform) {
  if (!fits.inter.messages || !fits.intra.messages) return;
  const auto& inside = *fits.intra.messages;
  if (inside.rendezvous.known != RendezvousFit::Known::found || !inside.handshake_ps) return;
  auto& memory = platform.machines.front().nodes.front().intra_node;
  const Bytes from{inside.rendezvous.from};
  if (platform.mpi.rendezvous_from != from) memory.rendezvous_from = RendezvousLimit{from};
  const auto& own = inside.handshake_ps->interval;
  const auto of_network = fits.inter.messages->handshake_ps.value_or(Fitted()).interval;
  const bool overlap = own.low <= of_network.high && of_network.low <= own.high;
  if (!overlap) memory.handshake = duration(inside.handshake_ps->value);
}

// A receive costs its rank CPU time, too; on real machines as much as a send as long as nothing else is
// known.
void set_receive(const Inputs& inputs, Fits& fits, Platform& platform) {
  auto& overheads = platform.machines.front().nodes.front().overheads;
  if (platform.machines.front().network.latency_at == Network::LatencyAt::cpu) return;
  // What receives that are longer than sends hide.
  const auto settle = [&](const Fitted& receive) {
    overheads.receive = duration(receive.value);
    if (overheads.receive <= overheads.send) return;
    fits.hidden_memory_latency_ps = settle_memory_latency(inputs.suites, receive.interval, platform);
    if (!fits.inter.messages) return;
    if (const auto handshake = settle_handshake(inputs.suites, receive.interval, platform))
      fits.inter.messages->handshake_ps = handshake;
  };
  if (fits.receive_calls.messages) {
    settle(fits.receive_calls.messages->latency_ps);
  } else if (const auto measured = receive_overhead(inputs.suites, platform)) {
    fits.receive_ps = measured;
    settle(*measured);
  } else if (inputs.testbed != measure::TestbedKind::simulated) {
    overheads.receive = overheads.send;
  } else {
    fits.receive_is_below_send = has_window(inputs.suites);
  }
  if (fits.send_call_ps() == nullptr) fits.send_is_of_window = settle_send(inputs.suites, platform);
}

// Half of the points of messages to oneself are off by more than this; 0 without such points.
double error_to_oneself(const std::vector<Suite>& suites, const Platform& platform) {
  std::vector<double> errors;
  for (const auto& suite : suites) {
    if (!is_of_self(suite)) continue;
    for (const auto& point : suite.points)
      if (const auto predicted = predicted_result(suite, point, platform); predicted && *predicted > 0)
        errors.push_back(std::abs(std::log(*predicted / point.result_ps.value)));
  }
  return median(std::move(errors));
}

// A machine whose messages to oneself are like others inside the node needs no figures for them: simulated
// ones, as Dimemas has them. Their overheads and their eager limit then hold for messages to oneself, too.
void settle_self(const Inputs& inputs, const Fits& fits, Platform& platform) {
  if (!fits.self.messages) return;
  const bool simulated = inputs.testbed == measure::TestbedKind::simulated;
  if (!fits.intra.messages && !simulated) return;
  auto without = platform;
  auto& nodes = without.machines.front().nodes.front();
  nodes.self.reset();
  // What a platform document means by saying nothing of messages inside a node.
  if (!fits.intra.messages) nodes.intra_node = NodeGroup().intra_node;
  if (error_to_oneself(inputs.suites, without) < error_to_oneself(inputs.suites, platform))
    platform = std::move(without);
}

// Machines may be called anything, platforms may not.
std::string platform_name(std::string name) {
  constexpr std::size_t kLongest = 128;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  for (auto& c : name)
    if (!is_plain(c) && c != '.' && c != '_') c = '-';
  if (name.empty() || !is_plain(name.front())) name.insert(0, "machine");
  return name.substr(0, kLongest);
}

Platform empty_platform(const Inputs& inputs, const CalibrationOptions& options) {
  Platform p;
  p.name = platform_name(options.name.empty() ? inputs.machine : options.name);
  MachineGroup machine;
  NodeGroup nodes;
  nodes.count = std::min(inputs.nodes, kMaxNodes);
  nodes.cpus = std::min(inputs.cpus_per_node, kMaxServers);
  machine.nodes.push_back(nodes);
  p.machines.push_back(machine);
  return p;
}

bool is_of_messages(const Suite& s) {
  return s.pattern == Pattern::pingpong || s.pattern == Pattern::overhead ||
         s.pattern == Pattern::bandwidth || s.pattern == Pattern::bidirectional ||
         s.pattern == Pattern::node_flows || s.pattern == Pattern::pairings || is_of_self(s) ||
         s.operation == kLateExchange;
}

void add_residuals(const std::vector<Suite>& suites, bool held_out, Calibrated& calibrated) {
  for (const auto& suite : suites) {
    if (!is_of_messages(suite)) continue;
    for (const auto& point : suite.points) {
      const auto modelled = predicted_result(suite, point, calibrated.platform);
      if (!modelled || point.result_ps.value <= 0) continue;
      calibrated.residuals.push_back(
          {suite.name, point.argument, point.result_ps.value, *modelled, held_out});
    }
  }
}

std::optional<CollectivePreset> expected_library(const Inputs& inputs, const CalibrationOptions& options) {
  if (options.search_collectives) return std::nullopt;
  if (options.library) return options.library;
  if (inputs.mpi.empty() && inputs.testbed == measure::TestbedKind::simulated)
    return CollectivePreset::dimemas;
  return preset_of_library(inputs.mpi);
}

std::string_view testbed_name(measure::TestbedKind kind) {
  switch (kind) {
    case measure::TestbedKind::mpi:
      return "mpi";
    case measure::TestbedKind::local:
      return "local";
    case measure::TestbedKind::simulated:
      break;
  }
  return "simulated";
}

}  // namespace

Expected<Calibrated> calibrate(const std::vector<measure::Measurement>& measurements,
                               const CalibrationOptions& options) {
  const auto inputs = gather_inputs(measurements, options.hold_out, options.seed);
  if (!inputs) return tl::unexpected(inputs.error());
  Fits fits;
  fit_routes(*inputs, options, fits);
  if (fits.messages() == nullptr) {
    Error e;
    e.where = "measurements";
    e.message = "no ping-pong of MPI_Send over sizes was measured, neither between nodes nor inside one";
    e.hint = "measure everything calibrate needs with 'busline measure calibration'";
    return tl::unexpected(std::move(e));
  }
  auto compute = fit_compute(inputs->suites, options.reference);
  if (!compute) return tl::unexpected(std::move(compute.error()));
  fits.compute = *std::move(compute);

  Calibrated calibrated;
  auto& platform = calibrated.platform;
  platform = empty_platform(*inputs, options);
  const bool simulated = inputs->testbed == measure::TestbedKind::simulated;
  set_messages(fits, platform);
  set_memory_protocol(fits, platform);
  // Neither library has a thread that answers handshakes while the program computes (docs/decisions/076).
  if (platform.mpi.rendezvous_from && !simulated && preset_of_library(inputs->mpi)) {
    platform.mpi.progress = Mpi::Progress::in_calls;
    platform.mpi.handshakes = assumed_handshakes(platform);
  }
  set_receive(*inputs, fits, platform);
  settle_self(*inputs, fits, platform);
  if (fits.compute.relative_speed)
    platform.machines.front().nodes.front().relative_speed = fits.compute.relative_speed->value;
  // Networks cut messages into packets, which queue in the order in which they come (docs/decisions/045); a
  // simulated machine does as Dimemas does.
  fits.sharing = fit_sharing(inputs->suites, platform,
                             {.otherwise = simulated ? Network::Sharing::exclusive : Network::Sharing::queues,
                              .rendezvous_hides_duplex = !simulated});
  apply(fits.sharing, platform);
  if (const auto progress = measured_progress(inputs->suites, platform, preset_of_library(inputs->mpi))) {
    platform.mpi.progress = *progress;
    platform.mpi.handshakes =
        *progress == Mpi::Progress::in_calls ? assumed_handshakes(platform) : Mpi::Handshakes::beside_data;
    fits.progress_is_measured = true;
  }
  if (platform.mpi.progress == Mpi::Progress::in_calls)
    if (const auto handshakes = measured_handshakes(inputs->suites, platform)) {
      platform.mpi.handshakes = *handshakes;
      fits.handshakes_are_measured = true;
    }

  add_residuals(inputs->suites, false, calibrated);
  add_residuals(inputs->held_out, true, calibrated);
  const auto library = expected_library(*inputs, options);
  const auto collectives = fit_collectives(inputs->suites, platform, {options.algorithms, library});
  const auto siblings = apply(collectives, platform);
  for (const auto* suites : {&inputs->suites, &inputs->held_out})
    for (const auto& r : collective_residuals(*suites, collectives, platform))
      calibrated.residuals.push_back(
          {r.suite, r.argument, r.measured_ps, r.predicted_ps, suites == &inputs->held_out});
  auto told = tell(fits, platform);
  for (auto& figure : tell(collectives, siblings)) told.figures.push_back(std::move(figure));
  told.warnings.insert(told.warnings.end(), collectives.diagnostics.begin(), collectives.diagnostics.end());
  CalibrationRecord record;
  record.alternatives = other_explanations(fits, collectives, platform, set_messages);
  record.machine = inputs->machine;
  record.testbed = testbed_name(inputs->testbed);
  record.figures = std::move(told.figures);
  for (const bool held_out : {false, true}) {
    std::vector<Residual> of;
    std::copy_if(calibrated.residuals.begin(), calibrated.residuals.end(), std::back_inserter(of),
                 [=](const Residual& r) { return r.held_out == held_out; });
    for (auto& s : check_suites(of, held_out ? inputs->held_out : inputs->suites, platform))
      record.suites.push_back(std::move(s));
  }
  for (const auto& w : told.warnings) record.warnings.push_back(w.message);
  platform.calibration = std::move(record);
  calibrated.diagnostics = std::move(told.warnings);
  return calibrated;
}

bool Calibrated::is_good() const {
  return !platform.calibration ||
         std::none_of(platform.calibration->suites.begin(), platform.calibration->suites.end(),
                      [](const CalibratedSuite& s) { return s.off; });
}

}  // namespace busline::calibrate
