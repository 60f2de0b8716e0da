#include "measuring/runs/program_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "documents/fields/text_file.hpp"

namespace busline::runs {
namespace {

constexpr const char* kExample = "such as: jacobi: mpirun -n 8 {} ./jacobi";

// Nothing if a quote is not closed.
std::optional<std::vector<std::string>> command_words(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (const char c : text) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else
      words.back() += c;
  }
  if (quote != 0) return std::nullopt;
  return words;
}

bool can_be_folder(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/ \t") == name.npos;
}

Expected<ListedProgram> listed_program(std::string_view line) {
  const auto wrong = [](std::string message) {
    Error e;
    e.message = std::move(message);
    e.hint = kExample;
    return tl::unexpected(std::move(e));
  };
  const auto colon = line.find(':');
  ListedProgram program{std::string(line.substr(0, colon)), {}};
  if (colon == line.npos || !can_be_folder(program.name))
    return wrong("expected the name of a program, without blanks and '/', and a colon");
  auto words = command_words(line.substr(colon + 1));
  if (!words) return wrong("a quote is not closed");
  if (words->empty()) return wrong(fmt::format("expected the command of {} after the colon", program.name));
  program.command = *std::move(words);
  return program;
}

}  // namespace

Expected<std::vector<ListedProgram>> parse_program_list(const std::string& text, const std::string& path) {
  std::vector<ListedProgram> programs;
  std::istringstream lines(text);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos || line[begin] == '#') continue;
    auto program = listed_program(std::string_view(line).substr(begin));
    const auto same = [&](const ListedProgram& p) { return p.name == program->name; };
    if (program && std::any_of(programs.begin(), programs.end(), same)) {
      Error e;
      e.message = fmt::format("{} stands there twice; its runs would be in the same folder", program->name);
      program = tl::unexpected(std::move(e));
    }
    if (!program) {
      program.error().path = path;
      program.error().line = number;
      return tl::unexpected(std::move(program.error()));
    }
    programs.push_back(*std::move(program));
  }
  if (programs.empty()) return refuse_file(Error::Kind::bad_input, path, "lists no program", kExample);
  return programs;
}

Expected<std::vector<ListedProgram>> read_program_list(const std::string& path) {
  return read_text_file(path).and_then(
      [&](const std::string& text) { return parse_program_list(text, path); });
}

}  // namespace busline::runs
