#include "workloads/ti/read_ti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/text_parts.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/ti/rank_reader.hpp"

namespace busline {
namespace {

using ti::RankReader;

constexpr std::string_view kBlanks = " \t\r";

struct Line {
  std::uint64_t number = 0;  // in the file, from 1
  std::string_view text;
};

/// Calls `take` with each line that is not blank, until it returns false.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(kBlanks) != line.npos && !take(Line{number, line})) return;
  }
}

Error error_at(const std::string& path, std::uint64_t line, std::string message) {
  Error e;
  e.path = path;
  if (line > 0) e.line = line;
  e.message = std::move(message);
  return e;
}

/// The first word, if it is a number. A line may begin with any number of blanks, and is not made of blanks
/// alone.
std::optional<std::uint64_t> rank_of(const Line& line) {
  const auto text = line.text.substr(line.text.find_first_not_of(kBlanks));
  return whole_number<std::uint64_t>(text.substr(0, text.find_first_of(kBlanks)));
}

/// A single file for all ranks: its lines, by rank.
Expected<std::vector<std::vector<Line>>> by_rank(const std::string& path, std::string_view text) {
  // A rank has at least one line, so there are at most as many ranks as lines.
  const auto most = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::vector<std::vector<Line>> lines;
  std::uint64_t wrong = 0;
  for_each_line(text, [&](const Line& line) {
    const auto rank = rank_of(line);
    if (!rank || *rank >= most) {
      wrong = line.number;
      return false;
    }
    if (*rank >= lines.size()) lines.resize(*rank + 1);
    lines[*rank].push_back(line);
    return true;
  });
  if (wrong > 0)
    return tl::unexpected(
        error_at(path, wrong, fmt::format("expected a rank and a verb, of {} ranks at most", most)));
  if (lines.empty()) return tl::unexpected(error_at(path, 0, "expected lines of a rank and a verb each"));
  for (std::size_t rank = 0; rank < lines.size(); ++rank)
    if (lines[rank].empty())
      return tl::unexpected(error_at(
          path, 0, fmt::format("has lines of rank {}, but none of rank {}", lines.size() - 1, rank)));
  return lines;
}

Expected<Program> read_shared(const std::string& path, const TiOptions& options) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const auto lines = by_rank(path, file->text());
  if (!lines) return tl::unexpected(lines.error());
  ProgramBuilder program(static_cast<std::uint32_t>(lines->size()));
  for (std::uint32_t rank = 0; rank < lines->size(); ++rank) {
    RankReader reader(program, rank, path, options);
    for (const auto& line : (*lines)[rank])
      if (!reader.read(line.number, line.text)) return tl::unexpected(std::move(reader.error()));
  }
  return program.build();
}

}  // namespace

Expected<Program> read_ti(const std::vector<std::string>& files, const TiOptions& options) {
  if (files.empty()) {
    Error e;
    e.message = "a trace has a file for each rank, but there is none";
    return tl::unexpected(std::move(e));
  }
  if (files.size() == 1) return read_shared(files.front(), options);
  ProgramBuilder program(static_cast<std::uint32_t>(files.size()));
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    const auto file = MappedFile::open(files[rank]);
    if (!file) return tl::unexpected(file.error());
    RankReader reader(program, rank, files[rank], options);
    bool good = true;
    for_each_line(file->text(), [&](const Line& line) { return good = reader.read(line.number, line.text); });
    if (!good) return tl::unexpected(std::move(reader.error()));
  }
  return program.build();
}

}  // namespace busline
