#include "cli/topology_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "platforms/load_topology.hpp"
#include "platforms/topology/figures.hpp"
#include "sim/base/quantity.hpp"
#include "studies/machines/network_traffic_report.hpp"

namespace busline::cli {
namespace {

struct TopologyTrafficArguments {
  std::string topology, pattern = "permutation", size = "1MiB";
  std::vector<std::string> sets;
  std::uint32_t messages = 8, seeds = 3;
  std::uint64_t seed = 1;
};

// For a network without bandwidths in its links or a platform. Ratios do not depend on it.
const auto kAnyBandwidth = Bandwidth::bytes_per_second(1e10);

Bandwidth bandwidth_of(const LoadedTopology& loaded) {
  if (loaded.of_network) return *loaded.of_network;
  const auto& kinds = loaded.topology.figures();
  const bool some =
      std::any_of(kinds.begin(), kinds.end(), [](const LinkFigures& f) { return f.bandwidth.has_value(); });
  return some ? Bandwidth::unlimited() : kAnyBandwidth;
}

Expected<Traffic> traffic_of(const TopologyTrafficArguments& options, const Topology& topology) {
  Traffic t;
  for (const auto& [name, pattern] : kTrafficNames)
    if (name == options.pattern) t.pattern = pattern;
  const auto size = parse_bytes(options.size);
  if (!size || *size == Bytes{0})
    return refuse_option(
        "--size",
        fmt::format("{}: {}", options.size, size ? "expected one byte or more" : size.error().reason),
        "such as 1MiB");
  if (topology.hosts() < 2)
    return refuse_option(options.topology, "the network has one host, expected two or more", "more hosts");
  t.size = *size;
  t.ranks = topology.hosts();
  t.messages = options.messages;
  t.seed = options.seed;
  return t;
}

Expected<Exit> run_topology_traffic(const TopologyTrafficArguments& options, const Invocation& invocation) {
  const auto loaded = load_topology(options.topology, options.sets);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto traffic = traffic_of(options, loaded->topology);
  if (!traffic) return tl::unexpected(traffic.error());
  const auto figures = figures_of(loaded->topology);
  if (!figures) return tl::unexpected(figures.error());
  NetworkTrafficReport report;
  report.name = options.topology;
  report.routing = loaded->description.routing;
  report.traffic = *traffic;
  report.equivalent = bus_equivalent(loaded->topology, *figures, bandwidth_of(*loaded));
  if (report.equivalent.message.is_unlimited())
    return refuse_option(options.topology, "no link has a bandwidth, so nothing takes time",
                         "--set /link/bandwidth=100Gbps");
  ProgressBar bar(!invocation.quiet, "simulating");
  auto seeds = compare::compare_traffic(loaded->description, report.equivalent, *traffic, options.seeds,
                                        [&bar](double share) {
                                          bar.show(share);
                                          return !interrupted();
                                        });
  if (!seeds) return tl::unexpected(std::move(seeds.error()));
  if (const auto stopped = interrupt_exit()) return *stopped;
  report.seeds = *std::move(seeds);
  if (invocation.json)
    print_document(
        to_json(report), invocation,
        loaded->from_file ? std::vector<std::string>{options.topology} : std::vector<std::string>{});
  else
    fmt::print("{}", to_text(report));
  return kDone;
}

}  // namespace

void add_topology_arguments(CLI::App& app, std::string& topology, std::vector<std::string>& sets) {
  app.add_option("TOPOLOGY", topology,
                 "A short form such as torus:8x8x16, a .json description or platform, or a graph file")
      ->type_name("")
      ->required();
  app.add_option("--set", sets, "Change a member of the description, such as /routing=ecmp; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
}

Command add_topology_traffic(CLI::App& topology, Invocation& invocation) {
  auto* app = new_command(topology, invocation, "traffic",
                          "Compare traffic over the links with traffic over the equivalent buses",
                          {"busline topology traffic torus:8x8x8 --pattern random",
                           "busline topology traffic dragonfly:groups=9,routers=4,global=2,hosts=2 --set "
                           "/routing=valiant --pattern bisection"});
  const auto options = std::make_shared<TopologyTrafficArguments>();
  add_topology_arguments(*app, options->topology, options->sets);
  std::vector<std::string> patterns;
  for (const auto& [name, pattern] : kTrafficNames) patterns.emplace_back(name);
  app->add_option("--pattern", options->pattern, "Communication pattern")
      ->check(CLI::IsMember(patterns))
      ->capture_default_str();
  app->add_option("--size", options->size, "Message size")->type_name("SIZE")->capture_default_str();
  app->add_option("--messages", options->messages, "Messages that each host sends, one after the other")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  app->add_option("--seeds", options->seeds, "Number of random traffic patterns")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "The first seed")->capture_default_str();
  return {app, [options, &invocation] { return run_topology_traffic(*options, invocation); }};
}

}  // namespace busline::cli
