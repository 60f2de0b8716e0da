// What commands print with --json, as the cases of the command line show it, is what the schemas say.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/schemas.hpp"
#include "documents/text/test_documents.hpp"
#include "studies/benchmark/benchmark.hpp"
#include "studies/benchmark/part_benchmark.hpp"

using namespace busline;
using nlohmann::json;
using Strings = std::vector<std::string>;

namespace {

const std::string kCli = BUSLINE_SOURCE_DIR "/cli";

struct PrintedDocument {
  std::string where;
  json document;
};
using DocumentsByName = std::map<std::string, std::vector<PrintedDocument>>;

// "platform" of a document that says "busline/platform/1", "" of others.
std::string schema_of(const json& document) {
  const auto name = document.value("schema", std::string());
  const auto first = name.find('/'), last = name.rfind('/');
  return first == last ? "" : name.substr(first + 1, last - first - 1);
}

// The documents in what a case prints: from a line with a brace to the next one.
void add_documents_of(const std::filesystem::path& path, DocumentsByName& all) {
  std::ifstream in(path);
  bool is_output = false, is_document = false;
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- ")) is_output = line == "--- stdout";
    if (!is_output) continue;
    if (line == "{") {
      is_document = true;
      text.clear();
    }
    if (is_document) text += line + "\n";
    if (line != "}" || !is_document) continue;
    is_document = false;
    constexpr bool kThrows = false;
    const auto document = json::parse(text, nullptr, kThrows);
    CHECK_MESSAGE(!document.is_discarded(), path.string(), " shows what is no document:\n", text);
    if (document.is_object()) all[schema_of(document)].push_back({path.filename().string(), document});
  }
}

DocumentsByName documents_of_cases() {
  DocumentsByName all;
  for (const auto& entry : std::filesystem::directory_iterator(BUSLINE_SOURCE_DIR "/tests/cli"))
    if (entry.path().extension() == ".case") add_documents_of(entry.path(), all);
  return all;
}

// Cases leave out where a document came from, and most have nothing to warn of.
json with_everything(json document) {
  if (document.contains("diagnostics")) document["diagnostics"] = to_json(Diagnostics{full_warning()});
  return document.contains("provenance") ? printed(std::move(document)) : document;
}
json with_nothing_optional(json document) {
  if (document.contains("diagnostics")) document["diagnostics"] = to_json(Diagnostics{bare_warning()});
  return document.contains("provenance") ? barely_printed(std::move(document)) : document;
}

}  // namespace

TEST_CASE("the documents in command-line cases conform to their schemas") {
  const auto all = documents_of_cases();
  CHECK(all.size() >= 18);
  for (const auto& of_schema : all) {
    CAPTURE(of_schema.first);
    std::string_view text = "{}";
    for (const auto& s : cli::schemas())
      if (s.name == of_schema.first) text = s.text;
    REQUIRE(text != "{}");
    for (const auto& printed : of_schema.second) {
      CAPTURE(printed.where);
      CHECK(SchemaCheck::differences(json::parse(text), with_everything(printed.document)) == Strings());
    }
  }
}

TEST_CASE("documents that commands make themselves have every member that their schemas name, and no other") {
  auto all = documents_of_cases();
  // Cases do not tell what this build lacks.
  auto& versions = all["version"];
  REQUIRE(!versions.empty());
  auto lacking = versions.front();
  lacking.document["optional_parts"][0]["present"] = false;
  lacking.document["optional_parts"][0]["how_to_get"] = "build it again";
  versions.push_back(lacking);
  for (const auto* name : {"benchmark", "conversion", "report", "schemas", "topology-drawing", "version"}) {
    std::vector<json> documents;
    for (const auto& [where, document] : all[name]) {
      documents.push_back(with_everything(document));
      documents.push_back(with_nothing_optional(document));
    }
    check_documents(kCli, name, documents);
  }
}

TEST_CASE("convert writes a platform, an unchanged trace, or another workload") {
  const auto schema = read_schema(kCli, "conversion");
  auto all = documents_of_cases();
  for (const auto& printed : all["conversion"]) {
    CAPTURE(printed.where);
    auto nothing = with_everything(printed.document), both = nothing;
    for (const auto* member : {"platform", "files"}) nothing.erase(member);
    CHECK_FALSE(SchemaCheck::differences(schema, nothing).empty());
    both["platform"] = {{"schema", "busline/platform/1"}};
    CHECK_FALSE(SchemaCheck::differences(schema, both).empty());
  }
}

TEST_CASE("the schema of benchmarks has the names of the parts, and the members of their rows") {
  const auto properties = read_schema(kCli, "benchmark").at("properties");
  const auto parts = part_names();
  CHECK(properties.at("parts").at("items").at("properties").at("part").at("enum").get<Strings>() ==
        Strings(parts.begin(), parts.end()));
  const json replays = to_json(std::vector<BenchmarkRow>(1));
  CHECK(SchemaCheck::differences(properties.at("rows").at("items"), replays.at(0)) ==
        Strings{"/ranks 0 is too small"});
}
