#include "cli/schemas.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

using namespace busline::cli;

TEST_CASE("the program holds every schema of the tree, byte for byte") {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> there, held;
  for (const auto* folder : {"sim", "platforms", "workloads", "models", "validation", "studies", "cli"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / folder)) {
      const auto file = entry.path().filename().string();
      if (!file.ends_with(".schema.json")) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      there[file.substr(0, file.find('.'))] = {std::istreambuf_iterator<char>(in), {}};
    }
  for (const auto& s : schemas()) held[std::string(s.name)] = s.text;
  CHECK(there.size() >= 10);
  CHECK(held == there);
}
