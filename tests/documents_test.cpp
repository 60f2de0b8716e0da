// Documents are where others say that they are: files that sources name, files and headings that documents
// link to.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Not the root as a whole: builds lie in it.
constexpr std::array<std::string_view, 15> kFolders{
    "cli", "cmake",   "docs",  "documents",   "measuring", "models",     "packaging", "platforms",
    "sim", "studies", "tests", "third_party", "tools",     "validation", "workloads"};

struct Line {
  std::size_t number = 0;
  std::string text;
};

std::vector<Line> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) lines.push_back({lines.size() + 1, text});
  return lines;
}

/// Below the folders and in the root, with one of these endings.
std::vector<fs::path> files(std::initializer_list<std::string_view> endings) {
  const fs::path root = BUSLINE_SOURCE_DIR;
  std::vector<fs::path> found;
  const auto add = [&](const fs::directory_entry& entry) {
    const auto ending = entry.path().extension().string();
    if (entry.is_regular_file() && std::find(endings.begin(), endings.end(), ending) != endings.end())
      found.push_back(entry.path());
  };
  for (const auto& entry : fs::directory_iterator(root)) add(entry);
  for (const auto folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
  return found;
}

/// The lines of a document that are neither code in a fence nor code by indentation.
std::vector<Line> prose_of(const fs::path& document) {
  std::vector<Line> prose;
  bool fenced = false;
  for (auto& line : lines_of(document)) {
    if (line.text.starts_with("```")) fenced = !fenced;
    if (!fenced && !line.text.starts_with("    ")) prose.push_back(std::move(line));
  }
  return prose;
}

/// What a heading is called in links, as GitHub has it: small letters and digits, spaces as hyphens, no other
/// signs but hyphens and underscores.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const auto c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ')
      anchor += '-';
    else if (std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(byte));
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& document) {
  std::set<std::string> anchors;
  for (const auto& line : prose_of(document))
    if (const auto begin = line.text.find_first_not_of('#'); begin > 0 && begin < line.text.size())
      anchors.insert(anchor_of(std::string_view(line.text).substr(begin + 1)));
  return anchors;
}

std::vector<std::string> links_in(std::string_view text) {
  std::vector<std::string> links;
  for (auto at = text.find("]("); at != text.npos; at = text.find("](", at + 1))
    links.emplace_back(text.substr(at + 2, text.find(')', at) - at - 2));
  return links;
}

}  // namespace

TEST_CASE("every document that a file names exists") {
  std::size_t checked = 0;
  for (const auto& file : files({".cpp", ".hpp", ".cmake", ".txt", ".sh", ".py", ".md"}))
    for (const auto& line : lines_of(file)) {
      const auto& text = line.text;
      for (auto at = text.find("docs/"); at != text.npos; at = text.find("docs/", at + 1)) {
        const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-/", at);
        const auto name = text.substr(at, end == text.npos ? end : end - at);
        if (end == text.npos || text.compare(end, 3, ".md") != 0) continue;
        ++checked;
        CHECK_MESSAGE(fs::exists(fs::path(BUSLINE_SOURCE_DIR) / (name + ".md")),
                      file << ":" << line.number << ": " << name << ".md is missing");
      }
    }
  CHECK(checked > 50);
}

TEST_CASE("links in documents lead to existing files and headings") {
  CHECK(anchor_of("Eager, and `rendezvous_from`") == "eager-and-rendezvous_from");
  CHECK(links_in("[a](b.md#c), [d](e)") == std::vector<std::string>{"b.md#c", "e"});
  std::map<fs::path, std::set<std::string>> anchors;
  std::size_t checked = 0;
  for (const auto& document : files({".md"}))
    for (const auto& line : prose_of(document))
      for (const auto& link : links_in(line.text)) {
        if (link.starts_with("http")) continue;
        ++checked;
        const auto hash = link.find('#');
        const auto path = link.substr(0, hash);
        const auto target = path.empty() ? document : (document.parent_path() / path).lexically_normal();
        CHECK_MESSAGE(fs::exists(target), document << ":" << line.number << ": " << link << " is missing");
        if (hash == link.npos || !fs::is_regular_file(target)) continue;
        if (!anchors.contains(target)) anchors[target] = anchors_of(target);
        CHECK_MESSAGE(anchors[target].contains(link.substr(hash + 1)),
                      document << ":" << line.number << ": " << link << ": no such heading");
      }
  CHECK(checked > 200);
}

TEST_CASE("prose is at most 120 columns wide") {
  constexpr std::ptrdiff_t kWidest = 120;
  const auto columns = [](std::string_view utf8) {
    return std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; });
  };
  CHECK(columns("f\u00fcr") == 3);
  for (const auto& document : files({".md"}))
    for (const auto& line : prose_of(document))
      if (!line.text.starts_with("|"))
        CHECK_MESSAGE(columns(line.text) <= kWidest, document << ":" << line.number << " is too wide");
}
