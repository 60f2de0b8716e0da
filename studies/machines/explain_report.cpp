#include "studies/machines/explain_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "documents/fields/names.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "documents/text/written.hpp"
#include "platforms/description/platform_fields.hpp"
#include "sim/base/quantity.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "studies/machines/platform_text.hpp"

namespace busline {
namespace {

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

constexpr Names<Protocol, 2> kProtocolNames{
    {{name_of(Protocol::eager), Protocol::eager}, {name_of(Protocol::rendezvous), Protocol::rendezvous}}};

}  // namespace

/// A message with its kind of route.
struct ExplainedMessage {
  std::string route;
  Explanation::Message message;
};

void describe(Fields& f, ExplainedMessage& e) {
  auto& m = e.message;
  f.required("route", e.route, "Such as 'inside a node', 'between nodes', 'between machines 0 and 1'.");
  f.required("bytes", Amount{count(m.size)}, "Of the message.");
  f.required("protocol", Choice<Protocol>{m.protocol, kProtocolNames},
             "rendezvous: a handshake comes before.");
  f.required("send_overhead_ps", TimeTaken{m.cost.send_overhead}, "CPU time of the sender.");
  f.required("transfer_ps", TimeTaken{m.cost.transfer}, "The time for which links and bus are occupied.");
  f.required("flight_ps", TimeTaken{m.cost.flight}, "After that, until the message arrives.");
  f.required("receive_overhead_ps", TimeTaken{m.cost.receive_overhead}, "CPU time of the receiver.");
  f.required(
      "total_ps", TimeTaken{m.total},
      "Until it arrives at a waiting receiver: sender's CPU, transfer and flight, and the handshake of a "
      "rendezvous.");
}

void describe(Fields& f, FanCost& fan) {
  auto bandwidth = to_text(fan.bandwidth);
  f.defined_as("explanation.schema.json#/$defs/fan");
  f.about("time = (latency + bytes / bandwidth) * factor.");
  f.required("latency_ps", TimeTaken{fan.latency}, "In picoseconds.");
  f.required("bandwidth", BandwidthText{bandwidth}, "Of a message.");
  f.required("bytes", Amount{fan.bytes}, "The ranks' sizes combined by the size rule.");
  f.required("factor", Amount{fan.factor}, "0: the collective has no such phase.");
  f.required("time_ps", TimeTaken{fan.time}, "In picoseconds.");
}

namespace {

void describe_explained(Fields& f, Explanation::Collective& c, Bytes size) {
  const bool formula = !c.algorithm;
  const auto phase = [&](const FanCost& fan) { return formula ? std::optional(fan) : std::nullopt; };
  f.condition(
      R"({"oneOf": [{"required": ["algorithm"]}, {"required": ["fan_in", "fan_out", "flight_ps", "total_ps"]}]})");
  f.required("name", std::string(name_of(c.kind)), "Such as 'MPI_Bcast'.");
  f.required("bytes", Amount{c.kind == CollectiveKind::barrier ? 0 : count(size)}, "For each peer.");
  f.optional("algorithm", formula ? std::nullopt : std::optional(std::string(name_of(*c.algorithm))),
             "docs/reference/algorithms.md lists them.");
  f.optional("messages", !formula && c.total ? std::optional(Amount{c.messages}) : std::nullopt,
             "Messages that the algorithm sends; left out with total_ps.");
  f.optional("fan_in", phase(c.phases.fan_in), "The phase towards the root.");
  f.optional("fan_out", phase(c.phases.fan_out), "The phase from the root.");
  f.optional("flight_ps", formula ? std::optional(TimeTaken{c.phases.flight}) : std::nullopt,
             "The part of the time in which no bus is occupied.");
  f.optional("total_ps", c.total ? std::optional(TimeTaken{*c.total}) : std::nullopt,
             "Left out for an algorithm with more than 256 ranks, which is not simulated.");
}

}  // namespace

void describe(Fields& f, ExplainedPlatform& p) {
  auto& e = p.explanation;
  std::vector<ExplainedMessage> messages;
  for (const auto& all : e.messages)
    for (const auto& m : all.by_size) messages.push_back({all.route, m});
  f.about(
      "docs/reference/platform.md, docs/model.md. Costs are those of the Dimemas model when nothing else "
      "moves.");
  f.required("schema", SchemaName{"busline/explanation/1"});
  f.required("platform", WrittenPlatform{p.platform}, "As read, including what a .cfg or --set changed.");
  f.required("messages", messages, "A single message, by route and size.");
  f.required("ranks", Amount{e.ranks, 1}, "Ranks in the collectives.");
  f.required(
      "collectives",
      DescribedList{e.collectives,
                    [&](Fields& o, std::size_t, Explanation::Collective& c) {
                      describe_explained(o, c, e.collective_size);
                    }},
      "Each alone on the machine. Either from a formula, fan in + fan out, or as an algorithm sends its "
      "messages.");
  describe_end(f, e.diagnostics);
}

nlohmann::ordered_json to_json(const Platform& platform, const Explanation& explanation) {
  ExplainedPlatform document{platform, explanation};
  return written(fields::Object(document));
}

std::string to_text(const Platform& platform, const Explanation& explanation) {
  auto text = platform_text(platform);
  for (const auto& all : explanation.messages) text += messages_text(all);
  text += collectives_text(platform, explanation);
  if (platform.calibration) text += '\n' + to_text(*platform.calibration);
  return text;
}

}  // namespace busline
