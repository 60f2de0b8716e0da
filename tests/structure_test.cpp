// The rules of the source tree. Modules and rooms, and which may include which, are the tables of
// docs/architecture.md, which these tests read: what stands there is what holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kRoot = BUSLINE_SOURCE_DIR;
constexpr std::size_t kMostLines = 600;
// Third-party headers that only some modules may include. The standard library, fmt and tl::expected are
// everybody's.
constexpr std::array<std::string_view, 11> kForeign{"nlohmann/",   "boost/",    "simgrid/", "CLI/",
                                                    "mpi.h",       "sqlite3.h", "zlib.h",   "lzma.h",
                                                    "pugixml.hpp", "otf2/",     "pybind11/"};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in.good(), path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What stands in backticks.
Names in_backticks(const std::string& cell) {
  Names names;
  for (auto begin = cell.find('`'); begin != cell.npos;) {
    const auto end = cell.find('`', begin + 1);
    names.push_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find('`', end + 1);
  }
  return names;
}

/// The cells of a table's rows below the line `header`. A row whose first cell is empty goes on with the one
/// above.
std::vector<Names> table(const std::string& header) {
  std::istringstream page(text_of(kRoot / "docs/architecture.md"));
  std::string line;
  while (std::getline(page, line) && !line.starts_with(header)) continue;
  REQUIRE_MESSAGE(page, "docs/architecture.md has no table " << header);
  std::getline(page, line);  // |---|
  std::vector<Names> rows;
  while (std::getline(page, line) && line.starts_with("|")) {
    Names cells;
    for (std::size_t at = 1; at < line.size();) {
      const auto end = line.find('|', at);
      cells.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    if (in_backticks(cells.front()).empty() && !rows.empty() && header.starts_with("| room"))
      for (std::size_t i = 0; i < cells.size(); ++i) rows.back()[i] += cells[i];
    else
      rows.push_back(std::move(cells));
  }
  return rows;
}

template <class List, class T>
bool contains(const List& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string module_of(const std::string& path) {
  return path.substr(0, path.find('/'));
}

struct Module {
  std::string name;
  Names may_include, foreign;
};

/// In the order of the table: each may include those above it, but for some.
const std::vector<Module>& modules() {
  static const auto all = [] {
    std::vector<Module> modules;
    for (const auto& row : table("| module ")) {
      Module m{in_backticks(row[0]).at(0), {}, in_backticks(row[3])};
      const auto left_out = in_backticks(row[2]);
      for (const auto& lower : modules)
        if (!contains(left_out, lower.name)) m.may_include.push_back(lower.name);
      modules.push_back(std::move(m));
    }
    return modules;
  }();
  return all;
}

const Module& module_named(const std::string& name) {
  const auto found =
      std::find_if(modules().begin(), modules().end(), [&](const Module& m) { return m.name == name; });
  REQUIRE_MESSAGE(found != modules().end(), name << " is not in docs/architecture.md's table of modules");
  return *found;
}

struct Room {
  std::string path;
  std::set<std::string> includes;  // rooms of its module
};

const std::vector<Room>& rooms() {
  static const auto all = [] {
    std::vector<Room> rooms;
    for (const auto& row : table("| room ")) {
      Room room{in_backticks(row[0]).at(0), {}};
      const auto module = module_of(room.path);
      for (const auto& name : in_backticks(row[2]))
        room.includes.insert(name == module ? module : module + "/" + name);
      rooms.push_back(std::move(room));
    }
    return rooms;
  }();
  return all;
}

struct Include {
  std::size_t line = 0;
  bool quoted = false;
  std::string path;
};

struct Source {
  std::string path;  // from the repository's root
  std::size_t lines = 0;
  bool pragma_once = false;
  std::vector<Include> includes;
  std::string room() const { return path.substr(0, path.rfind('/')); }
  /// Tests may look at more: they are not part of a library.
  bool is_test() const {
    const auto name = path.substr(path.rfind('/') + 1);
    return name.starts_with("test_") || name.find("_test.") != name.npos;
  }
};

Source read(const fs::path& path) {
  Source s{path.lexically_relative(kRoot).string(), 0, false, {}};
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

const std::vector<Source>& sources() {
  static const auto all = [] {
    std::vector<Source> sources;
    for (const auto& module : modules())
      for (const auto& entry : fs::recursive_directory_iterator(kRoot / module.name))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
          sources.push_back(read(entry.path()));
    return sources;
  }();
  return all;
}

bool may_include(const std::string& module, const std::string& path) {
  return module_of(path) == module || contains(module_named(module).may_include, module_of(path));
}

std::string place(const Source& source, const Include& include) {
  return source.path + ":" + std::to_string(include.line) + ": " + include.path;
}

}  // namespace

TEST_CASE("no include points back from one module to a higher one, not even a test's") {
  CHECK(may_include("models", "sim/base/units.hpp"));
  CHECK_FALSE(may_include("sim", "platforms/description/platform.hpp"));
  CHECK_FALSE(may_include("models", "measuring/testbed/testbed.hpp"));
  CHECK_FALSE(may_include("measuring", "models/simulate.hpp"));
  CHECK(sources().size() > 900);
  for (const auto& source : sources())
    for (const auto& include : source.includes)
      if (include.quoted)
        CHECK_MESSAGE(may_include(module_of(source.path), include.path), place(source, include));
}

TEST_CASE("every folder with code is a room of docs/architecture.md, and every room there is has code") {
  std::set<std::string> documented, found;
  for (const auto& room : rooms()) CHECK_MESSAGE(documented.insert(room.path).second, room.path << " twice");
  for (const auto& source : sources())
    if (!source.is_test()) found.insert(source.room());
  for (const auto& room : found) CHECK_MESSAGE(contains(documented, room), room << " is not in the table");
  for (const auto& room : documented) CHECK_MESSAGE(contains(found, room), room << " has no code");
}

TEST_CASE("a room includes only rooms above it in the table, so that there is no circle") {
  std::set<std::string> above;
  for (const auto& room : rooms()) {
    for (const auto& lower : room.includes)
      CHECK_MESSAGE(contains(above, lower), room.path << " includes " << lower << ", which stands below it");
    above.insert(room.path);
  }
}

TEST_CASE("the rooms that a room includes are those that the table names, no more and no fewer") {
  std::map<std::string, std::set<std::string>> included;
  for (const auto& source : sources()) {
    if (source.is_test()) continue;
    for (const auto& include : source.includes) {
      if (!include.quoted || module_of(include.path) != module_of(source.path)) continue;
      const auto room = include.path.substr(0, include.path.rfind('/'));
      if (room != source.room()) included[source.room()].insert(room);
    }
  }
  for (const auto& room : rooms()) {
    for (const auto& other : included[room.path])
      CHECK_MESSAGE(contains(room.includes, other), room.path << " includes " << other);
    for (const auto& other : room.includes)
      CHECK_MESSAGE(contains(included[room.path], other), room.path << " no longer includes " << other);
  }
}

TEST_CASE("what busline-measure is made of includes nothing that clusters lack") {
  // It is built without Boost, SQLite, SimGrid and pugixml.
  for (const std::string module : {"sim", "workloads", "documents", "measuring"})
    for (const auto& below : module_named(module).may_include)
      CHECK_MESSAGE(below != "platforms", module << " may include platforms");
  CHECK(module_named("measuring").may_include == Names{"sim", "workloads", "documents"});
}

TEST_CASE("every quoted include is a path from the root to a file that exists") {
  for (const auto& source : sources())
    for (const auto& include : source.includes)
      if (include.quoted)
        CHECK_MESSAGE(
            (include.path.find("..") == std::string::npos && fs::is_regular_file(kRoot / include.path)),
            place(source, include));
}

TEST_CASE("a source includes its own header first, so that the header leans on nothing before it") {
  for (const auto& source : sources()) {
    const auto header = fs::path(source.path).replace_extension(".hpp");
    if (!source.path.ends_with(".cpp") || !fs::exists(kRoot / header)) continue;
    REQUIRE_MESSAGE(!source.includes.empty(), source.path << " does not include " << header);
    CHECK_MESSAGE(source.includes.front().path == header.string(), place(source, source.includes.front()));
  }
}

TEST_CASE("a third-party library is included only where it belongs") {
  for (const auto& source : sources())
    for (const auto& include : source.includes)
      for (const auto library : kForeign)
        if (include.path.starts_with(library))
          CHECK_MESSAGE(contains(module_named(module_of(source.path)).foreign, std::string(library)),
                        place(source, include));
}

TEST_CASE("files are short enough to read, headers open once, and names say what a file holds") {
  for (const auto& source : sources()) {
    CHECK_MESSAGE(source.lines <= kMostLines, source.path << " has " << source.lines << " lines");
    if (source.path.ends_with(".hpp"))
      CHECK_MESSAGE(source.pragma_once, source.path << " lacks #pragma once");
    for (const auto& part : fs::path(source.path))
      for (const auto vague : {"utils", "util", "common", "helpers", "misc"})
        CHECK_MESSAGE(part.stem() != vague, source.path << ": name it after what it holds");
  }
}

TEST_CASE("one byte's way names functions that exist, and enters no room twice") {
  std::set<std::string> entered;
  for (const auto& row : table("| | room ")) {
    const auto room = in_backticks(row[1]).at(0);
    auto function = in_backticks(row[2]).at(0);
    CHECK_MESSAGE(entered.insert(room).second, room << " is entered twice");
    function = function.substr(function.rfind(':') == function.npos ? 0 : function.rfind(':') + 1);
    bool found = false;
    for (const auto& source : sources())
      if (!source.is_test() && source.room() == room)
        found =
            found || std::regex_search(text_of(kRoot / source.path), std::regex("\\b" + function + "\\b"));
    CHECK_MESSAGE(found, room << " has no " << function);
  }
  CHECK(entered.size() == 10);
}

TEST_CASE("what docs/architecture.md names exists") {
  const auto page = text_of(kRoot / "docs/architecture.md");
  const std::regex path(
      "`((sim|workloads|documents|platforms|measuring|models|validation|studies|cli|python|tests|tools)"
      "/[A-Za-z0-9_./]+)`");
  std::size_t checked = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), path), end; it != end; ++it) {
    const auto name = (*it)[1].str();
    if (name.find("NAME") != name.npos) continue;
    ++checked;
    CHECK_MESSAGE(fs::exists(kRoot / name), name);
  }
  CHECK(checked > 90);
}
