#include "tests/fuzz/measurements.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "measuring/import/imb_results.hpp"
#include "measuring/import/network_results.hpp"
#include "measuring/import/osu_results.hpp"
#include "measuring/import/smpi_results.hpp"
#include "measuring/linktest/read_linktest.hpp"
#include "measuring/measurement/measurement_json.hpp"
#include "measuring/runs/run_set_json.hpp"
#include "measuring/runs/times_file.hpp"
#include "measuring/sion/container.hpp"
#include "tests/fuzz/fault_in_measurement.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "validation/compare/baseline.hpp"

namespace busline::fuzz {
namespace {

using namespace measure;

template <class Read>
std::string fault_in_printed(std::string_view text, Read read) {
  ImportOptions options;
  options.ranks = 8;
  Diagnostics told;
  const auto measurement = read(text, kInput, options, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return measurement ? fault_in_imported(*measurement) : fault_in_error(measurement.error(), text);
}

// For documents that only have a reader of files.
template <class Read>
std::string fault_in_document(std::string_view text, Read read) {
  static MemoryFile file;
  file.write(text);
  const auto document = read(file.path());
  return document ? std::string() : fault_in_error(document.error(), text);
}

// Streams may lie over one another, so that a few bytes could hold gigabytes.
constexpr std::uint64_t kMostOfAStream = 1U << 16U, kMostStreams = 256;

}  // namespace

std::string fault_in_measurement(std::string_view text) {
  return fault_in_round_trip(
      text, [](std::string t) { return parse_measurement(std::move(t), kInput); },
      [](const Measurement& m) { return to_json_text(m); });
}

std::string fault_in_network_results(std::string_view text) {
  const auto document = Document::parse(std::string(text), kInput);
  if (!document) return fault_in_error(document.error(), text);
  if (!is_network_result(*document)) return {};
  Diagnostics told;
  const auto measurement = parse_network_result(*document, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return measurement ? fault_in_imported(*measurement) : fault_in_error(measurement.error(), text);
}

std::string fault_in_osu_results(std::string_view text) {
  return fault_in_printed(text, parse_osu);
}

std::string fault_in_imb_results(std::string_view text) {
  return fault_in_printed(text, parse_imb);
}

std::string fault_in_smpi_results(std::string_view text) {
  return fault_in_printed(text, parse_smpi);
}

std::string fault_in_run_set(std::string_view text) {
  return fault_in_round_trip(
      text, [](std::string t) { return runs::parse_run_set(std::move(t), kInput); },
      [](const runs::RunSet& s) { return runs::to_json(s).dump(); });
}

std::string fault_in_run_times(std::string_view text) {
  return fault_in_document(text, runs::read_times_file);
}

std::string fault_in_baseline(std::string_view text) {
  return fault_in_document(text, compare::read_baseline);
}

std::string fault_in_sion(std::string_view bytes) {
  const auto container = sion::Container::in_memory(kInput, bytes);
  if (!container) return fault_in_error(container.error(), bytes);
  std::vector<char> room(kMostOfAStream);
  for (std::uint32_t rank = 0; rank < std::min<std::uint64_t>(container->ranks(), kMostStreams); ++rank) {
    const auto stream = container->stream(rank);
    const auto n = std::min<std::uint64_t>(stream.size(), room.size());
    stream.read(stream.size() - n, room.data(), static_cast<std::size_t>(n));
    if (stream.file_offset(stream.size()) > bytes.size()) return "a stream ends behind the file";
  }
  return {};
}

std::string fault_in_linktest(std::string_view bytes) {
  const auto container = sion::Container::in_memory(kInput, bytes);
  if (!container) return fault_in_error(container.error(), bytes);
  Diagnostics told;
  const auto result = linktest::read_linktest(*container, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return result ? std::string() : fault_in_error(result.error(), bytes);
}

}  // namespace busline::fuzz
