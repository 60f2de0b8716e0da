#include "platforms/description/mapping_text.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

tl::unexpected<Error> refuse_text(std::string message) {
  return refuse_option("--mapping", std::move(message),
                       "one of fill, round-robin, per-node:K, or the node of each rank as in 0,0,1,1");
}

}  // namespace

Expected<Mapping> parse_mapping(std::string_view text) {
  constexpr std::string_view kPerNode = "per-node:";
  Mapping m;
  if (text == "fill") return m;
  if (text == "round-robin") {
    m.kind = Mapping::Kind::round_robin;
    return m;
  }
  if (text.starts_with(kPerNode)) {
    const auto k = whole_number<std::uint32_t>(text.substr(kPerNode.size()));
    if (!k || *k == 0)
      return refuse_text(fmt::format("'{}': expected a number of ranks after 'per-node:'", text));
    m.kind = Mapping::Kind::per_node;
    m.per_node = *k;
    return m;
  }
  m.kind = Mapping::Kind::nodes;
  for (const auto part : split(text, ',')) {
    const auto node = whole_number<std::uint32_t>(part);
    if (!node) return refuse_text(fmt::format("'{}' is not a mapping", text));
    m.nodes.push_back(*node);
  }
  return m;
}

}  // namespace busline
