#include "measuring/runs/output_end.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "documents/fields/printable.hpp"

namespace busline::runs {
namespace {

constexpr std::streamoff kMostBytes = 4096;
constexpr std::size_t kMostLines = 10, kMostColumns = 200;

std::vector<std::string> last_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<std::streamoff>(file.tellg());
  file.seekg(std::max<std::streamoff>(0, size - kMostBytes));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) lines.push_back(printable(line, kMostColumns));
  if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
  return lines;
}

}  // namespace

std::string end_of_output(const std::string& label) {
  for (const auto* which : {".err", ".out"}) {
    const auto lines = last_lines(label + which);
    if (lines.empty()) continue;
    auto text = label + which + " ends with:";
    for (const auto& line : lines) text.append("\n    ").append(line);
    return text;
  }
  return "it printed nothing";
}

}  // namespace busline::runs
