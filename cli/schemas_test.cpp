#include "cli/schemas.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

using namespace busline::cli;

namespace {

namespace fs = std::filesystem;

constexpr const char* kRooms[] = {"sim",    "workloads",  "documents", "platforms", "measuring",
                                  "models", "validation", "studies",   "cli"};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The sources that make or read documents, without tests and their helpers.
bool is_of_the_program(const fs::path& path) {
  const auto file = path.filename().string();
  return (file.ends_with(".cpp") || file.ends_with(".hpp")) && !file.ends_with("_test.cpp") &&
         !file.starts_with("test_") && path.string().find("/fuzz/") == std::string::npos;
}

// The paths of members without a description: neither text nor a reference, and no fixed value.
void find_undescribed(const nlohmann::json& part, const std::string& path, std::string& found) {
  if (part.is_object() && part.contains("properties"))
    for (const auto& [name, member] : part["properties"].items())
      if (!member.contains("description") && !member.contains("$ref") && !member.contains("const"))
        found += path + "/" + name + "\n";
  if (!part.is_structured()) return;
  for (const auto& [name, inner] : part.items()) find_undescribed(inner, path + "/" + name, found);
}

}  // namespace

TEST_CASE("every schema, and every member in it, is described in words") {
  for (const auto& s : schemas()) {
    const auto schema = nlohmann::json::parse(s.text);
    CAPTURE(s.name);
    CHECK(schema.contains("description"));
    std::string undescribed;
    find_undescribed(schema, "", undescribed);
    CHECK(undescribed == "");
  }
}

TEST_CASE("the program holds every schema of the tree, byte for byte") {
  std::map<std::string, std::string> there, held;
  for (const auto* room : kRooms)
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / room)) {
      const auto file = entry.path().filename().string();
      if (file.ends_with(".schema.json")) there[file.substr(0, file.find('.'))] = content(entry.path());
    }
  for (const auto& s : schemas()) held[std::string(s.name)] = s.text;
  CHECK(there.size() >= 10);
  CHECK(held == there);
}

TEST_CASE("every document that the sources name has a schema of its name, and no other has one") {
  const std::regex document("\"(busline/[a-z-]+/[0-9]+)\"");
  std::set<std::string> named, described;
  for (const auto* room : kRooms)
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / room)) {
      if (!is_of_the_program(entry.path())) continue;
      const auto text = content(entry.path());
      for (std::sregex_iterator found(text.begin(), text.end(), document), end; found != end; ++found)
        named.insert((*found)[1]);
    }
  for (const auto& s : schemas()) {
    const auto schema = nlohmann::json::parse(s.text);
    CHECK(schema.at("$id") == std::string(s.name) + ".schema.json");
    CHECK(schema.at("properties").at("schema").at("const") == "busline/" + std::string(s.name) + "/1");
    described.insert("busline/" + std::string(s.name) + "/1");
  }
  CHECK(named == described);
}
