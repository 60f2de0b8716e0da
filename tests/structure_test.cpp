// The rules of the source tree (docs/architecture.md): which folder may include which, and what a file looks
// like.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string_view name;
  std::vector<std::string_view> may_include;  // besides itself
  std::vector<std::string_view>
      foreign;  // third-party headers that it may use; others of kForeign it may not
};

const std::array<Folder, 7> kFolders{{
    {"sim", {}, {}},
    {"platforms", {"sim"}, {"nlohmann/", "boost/", "pugixml.hpp"}},
    {"workloads", {"sim"}, {"zlib.h", "lzma.h"}},
    {"models", {"platforms", "sim"}, {"simgrid/"}},
    {"validation", {"models", "platforms", "workloads", "sim"}, {"nlohmann/", "boost/"}},
    {"studies",
     {"validation", "models", "platforms", "workloads", "sim"},
     {"nlohmann/", "sqlite3.h", "otf2/"}},
    {"cli", {"studies", "validation", "models", "platforms", "workloads", "sim"}, {"nlohmann/", "CLI/"}},
}};
// Libraries that only some folders may know. The standard library, fmt and tl::expected are everybody's.
constexpr std::array<std::string_view, 10> kForeign{"nlohmann/",   "boost/",    "simgrid/", "CLI/",
                                                    "mpi.h",       "sqlite3.h", "zlib.h",   "lzma.h",
                                                    "pugixml.hpp", "otf2/"};
constexpr std::size_t kMostLines = 600;
// Where MPI may be called: programs and libraries of their own, which the core builds without.
constexpr std::array<std::string_view, 6> kWithMpi{"measuring/mpi/",       "validation/cluster/",
                                                   "measuring/run_times/", "measuring/tracer/",
                                                   "studies/study/mpi/",   "measuring/harness/"};

// What busline-measure is made of: it is built for clusters, where there is a C++20 compiler, MPI and little
// else. A part may include no more than is built with it, and no file of its folder that is outside of these.
struct ClusterPart {
  std::string_view path;
  std::vector<std::string_view> may_include;  // besides itself
  std::vector<std::string_view> foreign;
};
const std::array<ClusterPart, 12> kClusterParts{{
    {"sim/", {}, {}},
    {"workloads/", {"sim/"}, {"zlib.h", "lzma.h"}},
    {"documents/fields/", {"sim/"}, {"nlohmann/"}},
    {"measuring/", {"sim/", "workloads/", "documents/fields/"}, {"nlohmann/"}},
    {"measuring/runs/", {"measuring/", "sim/", "workloads/", "documents/fields/"}, {"nlohmann/"}},
    {"measuring/mpi/", {"measuring/", "sim/", "workloads/"}, {"mpi.h"}},
    {"documents/text/", {"documents/fields/", "sim/"}, {"nlohmann/"}},
    {"measuring/tables/",
     {"documents/text/", "measuring/", "measuring/runs/", "documents/fields/", "sim/"},
     {"nlohmann/"}},
    {"documents/command_line/", {"documents/text/", "sim/"}, {"nlohmann/", "CLI/"}},
    {"documents/command_line/manual/", {"documents/command_line/", "workloads/", "sim/"}, {"CLI/"}},
    {"measuring/commands/",
     {"documents/command_line/", "measuring/tables/", "documents/text/", "measuring/", "workloads/", "sim/"},
     {"nlohmann/", "CLI/"}},
    {"measuring/harness/",
     {"documents/command_line/", "documents/command_line/manual/", "measuring/commands/", "measuring/tables/",
      "documents/text/", "measuring/mpi/", "measuring/runs/", "sim/"},
     {"mpi.h", "CLI/"}},
}};

struct Include {
  std::size_t line = 0;
  bool quoted = false;
  std::string path;
};

struct Source {
  fs::path path;  // from the repository's root
  std::size_t lines = 0;
  bool pragma_once = false;
  std::vector<Include> includes;
};

Source read(const fs::path& root, const fs::path& path) {
  Source s{path.lexically_relative(root), 0, false, {}};
  std::ifstream in(path);
  for (std::string text; std::getline(in, text);) {
    ++s.lines;
    if (text == "#pragma once") s.pragma_once = true;
    if (!text.starts_with("#include ")) continue;
    const auto open = text.find_first_of("\"<");
    const auto close = text.find_last_of("\">");
    REQUIRE_MESSAGE(close > open, s.path << ":" << s.lines << ": an #include without a path");
    s.includes.push_back({s.lines, text[open] == '"', text.substr(open + 1, close - open - 1)});
  }
  return s;
}

std::vector<Source> sources(std::string_view folder) {
  const fs::path root = BUSLINE_SOURCE_DIR;
  std::vector<Source> all;
  if (!fs::exists(root / folder)) return all;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      all.push_back(read(root, entry.path()));
  return all;
}

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool may_include(std::string_view from, std::string_view path) {
  const auto target = path.substr(0, path.find('/'));
  const auto* folder =
      std::find_if(kFolders.begin(), kFolders.end(), [&](const Folder& f) { return f.name == from; });
  return target == from || contains(folder->may_include, target);
}

// Tests may look at more: they are not built into the program on the cluster.
bool is_test(const fs::path& path) {
  return path.stem().string().ends_with("_test");
}

bool may_call_mpi(const Source& source, std::string_view library) {
  const auto path = source.path.string();
  return library == "mpi.h" && std::any_of(kWithMpi.begin(), kWithMpi.end(),
                                           [&](std::string_view place) { return path.starts_with(place); });
}

bool may_include(const ClusterPart& part, const Include& include) {
  const auto begins_with = [&](std::string_view beginning) { return include.path.starts_with(beginning); };
  if (include.quoted)
    return begins_with(part.path) ||
           std::any_of(part.may_include.begin(), part.may_include.end(), begins_with);
  return std::none_of(kForeign.begin(), kForeign.end(), [&](std::string_view library) {
    return begins_with(library) && !contains(part.foreign, library);
  });
}

}  // namespace

TEST_CASE("no include points against the direction of the folders") {
  CHECK(may_include("models", "sim/base/units.hpp"));
  CHECK(may_include("sim", "sim/base/units.hpp"));
  CHECK_FALSE(may_include("sim", "platforms/description/platform.hpp"));
  CHECK_FALSE(may_include("workloads", "models/simulate.hpp"));
  std::size_t checked = 0;
  for (const auto& folder : kFolders)
    for (const auto& source : sources(folder.name))
      for (const auto& include : source.includes) {
        if (!include.quoted) continue;
        ++checked;
        CHECK_MESSAGE(may_include(folder.name, include.path),
                      source.path << ":" << include.line << ": " << folder.name << "/ may not include "
                                  << include.path);
      }
  CHECK(checked > 20);
}

TEST_CASE("a program for clusters includes nothing that clusters lack") {
  for (const auto& part : kClusterParts) {
    std::size_t checked = 0;
    for (const auto& source : sources(part.path)) {
      if (is_test(source.path)) continue;
      for (const auto& include : source.includes) {
        ++checked;
        CHECK_MESSAGE(may_include(part, include), source.path << ":" << include.line << ": " << part.path
                                                              << " may not include " << include.path);
      }
    }
    CHECK_MESSAGE(checked > 5, part.path << " holds next to nothing");
  }
  const ClusterPart measure{"measuring/", {"documents/fields/"}, {"nlohmann/"}};
  CHECK(may_include(measure, {1, true, "documents/fields/object.hpp"}));
  CHECK_FALSE(may_include(measure, {1, true, "platforms/description/platform.hpp"}));
  CHECK_FALSE(may_include(measure, {1, true, "tests/dimemas_case.hpp"}));
  CHECK_FALSE(may_include(measure, {1, false, "boost/graph/graph_traits.hpp"}));
}

TEST_CASE("every quoted include is a path from the root to a file that exists") {
  for (const auto& folder : kFolders)
    for (const auto& source : sources(folder.name))
      for (const auto& include : source.includes)
        if (include.quoted)
          CHECK_MESSAGE((include.path.find("..") == std::string::npos &&
                         fs::is_regular_file(fs::path(BUSLINE_SOURCE_DIR) / include.path)),
                        source.path << ":" << include.line << ": " << include.path);
}

TEST_CASE("a source includes its own header first, so that the header leans on nothing before it") {
  for (const auto& folder : kFolders)
    for (const auto& source : sources(folder.name)) {
      const auto header = fs::path(source.path).replace_extension(".hpp");
      if (source.path.extension() != ".cpp" || !fs::exists(fs::path(BUSLINE_SOURCE_DIR) / header)) continue;
      REQUIRE_MESSAGE(!source.includes.empty(), source.path << " does not include " << header);
      CHECK_MESSAGE(source.includes.front().path == header.string(),
                    source.path << " includes " << source.includes.front().path << " before its own header");
    }
}

TEST_CASE("a third-party library is included only where it belongs") {
  for (const auto& folder : kFolders)
    for (const auto& source : sources(folder.name))
      for (const auto& include : source.includes)
        for (const auto library : kForeign)
          if (include.path.starts_with(library) && !may_call_mpi(source, library))
            CHECK_MESSAGE(contains(folder.foreign, library), source.path
                                                                 << ":" << include.line << ": " << folder.name
                                                                 << "/ may not include " << include.path);
}

TEST_CASE("files are short enough to read, headers open once, and names say what a file holds") {
  for (const auto& folder : kFolders)
    for (const auto& source : sources(folder.name)) {
      CHECK_MESSAGE(source.lines <= kMostLines, source.path << " has " << source.lines << " lines");
      if (source.path.extension() == ".hpp")
        CHECK_MESSAGE(source.pragma_once, source.path << " lacks #pragma once");
      for (const auto& part : source.path)
        for (const auto vague : {"utils", "util", "common", "helpers", "misc"})
          CHECK_MESSAGE(part.stem() != vague, source.path << ": name it after what it holds");
    }
}
