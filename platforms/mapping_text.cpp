#include "platforms/mapping_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace busline {
namespace {

tl::unexpected<Error> refuse(std::string message) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = "--mapping";
  e.message = std::move(message);
  e.hint = "one of fill, round-robin, per-node:K, or the node of each rank as in 0,0,1,1";
  return tl::unexpected(std::move(e));
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
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
    const auto k = whole_number(text.substr(kPerNode.size()));
    if (!k || *k == 0) return refuse(fmt::format("'{}': expected a number of ranks after 'per-node:'", text));
    m.kind = Mapping::Kind::per_node;
    m.per_node = *k;
    return m;
  }
  m.kind = Mapping::Kind::nodes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto comma = std::min(text.find(',', begin), text.size());
    const auto node = whole_number(text.substr(begin, comma - begin));
    if (!node) return refuse(fmt::format("'{}' is no mapping", text));
    m.nodes.push_back(*node);
    begin = comma + 1;
  }
  return m;
}

}  // namespace busline
