#include "studies/machines/explain_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "platforms/description/platform_json.hpp"
#include "sim/base/quantity.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "studies/machines/platform_text.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

// ---- text

std::string messages_text(const Explanation::Messages& all) {
  auto text = fmt::format("\nA single message, {}: T = sender's CPU + links and bus + flight\n", all.route);
  const auto right = [](const std::string& cell) { return fmt::format("{:>10}", cell); };
  TextTable table(
      {right("size"), "sender's CPU", "links and bus", "flight", "total", "receiver's", "protocol"},
      {10, 12, 14, 10, 12, 12, 0});
  table.align_left(6);
  for (const auto& m : all.by_size)
    table.add({right(to_text(m.size)), readable(m.cost.send_overhead), readable(m.cost.transfer),
               readable(m.cost.flight), readable(m.total), readable(m.cost.receive_overhead),
               name_of(m.protocol)});
  text += table.text();
  return text;
}

// "(10 us + 1 KiB / 100 MB/s) x 4", or nothing for a phase that does not exist.
std::string phase_text(const FanCost& fan) {
  if (fan.factor == 0) return "";
  if (fan.bytes == 0 || fan.bandwidth.is_unlimited())
    return fmt::format("{} x {}", to_text(fan.latency), fan.factor);
  return fmt::format("({} + {} / {}) x {}", to_text(fan.latency), to_text(Bytes{fan.bytes}),
                     readable(fan.bandwidth), fan.factor);
}

std::string formula_text(const CollectivePhases& phases) {
  const auto in = phase_text(phases.fan_in), out = phase_text(phases.fan_out);
  if (in.empty() || out.empty()) return in.empty() && out.empty() ? "no cost" : in + out;
  return fmt::format("{} + {}", in, out);
}

std::string algorithm_text(const Explanation::Collective& c) {
  const auto name = name_of(*c.algorithm);
  return c.total ? fmt::format("{}, {}", name, readable(c.messages, "message")) : std::string(name);
}

std::string collectives_text(const Platform& platform, const Explanation& e) {
  auto text =
      fmt::format("\nCollectives of {}{}, {} per peer: T = fan in + fan out\n", readable(e.ranks, "rank"),
                  e.one_rank_per_node ? ", one on each node" : "", to_text(e.collective_size));
  for (const auto& c : e.collectives)
    text += fmt::format("  {:<26}{:>12} = {}\n", name_of(c.kind), c.total ? readable(*c.total) : "-",
                        c.algorithm ? algorithm_text(c) : formula_text(c.phases));
  if (platform.preset == Preset::dimemas_5_5)
    text +=
        "  The time is the sum over network, nodes and WAN; the formula is that of the most expensive "
        "part.\n";
  return text;
}

// ---- JSON

ordered_json fan_json(const FanCost& fan) {
  ordered_json j{{"latency_ps", fan.latency.count()}};
  j["bandwidth"] = to_text(fan.bandwidth);
  j["bytes"] = fan.bytes;
  j["factor"] = fan.factor;
  j["time_ps"] = fan.time.count();
  return j;
}

}  // namespace

ordered_json to_json(const Platform& platform, const Explanation& e) {
  ordered_json messages = ordered_json::array(), collectives = ordered_json::array();
  for (const auto& all : e.messages)
    for (const auto& m : all.by_size)
      messages.push_back({{"route", all.route},
                          {"bytes", count(m.size)},
                          {"protocol", name_of(m.protocol)},
                          {"send_overhead_ps", m.cost.send_overhead.count()},
                          {"transfer_ps", m.cost.transfer.count()},
                          {"flight_ps", m.cost.flight.count()},
                          {"receive_overhead_ps", m.cost.receive_overhead.count()},
                          {"total_ps", m.total.count()}});
  for (const auto& c : e.collectives) {
    ordered_json j{{"name", name_of(c.kind)},
                   {"bytes", c.kind == CollectiveKind::barrier ? 0 : count(e.collective_size)}};
    if (c.algorithm) {
      j["algorithm"] = name_of(*c.algorithm);
      if (c.total) j["messages"] = c.messages;
    } else {
      j["fan_in"] = fan_json(c.phases.fan_in);
      j["fan_out"] = fan_json(c.phases.fan_out);
      j["flight_ps"] = c.phases.flight.count();
    }
    if (c.total) j["total_ps"] = c.total->count();
    collectives.push_back(std::move(j));
  }
  return {{"schema", "busline/explanation/1"},     {"platform", to_json(platform)},
          {"messages", std::move(messages)},       {"ranks", e.ranks},
          {"collectives", std::move(collectives)}, {"diagnostics", to_json(e.diagnostics)}};
}

std::string to_text(const Platform& platform, const Explanation& explanation) {
  auto text = platform_text(platform);
  for (const auto& all : explanation.messages) text += messages_text(all);
  text += collectives_text(platform, explanation);
  if (platform.calibration) text += '\n' + to_text(*platform.calibration);
  return text;
}

}  // namespace busline
