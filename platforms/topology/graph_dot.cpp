// DOT, the language of Graphviz, read by Boost.Graph where its library is installed.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "documents/fields/printable.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/graph_parts.hpp"

#ifdef BUSLINE_HAS_BOOST_GRAPH
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>

namespace busline {
namespace {

struct Vertex {
  std::string name, hosts, type;
};
struct Edge {
  std::string latency, bandwidth, count;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Vertex, Edge>;

// Boost's reader recurses for each subgraph and list.
constexpr std::size_t kDeepest = 64;
bool too_deep(const std::string& text) {
  std::size_t depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '{' || c == '[' || c == '<') deepest = std::max(deepest, ++depth);
    if ((c == '}' || c == ']' || c == '>') && depth > 0) --depth;
  }
  return deepest > kDeepest;
}

Expected<void> add_all(GraphParts& parts, const Graph& graph) {
  for (const auto v : boost::make_iterator_range(boost::vertices(graph))) {
    if (auto added = parts.add_node(graph[v].name, {}); !added) return added;
    if (auto set = parts.set_node("type", graph[v].type); !set) return set;
    if (!graph[v].hosts.empty())
      if (auto set = parts.set_node("hosts", graph[v].hosts); !set) return set;
  }
  for (const auto e : boost::make_iterator_range(boost::edges(graph))) {
    const auto& edge = graph[e];
    const auto &a = graph[boost::source(e, graph)].name, &b = graph[boost::target(e, graph)].name;
    if (auto added = parts.add_edge(a, b, {}); !added) return added;
    for (const auto& [name, value] :
         {std::pair{"latency", &edge.latency}, std::pair{"bandwidth", &edge.bandwidth},
          std::pair{"count", &edge.count}})
      if (!value->empty())
        if (auto set = parts.set_edge(name, *value); !set) return set;
  }
  return {};
}

}  // namespace

bool can_read_dot() {
  return true;
}

Expected<void> read_dot(BuildingSite& site, const std::string& path, const std::string& text) {
  GraphParts parts(path, text);
  if (too_deep(text))
    return tl::unexpected(parts.error({}, fmt::format("nesting is deeper than {} levels", kDeepest)));
  Graph graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("node_id", boost::get(&Vertex::name, graph));
  properties.property("hosts", boost::get(&Vertex::hosts, graph));
  properties.property("type", boost::get(&Vertex::type, graph));
  properties.property("latency", boost::get(&Edge::latency, graph));
  properties.property("bandwidth", boost::get(&Edge::bandwidth, graph));
  properties.property("count", boost::get(&Edge::count, graph));
  try {
    boost::read_graphviz(text, graph, properties, "node_id");
  } catch (const boost::directed_graph_error&) {
    return tl::unexpected(
        parts.error({}, "the graph is directed, expected 'graph' and '--': links go both ways"));
  } catch (const std::exception& e) {
    return tl::unexpected(parts.error({}, fmt::format("DOT: {}", printable(e.what(), 200))));
  }
  if (auto added = add_all(parts, graph); !added) return added;
  return parts.build(site);
}

}  // namespace busline
#else
namespace busline {

bool can_read_dot() {
  return false;
}

Expected<void> read_dot(BuildingSite&, const std::string& path, const std::string& text) {
  auto e = GraphParts(path, text)
               .error({}, "this program was built without Boost.Graph's library, which reads DOT");
  e.kind = Error::Kind::unsupported;
  e.hint = "write the graph as GraphML";
  return tl::unexpected(std::move(e));
}

}  // namespace busline
#endif
