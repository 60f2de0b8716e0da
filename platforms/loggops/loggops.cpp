#include "platforms/loggops/loggops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

constexpr std::string_view kLogGopsNames = "LogGOS";
constexpr double kMostLogGopsInt = std::numeric_limits<std::int32_t>::max();  // LogGOPSim's type of all but S
constexpr std::uint32_t kNodesWithoutNumber = 65536;  // the parameters do not say how many there are

/// Words of a line; calls `take` with each.
template <class Take>
void for_each_word(std::string_view line, const Take& take) {
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty()) return;
    const auto end = std::min(line.find_first_of(" \t\r"), line.size());
    take(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::size_t> parameter_of(std::string_view word) {
  if (word.size() != 2 || word[0] != '-') return std::nullopt;
  const auto at = kLogGopsNames.find(word[1]);
  return at == kLogGopsNames.npos ? std::nullopt : std::optional(at);
}

/// By the place of their names; LogGOPSim's defaults, in ns.
struct LogGopsValues {
  std::array<double, kLogGopsNames.size()> values{2500, 1500, 1000, 6, 0, 65535};
  double of(char name) const { return values[kLogGopsNames.find(name)]; }
};

void tell_loggops(Diagnostics& diagnostics, const char* code, std::string message) {
  diagnostics.push_back({Diagnostic::Severity::warning, code, std::move(message)});
}

}  // namespace

bool is_loggops(std::string_view text) {
  for (const auto line : split(text, '\n')) {
    if (line.starts_with('#')) continue;
    std::optional<std::string_view> first;
    for_each_word(line, [&](std::string_view word) { first = first.value_or(word); });
    if (first) return parameter_of(*first).has_value();
  }
  return false;
}

Expected<Platform> parse_loggops(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  LogGopsValues read;
  Duration unit = Duration::picoseconds(1000);
  std::optional<Error> error;
  std::optional<std::size_t> parameter;
  std::uint64_t number = 0;
  const auto fail = [&](std::string message) {
    if (error) return;
    error = file_error(Error::Kind::bad_input, path, std::move(message));
    error->line = number;
  };
  for (const auto line : split(text, '\n')) {
    ++number;
    constexpr std::string_view kUnit = "# unit ";
    if (line.starts_with(kUnit)) {
      const auto value =
          parse_duration(line.substr(kUnit.size(), line.find_last_not_of(" \t\r") + 1 - kUnit.size()));
      if (value && *value > Duration())
        unit = *value;
      else
        fail("expected a unit of time, as in # unit 1ps");
    }
    if (line.starts_with('#')) continue;
    for_each_word(line, [&](std::string_view word) {
      if (!parameter) {
        parameter = parameter_of(word);
        if (!parameter) fail("expected -L, -o, -g, -G, -O or -S and a number");
        return;
      }
      const auto value = decimal_number(word);
      if (!value || !(*value >= 0 && *value <= 1e15))
        fail(fmt::format("expected a number from 0 on after -{}", kLogGopsNames[*parameter]));
      else
        read.values[*parameter] = *value;
      parameter.reset();
    });
  }
  if (parameter) fail(fmt::format("expected a number after -{}", kLogGopsNames[*parameter]));
  if (error) return tl::unexpected(std::move(*error));

  const auto time = [&](double units) { return Duration::from_double(units * double(unit.count())); };
  const auto o = time(read.of('o')), gap_per_byte = time(read.of('G'));
  NodeGroup nodes;
  nodes.count = kNodesWithoutNumber;
  nodes.links = {Links::Kind::full_duplex, 1, 1};
  nodes.overheads = {o, o};
  Network network;
  network.latency_at = Network::LatencyAt::flight;
  // An early receiver has paid o when the message comes, and S bytes take S G: 2 o + L + (S - 1) G in all.
  const auto latency = time(read.of('L')) + o - gap_per_byte;
  network.latency = std::max(latency, Duration());
  if (latency < Duration())
    tell_loggops(diagnostics, "loggops-latency", "L + o is less than G, so messages take longer by the rest");
  if (read.of('G') > 0)
    network.bandwidth = Bandwidth::bytes_per_second(1e12 / (read.of('G') * double(unit.count())));
  nodes.intra_node.latency = network.latency;
  nodes.intra_node.bandwidth = network.bandwidth;
  if (read.of('O') > 0)
    tell_loggops(diagnostics, "loggops-O", "-O, the CPU time of a byte, has no counterpart and is left out");
  if (read.of('g') > std::max(read.of('o'), read.of('G')))
    tell_loggops(
        diagnostics, "loggops-g",
        "-g is more than o and G: the gap between messages of a node is that of its link, G for each byte");
  Platform platform;
  platform.name = "LogGOPS";
  platform.description = "Parameters of LogGOPSim, with more nodes than most jobs have ranks";
  platform.machines.push_back({"machine", {nodes}, network, {}});
  platform.mpi.rendezvous_from = Bytes{static_cast<std::uint64_t>(read.of('S')) + 1};
  platform.mpi.collectives.preset = CollectivePreset::mpich;
  return platform;
}

Expected<std::string> to_loggops_text(const Platform& platform, Duration unit, Diagnostics& diagnostics) {
  const auto refuse = [](std::string message, std::string hint = {}) {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.message = std::move(message);
    e.hint = std::move(hint);
    return tl::unexpected(std::move(e));
  };
  if (platform.machines.size() != 1 || platform.machines[0].nodes.size() != 1)
    return refuse("LogGOPS parameters describe equal nodes of one machine",
                  "choose one of the groups of nodes and remove the others");
  const auto& nodes = platform.machines[0].nodes[0];
  const auto& network = platform.machines[0].network;
  const auto latency = nodes.latency.value_or(network.latency);
  const bool on_cpu = network.latency_at == Network::LatencyAt::cpu;
  const double rate = network.bandwidth.in_bytes_per_second();
  const double byte = std::isinf(rate) ? 0 : 1e12 / rate;  // ps
  // A message of one byte or more takes 2 o + L + (S - 1) G there, and sender + flight + S / BW here.
  const double sender = double(nodes.overheads.send.count()) + (on_cpu ? double(latency.count()) : 0);
  const double fixed = sender + (on_cpu ? 0 : double(latency.count())) + byte;
  const double o = std::min(sender, fixed / 2);
  const double l = fixed - 2 * o;
  std::vector<std::string> left_out;
  if (o < sender)
    left_out.push_back("half of what a sender pays on its CPU (LogGOPSim charges o at both ends)");
  if (nodes.cpus > 1) left_out.push_back("messages inside a node, which cost what others cost");
  if (network.buses != kUnlimited) left_out.push_back("buses");
  if (network.topology) left_out.push_back("the topology");
  if (!network.size_classes.empty()) left_out.push_back("size classes");
  if (platform.mpi.handshake > Duration()) left_out.push_back("the handshake of a rendezvous");
  if (nodes.relative_speed != 1) left_out.push_back("the relative speed of CPUs");
  if (!left_out.empty())
    tell_loggops(diagnostics, "not-in-loggops",
                 fmt::format("LogGOPS parameters do not say: {}", fmt::join(left_out, "; ")));

  std::string text = fmt::format(
      "# LogGOPS parameters of {}, for the command line of LogGOPSim; a schedule must have the same unit.\n# "
      "unit "
      "{}\n",
      platform.name, to_text(unit));
  for (const auto& [name, ps] : {std::pair{'L', l}, std::pair{'o', o}, std::pair{'g', byte},
                                 std::pair{'G', byte}, std::pair{'O', 0.0}}) {
    const auto units = std::round(ps / double(unit.count()));
    if (units > kMostLogGopsInt)
      return refuse(fmt::format("-{} is more than LogGOPSim can hold in units of {}", name, to_text(unit)),
                    "choose a larger unit with --goal-unit");
    if (name == 'G' && units == 0 && ps > 0)
      return refuse(fmt::format("-G is {:.6g} ns, which is 0 in units of {}: data would take no time",
                                ps / 1000, to_text(unit)),
                    "choose a smaller unit with --goal-unit, such as 1ps, also for the schedule");
    constexpr double kTolerance = 0.001;
    if (std::abs(units * double(unit.count()) - ps) > kTolerance * ps)
      tell_loggops(
          diagnostics, "loggops-rounded",
          fmt::format("-{} is rounded from {:.6g} to {} of {}; a smaller unit may be chosen with --goal-unit",
                      name, ps / double(unit.count()), units, to_text(unit)));
    text += fmt::format("-{} {}{}", name, units, name == 'O' ? "" : " ");
  }
  // -S is the largest eager message.
  constexpr std::uint64_t kNever = 0x7fff'ffff;
  const auto from = platform.mpi.rendezvous_from ? count(*platform.mpi.rendezvous_from) : kNever + 1;
  text += fmt::format(" -S {}\n", std::min(from == 0 ? 0 : from - 1, kNever));
  return text;
}

}  // namespace busline
