// Runs command-line cases: cli_cases --busline PROGRAM --source REPOSITORY --scratch FOLDER [--update]
// CASE...
//
// A case is a text file:
//   # what it shows
//   --- file NAME       a file that is there when the command runs; any number of these
//   --- command         lines of a shell, run in a folder with the files above and with links to the
//                       repository's platforms/, validation/ and studies/; 'busline' is the program under
//                       test
//   --- exit N
//   --- stdout          what it prints, to the character; absent: nothing
//   --- stderr
// Output that differs between runs is replaced first: the provenance of JSON documents, the program's
// version.
// --update writes the actual output into the case.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cli/typed_commands.hpp"

namespace {

using namespace busline::typed;

struct Case {
  std::string comment;
  std::vector<std::pair<std::string, std::string>> files;
  std::string command, exit = "0", out, err;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<Case> read_case(const fs::path& path) {
  constexpr std::string_view kFile = "--- file ", kExit = "--- exit ";
  Case c;
  std::string* section = &c.comment;
  std::istringstream in(read_file(path));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("--- ")) {
      section->append(line).append("\n");
    } else if (line == "--- command") {
      section = &c.command;
    } else if (line == "--- stdout") {
      section = &c.out;
    } else if (line == "--- stderr") {
      section = &c.err;
    } else if (line.starts_with(kExit)) {
      c.exit = line.substr(kExit.size());
    } else if (line.starts_with(kFile)) {
      section = &c.files.emplace_back(line.substr(kFile.size()), "").second;
    } else {
      std::cerr << path.string() << ": unknown section '" << line << "'\n";
      return std::nullopt;
    }
  }
  if (!c.command.empty()) return c;
  std::cerr << path.string() << ": no such case, or it has no command\n";
  return std::nullopt;
}

void write_case(const fs::path& path, const Case& c) {
  std::ofstream out(path, std::ios::binary);
  out << c.comment;
  for (const auto& [name, text] : c.files) out << "--- file " << name << "\n" << text;
  out << "--- command\n" << c.command << "--- exit " << c.exit << "\n";
  if (!c.out.empty()) out << "--- stdout\n" << c.out;
  if (!c.err.empty()) out << "--- stderr\n" << c.err;
}

std::string without_what_varies(std::string text) {
  static const std::regex version(R"(busline [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-z+]+\))?)");
  // To the line's last brace. std::regex would go deeper with each character, and a list of inputs is long.
  static const std::string provenance = "\"provenance\": {";
  for (auto at = text.find(provenance); at != std::string::npos; at = text.find(provenance, at)) {
    at += provenance.size();
    const auto end = std::min(text.find('\n', at), text.size());
    const auto brace = text.rfind('}', end);
    if (brace != std::string::npos && brace >= at) text.erase(at, brace - at);
  }
  text = std::regex_replace(text, version, "busline VERSION");
  if (!text.empty() && text.back() != '\n') text += "(no newline at the end)\n";
  return text;
}

// The case with exit code, stdout and stderr replaced by the actual ones.
Case run(const Case& given, const std::string& name, const Arguments& arguments) {
  const auto work = work_folder(arguments, name), folder = work.parent_path();
  for (const auto& [file, text] : given.files) {
    fs::create_directories((work / file).parent_path());
    std::ofstream(work / file, std::ios::binary) << text;
  }
  const int status = run_lines(arguments, work, given.command, false);
  Case seen = given;
  seen.exit = std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  seen.out = without_what_varies(read_file(folder / "stdout"));
  seen.err = without_what_varies(read_file(folder / "stderr"));
  return seen;
}

bool same(const char* what, const std::string& expected, const std::string& seen) {
  if (expected == seen) return true;
  std::cout << "== " << what << ", expected:\n" << expected << "== seen:\n" << seen;
  return false;
}

bool check(const fs::path& path, const Arguments& arguments) {
  const auto expected = read_case(path);
  if (!expected) return false;
  const auto seen = run(*expected, path.stem().string(), arguments);
  if (arguments.update) {
    write_case(path, seen);
    return true;
  }
  bool good = same("exit", expected->exit + "\n", seen.exit + "\n");
  good = same("stdout", expected->out, seen.out) && good;
  good = same("stderr", expected->err, seen.err) && good;
  if (!good) std::cout << path.string() << " fails; accept the new output with tools/update_cli_cases.sh\n";
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = arguments_of(argc, argv);
  unsetenv("NO_COLOR");
  bool good = true;
  for (const auto& path : arguments.files) good = check(path, arguments) && good;
  return good ? 0 : 1;
}
