#include "models/curve/run_time_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/costs/uncontended_network.hpp"
#include "models/curve/line_clock.hpp"
#include "models/ideal/dataflow.hpp"
#include "models/ideal/order_free.hpp"
#include "sim/replay/observer.hpp"

namespace busline {
namespace {

Error no_curve(std::string message, std::string hint) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

constexpr const char* kInstead = "take samples: busline study run with --axis and --model ideal";

Expected<void> check_end(const Program& program, const CurveEnd& end) {
  if (end.machine.rank_node.size() != program.ranks())
    return tl::unexpected(no_curve("the mapping does not place all ranks of the workload", ""));
  if (end.platform.mpi.progress == Mpi::Progress::in_calls)
    return tl::unexpected(
        no_curve("with progress in calls, a handshake depends on what its ranks do at that time",
                 fmt::format("--set /mpi/progress=asynchronous leaves that out; or {}", kInstead)));
  if (!order_free(program, end.machine, end.platform))
    return tl::unexpected(
        no_curve("the order of this workload's operations depends on time (receives from any source, probes, "
                 "threads, more ranks than CPUs on a node, or sizes set by the last rank to arrive), so "
                 "there is no single graph",
                 kInstead));
  return {};
}

/// Of collectives, too, whose messages are not in the program.
bool same_limits(const Platform& a, const Platform& b) {
  if (a.mpi.rendezvous_from != b.mpi.rendezvous_from) return false;
  for (std::size_t m = 0; m < a.machines.size(); ++m)
    for (std::size_t n = 0; n < a.machines[m].nodes.size(); ++n)
      if (a.machines[m].nodes[n].intra_node.rendezvous_from !=
          b.machines[m].nodes[n].intra_node.rendezvous_from)
        return false;
  return true;
}

bool same_protocol(const Program& program, const CostPolicy& a, const CostPolicy& b) {
  if (a.sends_complete_at_transfer() != b.sends_complete_at_transfer()) return false;
  for (const auto& strand : program.strands())
    for (const auto& op : program.operations(strand)) {
      const bool sends = op.kind == OpKind::send || op.kind == OpKind::isend;
      if (sends && a.is_rendezvous(RankId{strand.rank}, op) != b.is_rendezvous(RankId{strand.rank}, op))
        return false;
    }
  return true;
}

CollectivePlan plan_of(const Program& program, const CostPolicy& costs) {
  if (!costs.names_algorithms()) return {};
  return {program, [&](CollectiveKind kind, CommunicatorId communicator, std::uint64_t bytes,
                       bool nonblocking) { return costs.algorithm(kind, communicator, bytes, nonblocking); }};
}

bool same_algorithms(const CollectivePlan& a, const CollectivePlan& b) {
  if (a.collectives() != b.collectives()) return false;
  for (std::uint32_t i = 0; i < a.collectives(); ++i)
    if (a[i].schedule != b[i].schedule) return false;
  return true;
}

/// Whether a non-blocking collective is an algorithm: it advances when its node has a CPU for it.
bool has_algorithm_beside_work(const Program& program, const CollectivePlan& plan) {
  if (plan.empty()) return false;
  for (const auto& strand : program.strands()) {
    std::map<std::uint32_t, std::uint32_t> calls;  // by communicator
    for (const auto& op : program.operations(strand)) {
      if (op.kind != OpKind::collective && op.kind != OpKind::collective_start) continue;
      const auto communicator = program.collectives()[op.detail].communicator;
      const auto index = plan.index(CommunicatorId{communicator}, calls[communicator]++);
      if (op.kind == OpKind::collective_start && plan[index].schedule != nullptr) return true;
    }
  }
  return false;
}

}  // namespace

std::int64_t RunTimeCurve::at(std::int64_t part, std::int64_t whole) const {
  const auto t = static_cast<double>(part) / static_cast<double>(whole);
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), t, [](double x, const Piece& p) { return x < p.from; });
  // A breakpoint is only known to the precision of a double, so its neighbouring pieces also count. The curve
  // is the highest line.
  const auto place = std::max<std::ptrdiff_t>(after - pieces.begin() - 1, 0);
  const auto last = static_cast<std::ptrdiff_t>(pieces.size()) - 1;
  std::int64_t most = 0;
  for (auto i = std::max<std::ptrdiff_t>(place - 1, 0); i <= std::min(place + 1, last); ++i)
    most = std::max(most, pieces[static_cast<std::size_t>(i)].line.at(part, whole));
  return most;
}

double RunTimeCurve::within(double most) const {
  double reached = -1;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& line = pieces[i].line;
    if (line.at(pieces[i].from) > most) break;
    const double end = i + 1 < pieces.size() ? pieces[i + 1].from : 1;
    reached = line.at(end) <= most || line.rise == 0
                  ? end
                  : std::clamp((most - static_cast<double>(line.start)) / static_cast<double>(line.rise),
                               pieces[i].from, end);
  }
  return reached;
}

Expected<RunTimeCurve> run_time_curve(const Program& program, const CurveEnd& from, const CurveEnd& to,
                                      const std::function<bool(double)>& progress) {
  for (const auto* end : {&from, &to})
    if (auto fits = check_end(program, *end); !fits) return tl::unexpected(std::move(fits.error()));
  if (from.machine.rank_node != to.machine.rank_node)
    return tl::unexpected(no_curve("the two ends place ranks on different nodes", ""));
  const DimemasCosts from_costs(from.platform, from.machine, Contention::ignored);
  const DimemasCosts to_costs(to.platform, to.machine, Contention::ignored);
  const UncontendedNetwork from_network(from_costs, program), to_network(to_costs, program);
  if (!same_protocol(program, from_network, to_network) || !same_limits(from.platform, to.platform))
    return tl::unexpected(no_curve("the two ends do not agree which messages wait for their receive", ""));
  const auto plan = plan_of(program, from_network);
  if (!same_algorithms(plan, plan_of(program, to_network)))
    return tl::unexpected(no_curve("the two ends do not agree on the algorithms of collectives", ""));
  if (has_algorithm_beside_work(program, plan))
    return tl::unexpected(no_curve(
        "non-blocking collectives that are algorithms advance when a CPU has time for them, so the order of "
        "this workload's operations depends on time",
        fmt::format("--set /mpi/collectives/preset=dimemas takes closed forms instead; or {}", kInstead)));

  PicosecondClock from_clock(from_network, from.machine, program), to_clock(to_network, to.machine, program);
  LineClock clock(from_clock, to_clock);
  NullObserver observer;
  Dataflow<LineClock, NullObserver> dataflow(program, from.machine, clock, observer,
                                             plan.empty() ? nullptr : &plan);
  RunTimeCurve curve;
  const auto status = dataflow.run(progress);
  if (status == Result::Status::interrupted) return curve;
  if (status == Result::Status::clock_overflow)
    return tl::unexpected(no_curve("the run is longer than the clock can count (106 days)", ""));
  if (status == Result::Status::deadlock)
    return tl::unexpected(
        no_curve("the run cannot complete", "busline simulate shows which ranks wait for which"));

  LineClock::Instant end;
  for (const auto i : ids<StrandId>(program.strands().size())) end = clock.later(end, dataflow.now(i));
  const auto& graph = clock.graph();
  curve.pieces = pieces_of(
      [&](double t, Side side) {
        ++curve.passes;
        return graph.evaluate(end, t,
                              side == Side::right ? MaxPlusGraph::Tie::steep : MaxPlusGraph::Tie::flat);
      },
      [&](std::size_t) { return !progress || progress(1); });
  curve.nodes = graph.nodes();
  curve.bytes = graph.bytes();
  return curve;
}

}  // namespace busline
