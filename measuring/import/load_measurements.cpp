#include "measuring/import/load_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "documents/fields/document.hpp"
#include "documents/fields/text_file.hpp"
#include "measuring/import/imb_results.hpp"
#include "measuring/import/network_results.hpp"
#include "measuring/import/osu_results.hpp"
#include "measuring/linktest/linktest_suites.hpp"
#include "measuring/linktest/read_linktest.hpp"
#include "measuring/measurement/measurement_json.hpp"
#include "measuring/sion/layout.hpp"
#include "measuring/skampi/result_file.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::measure {
namespace {

bool is_regular(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

bool is_container(const std::string& path) {
  if (!is_regular(path)) return false;  // data read from a pipe cannot be read again
  if (without_compression(path).ends_with(".sion")) return true;
  const auto head = MappedFile::head(path, sion::kMagic.size());
  return head && *head == sion::kMagic;
}

Expected<Measurement> load_linktest(const std::string& path, Diagnostics& diagnostics) {
  const auto result = linktest::read_linktest(path, diagnostics);
  if (!result) return tl::unexpected(result.error());
  Measurement m;
  m.testbed = result->settings.mode == "simulation" ? TestbedKind::simulated : TestbedKind::mpi;
  std::vector<std::string> hosts;
  for (const auto& place : result->places) hosts.push_back(place.host);
  m.machine.nodes = JobNodes(hosts).names();
  if (!m.machine.nodes.empty()) m.machine.name = m.machine.nodes.front();
  m.suites = linktest::suites_of(*result);
  return m;
}

// SKaMPI names the host of each process, or nothing.
void place_ranks(Measurement& m, const JobNodes& nodes) {
  for (auto& suite : m.suites) {
    if (suite.ranks.empty()) continue;
    suite.nodes = nodes.of(suite.ranks);
    suite.route_class = class_between(suite.nodes);
  }
}

Expected<Measurement> load_skampi(const std::string& text, const std::string& path,
                                  const ImportOptions& options, bool& nodes_assumed,
                                  Diagnostics& diagnostics) {
  const auto file = skampi::parse_results(text, path, diagnostics);
  if (!file) return tl::unexpected(file.error());
  auto m = skampi::to_measurement(*file);
  nodes_assumed = file->hosts.empty();
  place_ranks(m, nodes_assumed ? JobNodes(options.ranks_per_node) : JobNodes(file->hosts));
  return m;
}

bool is_json(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{';
}

// Unpacked if it is compressed.
Expected<std::string> read_results(const std::string& path) {
  auto text = read_text_file(path);
  if (!text || compression_of(*text) == nullptr) return text;
  const auto unpacked = unpack(path, *text);
  if (!unpacked) return tl::unexpected(unpacked.error());
  return std::string(unpacked->bytes());
}

// For any version: parse_measurement() checks the version.
bool is_ours(const Document& document) {
  const auto& root = document.root();
  const auto schema = root.find("schema");
  return root.is_object() && schema != root.end() && schema->is_string() &&
         schema->get_ref<const std::string&>().starts_with("busline/measurement/");
}

Expected<Measurement> load_json(std::string text, const std::string& path, Diagnostics& diagnostics) {
  const auto document = Document::parse(std::move(text), path);
  if (!document) return tl::unexpected(document.error());
  if (is_network_result(*document)) return parse_network_result(*document, diagnostics);
  return parse_measurement(*document);
}

Expected<Measurement> load_text(std::string text, const std::string& path, const ImportOptions& options,
                                bool& nodes_assumed, Diagnostics& diagnostics) {
  if (is_json(text)) return load_json(std::move(text), path, diagnostics);
  nodes_assumed = true;
  if (looks_like_osu(text)) return parse_osu(text, path, options, diagnostics);
  if (looks_like_imb(text)) return parse_imb(text, path, options, diagnostics);
  if (skampi::looks_like_results(text)) return load_skampi(text, path, options, nodes_assumed, diagnostics);
  return refuse_file(Error::Kind::bad_input, path, "contains no known kind of measurement",
                     "expected a measurement document, or results of LinkTest, SKaMPI, the OSU benchmarks or "
                     "the Intel MPI Benchmarks");
}

}  // namespace

Expected<Measurement> load_measurement(const std::string& path, Diagnostics& diagnostics,
                                       const ImportOptions& options) {
  bool nodes_assumed = false;
  Expected<Measurement> m;
  if (is_container(path)) {
    m = load_linktest(path, diagnostics);
  } else {
    auto text = read_results(path);
    if (!text) return tl::unexpected(std::move(text.error()));
    m = load_text(*std::move(text), path, options, nodes_assumed, diagnostics);
  }
  if (!m) return m;
  if (m->machine.name.empty()) m->machine.name = "unknown machine";
  if (std::all_of(m->suites.begin(), m->suites.end(), [](const Suite& s) { return s.points.empty(); })) {
    return refuse_file(Error::Kind::bad_input, path, "contains no results",
                       "the run may have ended before its first result");
  }
  if (nodes_assumed)
    diagnostics.push_back(
        {.code = "assumed-nodes",
         .message = fmt::format("does not record the nodes of ranks: assuming {} per node, in order",
                                std::max(options.ranks_per_node, 1U)),
         .path = path});
  return m;
}

bool holds_measurement(const std::string& path) {
  if (!is_regular(path)) return false;
  if (is_container(path)) return true;
  auto text = read_results(path);
  if (!text) return false;
  if (!is_json(*text))
    return looks_like_osu(*text) || looks_like_imb(*text) || skampi::looks_like_results(*text);
  const auto document = Document::parse(*std::move(text), path);
  return document && (is_network_result(*document) || is_ours(*document));
}

Expected<std::vector<Measurement>> load_measurements(const std::string& path, Diagnostics& diagnostics,
                                                     const ImportOptions& options) {
  return load_measurement(path, diagnostics, options).map([](Measurement m) {
    std::vector<Measurement> all;
    all.push_back(std::move(m));
    return all;
  });
}

}  // namespace busline::measure
