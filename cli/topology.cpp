// busline topology: a network of switches, its figures, its picture (docs/reference/topology.md).
#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/topology_traffic.hpp"
#include "documents/command_line/option_values.hpp"
#include "platforms/load_topology.hpp"
#include "studies/machines/topology_drawing.hpp"
#include "studies/machines/topology_report.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

struct TopologyArguments {
  std::string topology, way, output;
  std::vector<std::string> sets;
};

std::vector<std::string> inputs(const TopologyArguments& options, const LoadedTopology& loaded) {
  if (!loaded.from_file) return {};
  return {options.topology};
}

// "0,5" or "0,5,17": two hosts and a hash.
Expected<WayOfMessage> way_of(const std::string& text, const LoadedTopology& loaded) {
  const auto first = text.find(',');
  const auto second = first == std::string::npos ? first : text.find(',', first + 1);
  const auto from = whole_number<std::uint32_t>(text.substr(0, first));
  const auto to = first == std::string::npos
                      ? std::nullopt
                      : whole_number<std::uint32_t>(text.substr(first + 1, second - first - 1));
  const auto hash = second == std::string::npos ? std::optional<std::uint64_t>(0)
                                                : whole_number<std::uint64_t>(text.substr(second + 1));
  if (!from || !to || !hash)
    return refuse_option("--way", fmt::format("'{}', expected two hosts and optionally a hash", text),
                         "such as 0,5 or 0,5,17");
  return way_of_message(loaded, *from, *to, *hash);
}

Expected<Exit> show_topology(const TopologyArguments& options, const LoadedTopology& loaded,
                             const Invocation& invocation) {
  std::optional<WayOfMessage> way;
  if (!options.way.empty()) {
    auto found = way_of(options.way, loaded);
    if (!found) return tl::unexpected(std::move(found.error()));
    way = *std::move(found);
  }
  if (invocation.json)
    print_document(topology_json(options.topology, loaded, way), invocation, inputs(options, loaded));
  else
    fmt::print("{}", topology_text(options.topology, loaded, way));
  return kDone;
}

Expected<Exit> figures(const TopologyArguments& options, const LoadedTopology& loaded,
                       const Invocation& invocation) {
  const auto found = figures_of(loaded.topology);
  if (!found) return tl::unexpected(found.error());
  const auto buses =
      bus_equivalent(loaded.topology, *found, loaded.of_network.value_or(Bandwidth::unlimited()));
  if (invocation.json)
    print_document(figures_json({options.topology, *found, buses}), invocation, inputs(options, loaded));
  else
    fmt::print("{}", figures_text(options.topology, *found, buses));
  return kDone;
}

Expected<Exit> draw(const TopologyArguments& options, const LoadedTopology& loaded,
                    const Invocation& invocation) {
  const auto svg = drawing_of(loaded.topology, options.topology);
  if (!svg) return tl::unexpected(svg.error());
  const bool to_stdout = options.output == "-";
  if (!to_stdout)
    if (auto written = write_file(options.output, *svg); !written)
      return tl::unexpected(std::move(written.error()));
  if (invocation.json)
    print_document(
        {{"schema", "busline/topology-drawing/1"}, {"name", options.topology}, {"file", options.output}},
        invocation, inputs(options, loaded));
  else if (to_stdout)
    fmt::print("{}", *svg);
  else if (!invocation.quiet)
    fmt::print("{}: {} switches\n", options.output, loaded.topology.switches());
  return kDone;
}

using Run = Expected<Exit> (*)(const TopologyArguments&, const LoadedTopology&, const Invocation&);

// One of the three, with what all have.
Command add_kind(CLI::App& topology, Invocation& invocation, const std::string& name,
                 const std::string& description, const std::vector<std::string>& examples, Run run,
                 const std::shared_ptr<TopologyArguments>& options) {
  auto* app = new_command(topology, invocation, name, description, examples);
  add_topology_arguments(*app, options->topology, options->sets);
  return {app, [options, &invocation, run]() -> Expected<Exit> {
            const auto loaded = load_topology(options->topology, options->sets);
            if (!loaded) return tl::unexpected(loaded.error());
            return run(*options, *loaded, invocation);
          }};
}

}  // namespace

Command add_topology(CLI::App& program, Invocation& invocation) {
  auto* app = program.add_subcommand("topology", "Show a switched network: links, figures, picture");
  app->footer("docs/reference/topology.md lists the network families and their parameters.");
  std::vector<Command> kinds;
  auto options = std::make_shared<TopologyArguments>();
  kinds.push_back(add_kind(*app, invocation, "show",
                           "Show how Busline reads a network, and the route of a message",
                           {"busline topology show torus:8x8x16 --way 0,5",
                            "busline topology show fat-tree:k=16 --set /routing=ecmp --way 0,1023,7"},
                           show_topology, options));
  kinds.back()
      .app
      ->add_option("--way", options->way, "Show the route between two hosts; a hash chooses among several")
      ->type_name("FROM,TO[,HASH]");
  kinds.push_back(add_kind(*app, invocation, "figures",
                           "Show diameter, bisection and other metrics, and the equivalent number of buses",
                           {"busline topology figures dragonfly:groups=33,routers=8,global=4,hosts=4",
                            "busline topology figures cluster.json"},
                           figures, std::make_shared<TopologyArguments>()));
  options = std::make_shared<TopologyArguments>();
  kinds.push_back(add_kind(*app, invocation, "draw", "Draw a small network as SVG",
                           {"busline topology draw fat-tree:k=4 -o tree.svg"}, draw, options));
  kinds.back()
      .app->add_option("-o,--output", options->output, "SVG file to write; - for standard output")
      ->type_name("FILE")
      ->required();
  kinds.push_back(add_topology_traffic(*app, invocation));
  return one_of(app, std::move(kinds));
}

}  // namespace busline::cli
