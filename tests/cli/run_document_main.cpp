// Runs what a document shows: run_document --busline PROGRAM --source REPOSITORY --scratch FOLDER [--update]
// FILE.md
//
// For an indented block, lines that begin with "$ busline" are commands (longer ones go on after a
// backslash), and what follows up to the next command or the block's end is what they print. A line "..."
// stands for any number of lines. The commands run one after the other in one folder, with links to the
// repository's folders. --update writes what was printed into the document, but where there is a "...".
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/typed_commands.hpp"

namespace {

using namespace busline::typed;
using Lines = std::vector<std::string>;

constexpr std::string_view kIndent = "    ", kCommand = "    $ busline", kFile = "    $ cat ",
                           kPrompt = "    $ ";

Lines lines_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Shown {
  std::string command;
  std::size_t begin = 0, end = 0;  // lines of what it prints, blank ones at the end left out
};

std::vector<Shown> commands_of(const Lines& lines) {
  std::vector<Shown> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kCommand) && !lines[i].starts_with(kFile)) continue;
    Shown s;
    s.command = lines[i].substr(kIndent.size() + 2) + "\n";
    while (lines[i].ends_with('\\') && i + 1 < lines.size()) s.command += lines[++i] + "\n";
    s.begin = s.end = i + 1;
    for (auto next = s.begin; next < lines.size(); ++next) {
      if (lines[next].empty()) continue;
      if (!lines[next].starts_with(kIndent) || lines[next].starts_with(kPrompt)) break;
      s.end = next + 1;
    }
    all.push_back(s);
  }
  return all;
}

/// A command's output as the document would show it; its exit code is 0 or 1 (a validation beyond its
/// threshold).
bool run(const std::string& command, const fs::path& work, const Arguments& arguments, Lines& printed) {
  const int status = run_lines(arguments, work, command, true);
  for (const auto& line : lines_of(work.parent_path() / "stdout"))
    printed.push_back(line.empty() ? line : std::string(kIndent) + line);
  while (!printed.empty() && printed.back().empty()) printed.pop_back();
  return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

bool matches(const Lines& expected, std::size_t e, const Lines& seen, std::size_t s) {
  if (e == expected.size()) return s == seen.size();
  if (expected[e] == "    ...") {
    for (auto from = s; from <= seen.size(); ++from)
      if (matches(expected, e + 1, seen, from)) return true;
    return false;
  }
  return s < seen.size() && expected[e] == seen[s] && matches(expected, e + 1, seen, s + 1);
}

bool has_gap(const Lines& expected) {
  for (const auto& line : expected)
    if (line == "    ...") return true;
  return false;
}

void print(const char* what, const Lines& lines) {
  std::cout << "== " << what << "\n";
  for (const auto& line : lines) std::cout << line << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = arguments_of(argc, argv);
  if (arguments.files.size() != 1) return 2;
  const auto& document = arguments.files.front();
  const auto work = work_folder(arguments, document.stem().string());
  unsetenv("NO_COLOR");

  const auto lines = lines_of(document);
  Lines updated;
  std::size_t copied = 0;
  bool good = true;
  const auto shown = commands_of(lines);
  for (const auto& s : shown) {
    Lines seen;
    const Lines expected(lines.begin() + static_cast<std::ptrdiff_t>(s.begin),
                         lines.begin() + static_cast<std::ptrdiff_t>(s.end));
    if (s.command.starts_with("cat ")) {
      std::ofstream file(work / s.command.substr(4, s.command.size() - 5));
      for (const auto& line : expected) file << line.substr(std::min(line.size(), kIndent.size())) << "\n";
      continue;
    }
    const bool ran = run(s.command, work, arguments, seen);
    const bool same = matches(expected, 0, seen, 0);
    updated.insert(updated.end(), lines.begin() + static_cast<std::ptrdiff_t>(copied),
                   lines.begin() + static_cast<std::ptrdiff_t>(s.begin));
    const auto& kept = same || has_gap(expected) ? expected : seen;
    updated.insert(updated.end(), kept.begin(), kept.end());
    copied = s.end;
    if (ran && (same || arguments.update)) continue;
    std::cout << document.string() << ": " << s.command;
    print("shown", expected);
    print(ran ? "seen" : "seen, and it failed", seen);
    good = false;
  }
  updated.insert(updated.end(), lines.begin() + static_cast<std::ptrdiff_t>(copied), lines.end());
  if (arguments.update) {
    std::ofstream out(document, std::ios::binary);
    for (const auto& line : updated) out << line << "\n";
  }
  if (shown.empty()) std::cout << document.string() << " shows no command\n";
  return good && !shown.empty() ? 0 : 1;
}
