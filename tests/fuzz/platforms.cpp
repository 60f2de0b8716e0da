#include "tests/fuzz/platforms.hpp"

#include <cstdint>

#include "platforms/description/platform_json.hpp"
#include "platforms/dimemas/communication_file.hpp"
#include "platforms/dimemas/dimemas_cfg.hpp"
#include "platforms/loggops/loggops.hpp"
#include "platforms/mapping.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "validation/simulated/textbook.hpp"

namespace busline::fuzz {
namespace {

// Each of a machine's nodes is an entry of what the replay takes.
constexpr std::uint64_t kMostNodes = 10'000;

std::uint64_t nodes_of(const Platform& p) {
  std::uint64_t nodes = 0;
  for (const auto& m : p.machines)
    for (const auto& group : m.nodes) nodes += group.count;
  return nodes;
}

Expected<Platform> from_document(std::string text) {
  return parse_platform(text, kInput);
}

std::string to_document(const Platform& p) {
  return to_json_text(p);
}

std::string fault_in_document_of(const Platform& p) {
  if (auto fault = fault_in_round_trip(to_json_text(p), from_document, to_document); !fault.empty())
    return fault;
  const auto again = parse_platform(to_json_text(p), kInput);
  if (!again) return "its document cannot be read: " + to_string(again.error());
  if (!(*again == p)) return "it changes when it is written and read:\n" + to_json_text(p);
  if (nodes_of(p) > kMostNodes) return {};
  const auto placed = place_ranks(p, 4);
  if (!placed && placed.error().message.empty()) return "ranks are refused without a message";
  return {};
}

}  // namespace

std::string fault_in_platform(std::string_view text) {
  const auto platform = parse_platform(text, kInput);
  return platform ? fault_in_document_of(*platform) : fault_in_error(platform.error(), text);
}

std::string fault_in_cfg(std::string_view text) {
  Diagnostics told;
  const auto platform = parse_dimemas_cfg(text, kInput, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return platform ? fault_in_document_of(*platform) : fault_in_error(platform.error(), text);
}

std::string fault_in_loggops(std::string_view text) {
  Diagnostics told;
  const auto platform = parse_loggops(text, kInput, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return platform ? fault_in_document_of(*platform) : fault_in_error(platform.error(), text);
}

std::string fault_in_communication_file(std::string_view text) {
  auto platform = textbook::machine(2);
  platform.preset = Preset::dimemas_5_5;
  platform.machines.push_back(platform.machines.front());
  platform.machines[1].name = "other";
  Diagnostics told;
  const auto read = dimemas::read_communication_file(text, kInput, platform, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return read ? fault_in_document_of(platform) : fault_in_error(read.error(), text);
}

std::string fault_in_scheduler_file(std::string_view text) {
  static MemoryFile file;
  file.write(text);
  Diagnostics told;
  const auto cost = read_scheduler(file.path(), told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  if (cost) return *cost >= Duration{} ? std::string() : "a cost below 0";
  return fault_in_error(cost.error(), text);
}

}  // namespace busline::fuzz
