// Names in unnamed namespaces are unique in the sources, and in the tests, of a library. Several presets
// compile these as one (docs/decisions/058-several-sources-as-one.md): there a second function of the same
// name would be one more overload for every source behind it, and could be chosen without a warning.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

/// `text` without comments, preprocessor lines and what stands in quotes.
std::string bare(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  std::string raw_end;  // of the raw string that a line is in
  bool comment = false, goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    const bool directive = goes_on || (raw_end.empty() && !comment && line.starts_with("#"));
    goes_on = directive && line.ends_with("\\");
    if (directive) continue;
    for (std::size_t i = 0; i < line.size();) {
      const auto rest = std::string_view(line).substr(i);
      if (!raw_end.empty()) {
        const auto end = rest.find(raw_end);
        if (end == rest.npos) break;
        i += end + raw_end.size();
        raw_end.clear();
      } else if (comment) {
        const auto end = rest.find("*/");
        if (end == rest.npos) break;
        i += end + 2;
        comment = false;
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        comment = true;
      } else if (rest.starts_with("R\"")) {
        const auto open = rest.find('(');
        raw_end = ")" + std::string(rest.substr(2, open - 2)) + "\"";
        i += open + 1;
      } else if (rest[0] == '"' || (rest[0] == '\'' && (i == 0 || std::isalnum(line[i - 1]) == 0))) {
        auto end = i + 1;
        while (end < line.size() && line[end] != rest[0]) end += line[end] == '\\' ? 2U : 1U;
        i = end + 1;
        out += "''";
      } else {
        out += line[i++];
      }
    }
    out += ' ';
  }
  return out;
}

/// What a declaration at namespace scope names; empty for one that names nothing new.
std::string declared_name(std::string text) {
  static const std::regex templates("^template ?<.*?> (?=[a-z_A-Z])"), attributes("\\[\\[.*?\\]\\]"),
      type("^(struct|enum class|class|union|enum) (\\w+)"), arguments("<[^<>]*>"),
      last_name("\\b([a-z_A-Z][\\w:~]*)(\\[.*\\])?\\s*$");
  // Most declarations have none of these, and <regex> is slow under sanitizers.
  if (text.starts_with("template")) text = std::regex_replace(text, templates, "");
  if (text.find("[[") != text.npos) text = std::regex_replace(text, attributes, "");
  std::smatch found;
  if (text.find('(') == text.npos && std::regex_search(text, found, type)) return found[2];
  for (const auto* other : {"using ", "namespace ", "extern ", "static_assert", "template ", "TEST_CASE"})
    if (text.starts_with(other)) return "";  // an alias that is not the same does not compile
  auto head = text.substr(0, std::min(text.find('('), text.find(" =")));
  while (head.find('<') != head.npos) {
    auto shorter = std::regex_replace(head, arguments, "");
    if (shorter == head) break;
    head = std::move(shorter);
  }
  if (head.find("operator") != head.npos || !std::regex_search(head, found, last_name)) return "";
  const auto name = found[1].str();
  return name.find("::") == name.npos ? name : "";
}

// Functions that each type has an overload of, by design (documents/fields/object.hpp).
const std::set<std::string> kOverloaded{"describe", "check", "read_value", "write_value"};

// Aliases that mean the same everywhere.
const std::set<std::string> kSameEverywhere{"fs"};

/// The names that a source declares in unnamed namespaces.
std::set<std::string> unnamed_names(const std::string& source) {
  enum class Scope { named, unnamed, other };
  std::vector<Scope> scopes;
  std::set<std::string> names;
  std::string statement;
  for (const char c : bare(source)) {
    if (c == ' ' && (statement.empty() || statement.back() == ' ')) continue;
    if (c == '}') {
      if (!scopes.empty()) scopes.pop_back();
      statement.clear();
    } else if (c == '{' || c == ';') {
      const bool is_namespace = statement.starts_with("namespace ") || statement == "namespace";
      if (!scopes.empty() && scopes.back() == Scope::unnamed && !is_namespace)
        if (auto name = declared_name(statement); !name.empty()) names.insert(std::move(name));
      if (c == '{')
        scopes.push_back(!is_namespace                                           ? Scope::other
                         : statement == "namespace" || statement == "namespace " ? Scope::unnamed
                                                                                 : Scope::named);
      statement.clear();
    } else {
      statement += c;
    }
  }
  return names;
}

/// The folder of the library that a source is in: the nearest one with a CMakeLists.txt.
std::filesystem::path library_of(std::filesystem::path folder) {
  while (!exists(folder / "CMakeLists.txt")) folder = folder.parent_path();
  return folder;
}

}  // namespace

TEST_CASE("the names that a source declares in unnamed namespaces are found") {
  CHECK(unnamed_names(R"(
#include <map>
namespace busline {
int outside();
namespace {
// int comment();
using Json = int;
struct Point { int x; };
constexpr std::array<std::pair<int, int>, 2> kTable{{{1, 2}}};
const char* const kText = "void quoted() {";
constexpr auto kShifted = std::uint64_t{1} << 60U;
template <class T, class U = std::vector<T>>
std::map<T, U> made(const T& value) { int inside = 0; return {}; }
void Class::member() {}
bool operator<(const Point& a, const Point& b) { return true; }
[[nodiscard]] int later(int n);
}  // namespace
}
)") == std::set<std::string>{"Point", "kShifted", "kTable", "kText", "later", "made"});
}

TEST_CASE("no two sources, or tests, of a library declare the same name in an unnamed namespace") {
  namespace fs = std::filesystem;
  std::map<std::string, std::map<std::string, std::string>> first;  // by unit, by name: the source
  std::size_t names = 0;
  for (const auto* module : {"sim", "workloads", "documents", "platforms", "measuring", "models",
                             "validation", "studies", "cli", "python", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / module)) {
      const auto& path = entry.path();
      const auto stem = path.stem().string();
      // Programs have a main function each.
      if (path.extension() != ".cpp" || stem.ends_with("_main")) continue;
      std::ostringstream text;
      text << std::ifstream(path).rdbuf();
      const bool is_test = stem.ends_with("_test");
      const auto unit = library_of(path.parent_path()).string() + (is_test ? " (tests)" : "");
      for (const auto& name : unnamed_names(text.str())) {
        ++names;
        if (kOverloaded.contains(name) || kSameEverywhere.contains(name)) continue;
        const auto known = first[unit].emplace(name, path.filename().string());
        CHECK_MESSAGE(known.second,
                      unit << ": " << name << " is in " << known.first->second << " and " << path.filename());
      }
    }
  CHECK(names > 2000);
}
