#include "tests/fuzz/quantities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "documents/fields/document.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/dimemas/dimemas_cfg.hpp"
#include "platforms/mapping.hpp"
#include "platforms/topology/short_text.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "sim/base/quantity.hpp"
#include "sim/program/call_ref.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/fuzz/networks.hpp"
#include "validation/simulated/textbook.hpp"

namespace busline::fuzz {
namespace {

// to_text(Duration) promises no more than doubles hold.
constexpr std::int64_t kExactPicoseconds = std::int64_t{1} << 53;

bool is_exact(Duration d) {
  return std::abs(d.count()) <= kExactPicoseconds;
}
bool is_exact(Bandwidth) {
  return true;
}
bool is_exact(Bytes) {
  return true;
}

template <class T>
std::string fault_in(std::string_view text, Parsed<T> (*parse)(std::string_view)) {
  const auto value = parse(text);
  if (!value) {
    const auto& e = value.error();
    if (e.reason.empty()) return "an error without a reason";
    if (e.column < 1 || e.column > text.size() + 1)
      return fmt::format("column {} of {} characters: {}", e.column, text.size(), e.reason);
    return {};
  }
  const auto written = to_text(*value);
  const auto again = parse(written);
  if (!again) return fmt::format("'{}' is written as '{}', which cannot be read", text, written);
  if (is_exact(*value) && *again != *value) return fmt::format("'{}' is written as '{}'", text, written);
  return {};
}

template <class T>
std::string fault_in_option(std::string_view text, Expected<T> (*parse)(std::string_view, std::string_view)) {
  const auto value = parse(text, "--option");
  if (value) return {};
  return value.error().message.empty() ? "an error without a message" : std::string();
}

}  // namespace

std::string fault_in_quantity(std::string_view text) {
  for (auto fault :
       {fault_in(text, parse_duration), fault_in(text, parse_bandwidth), fault_in(text, parse_bytes),
        fault_in_option(text, parse_dimemas_size), fault_in_option(text, parse_dimemas_bandwidth),
        fault_in_option(text, parse_dimemas_latency)})
    if (!fault.empty()) return fault;
  if (const auto share = parse_share(text); share && !(std::isfinite(*share) && *share >= 0))
    return fmt::format("'{}' is the share {}", text, *share);
  if (const auto call = parse_call_ref(text)) {
    if (call->number == 0) return fmt::format("'{}' is call 0", text);
    if (parse_call_ref(to_text(*call)) != call)
      return fmt::format("'{}' is written as '{}'", text, to_text(*call));
  }
  return {};
}

std::string fault_in_mapping(std::string_view text) {
  const auto mapping = parse_mapping(text);
  if (!mapping) return fault_in_error(mapping.error(), {});
  auto platform = textbook::machine(4, 2);
  platform.mapping = *mapping;
  const auto document = to_json_text(platform);
  const auto again = parse_platform(document, kInput);
  if (!again) return fault_in_error(again.error(), document);  // a node that there is not
  if (!(again->mapping == *mapping)) return "its document says something else";
  if (const auto placed = place_ranks(platform, 6)) {
    if (placed->rank_node.size() != 6) return fmt::format("{} ranks placed of 6", placed->rank_node.size());
    for (const auto node : placed->rank_node)
      if (!placed->nodes.has(node)) return fmt::format("node {} of {}", raw(node), placed->nodes.size());
    return {};
  } else {
    return fault_in_error(placed.error(), {});
  }
}

std::string fault_in_short_topology(std::string_view text) {
  if (!is_short_topology(text)) return {};
  auto described = parse_short_topology(text);
  if (!described) return fault_in_error(described.error(), {});
  return fault_in_described_network(Document::of(*std::move(described), kInput), text);
}

std::string fault_in_set(std::string_view text) {
  static const auto text_of_platform = to_json_text(textbook::machine(4, 2));
  static const auto whole = Document::parse(text_of_platform, kInput);
  auto document = whole.value();
  if (const auto done = apply_set(document, text); !done) return fault_in_error(done.error(), {});
  const auto platform = parse_platform(document);
  if (!platform) return fault_in_error(platform.error(), text_of_platform);
  return fault_in_round_trip(
      to_json_text(*platform), [](std::string t) { return parse_platform(t, kInput); },
      [](const Platform& p) { return to_json_text(p); });
}

}  // namespace busline::fuzz
