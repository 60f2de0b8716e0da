#include "platforms/topology/link_flow.hpp"

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <limits>
#include <utility>

namespace busline {
namespace {

using FlowGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
using Arc = FlowGraph::edge_descriptor;

// More than all links together can carry.
constexpr std::int64_t kWithoutLimit = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

// Vertices: the switches, a source and a sink, which are joined to every switch by arcs that a query opens.
// Each arc has a reverse arc; the two arcs of a link are each other's.
struct LinkFlow::Network {
  std::uint32_t switches;
  FlowGraph graph;
  std::vector<std::int64_t> capacity, residual;
  std::vector<Arc> reverse, predecessor;
  std::vector<boost::default_color_type> colour;
  std::vector<std::int64_t> distance;

  std::uint32_t source() const { return switches; }
  std::uint32_t sink() const { return switches + 1; }
  std::int64_t run(std::uint32_t from, std::uint32_t to) {
    const auto edge_index = boost::get(boost::edge_index, graph);
    const auto vertex_index = boost::get(boost::vertex_index, graph);
    const auto by_edge = [&](auto& values) {
      return boost::make_iterator_property_map(values.begin(), edge_index);
    };
    const auto by_vertex = [&](auto& values) {
      return boost::make_iterator_property_map(values.begin(), vertex_index);
    };
    return boost::boykov_kolmogorov_max_flow(graph, by_edge(capacity), by_edge(residual), by_edge(reverse),
                                             by_vertex(predecessor), by_vertex(colour), by_vertex(distance),
                                             vertex_index, from, to);
  }
  // The arcs between switch s and source or sink: the last two of the switch, one each of source and sink.
  std::size_t from_source(std::uint32_t s) const { return first_of_source + s; }
  std::size_t to_sink(std::uint32_t s) const { return last_of[s] - 1; }

  std::size_t first_of_source = 0;
  std::vector<std::size_t> last_of;
};

LinkFlow::LinkFlow(const Topology& topology, std::span<const std::int64_t> capacity)
    : network_(std::make_unique<Network>()) {
  auto& n = *network_;
  const auto switches = topology.switches();
  n.switches = switches;
  const auto arcs = 2 * std::size_t{topology.links()} + 4 * std::size_t{switches};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  ends.reserve(arcs);
  n.capacity.reserve(arcs);
  std::vector<std::size_t> of_directed_link(2 * std::size_t{topology.links()});
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (const auto& port : topology.ports(s)) {
      of_directed_link[port.directed_link] = ends.size();
      ends.emplace_back(s, port.neighbour);
      n.capacity.push_back(capacity.empty() ? 1 : capacity[port.directed_link / 2]);
    }
    ends.emplace_back(s, n.source());
    ends.emplace_back(s, n.sink());
    n.capacity.insert(n.capacity.end(), 2, 0);
    n.last_of.push_back(ends.size());
  }
  n.first_of_source = ends.size();
  for (const auto terminal : {n.source(), n.sink()})
    for (std::uint32_t s = 0; s < switches; ++s) ends.emplace_back(terminal, s);
  n.capacity.resize(ends.size(), 0);

  n.reverse.resize(ends.size());
  const auto pair = [&](std::size_t a, std::size_t b) {
    n.reverse[a] = Arc(ends[b].first, static_cast<std::uint32_t>(b));
    n.reverse[b] = Arc(ends[a].first, static_cast<std::uint32_t>(a));
  };
  for (std::size_t link = 0; link < topology.links(); ++link)
    pair(of_directed_link[2 * link], of_directed_link[2 * link + 1]);
  for (std::uint32_t s = 0; s < switches; ++s) {
    pair(n.last_of[s] - 2, n.first_of_source + s);
    pair(n.last_of[s] - 1, n.first_of_source + switches + s);
  }
  n.graph = FlowGraph(boost::edges_are_sorted, ends.begin(), ends.end(), switches + 2,
                      static_cast<std::uint32_t>(ends.size()));
  n.residual.resize(ends.size());
  n.predecessor.resize(std::size_t{switches} + 2);
  n.colour.resize(std::size_t{switches} + 2);
  n.distance.resize(std::size_t{switches} + 2);
}

LinkFlow::~LinkFlow() = default;

std::int64_t LinkFlow::between(std::span<const CutSide> sides) {
  auto& n = *network_;
  const auto open = [&](std::int64_t how_far) {
    for (std::uint32_t s = 0; s < n.switches; ++s) {
      if (sides[s] == CutSide::first) n.capacity[n.from_source(s)] = how_far;
      if (sides[s] == CutSide::second) n.capacity[n.to_sink(s)] = how_far;
    }
  };
  open(kWithoutLimit);
  const auto flow = n.run(n.source(), n.sink());
  open(0);
  return flow;
}

std::int64_t LinkFlow::between(std::uint32_t from, std::uint32_t to) {
  return network_->run(from, to);
}

}  // namespace busline
