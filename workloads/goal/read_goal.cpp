#include "workloads/goal/read_goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "workloads/files/mapped_file.hpp"
#include "workloads/goal/binary_layout.hpp"
#include "workloads/goal/binary_reader.hpp"
#include "workloads/goal/rank_program.hpp"
#include "workloads/goal/text_reader.hpp"

namespace busline {
namespace {

/// Without the blanks, line ends and comments that it begins with; a comment that does not end in it is all
/// of it.
std::string_view after_comments(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool to_line_end = text.starts_with("//");
    if (!to_line_end && !text.starts_with("/*")) return text;
    const auto end = to_line_end ? text.find('\n') : text.find("*/", 2);
    text.remove_prefix(end == text.npos ? text.size() : end + (to_line_end ? 1 : 2));
  }
}

}  // namespace

bool looks_like_goal_binary(std::string_view head) {
  if (head.size() < goal::kMagicBytes) return false;
  const auto magic = goal::load<std::uint64_t>(head.data());
  return magic == goal::kGoalMagic || magic == goal::kSpoiledMagic;
}

bool looks_like_goal_text(std::string_view head) {
  return after_comments(head).starts_with("num_ranks");
}

Expected<Program> read_goal_content(std::string_view content, const std::string& path,
                                    const GoalOptions& options, Diagnostics& diagnostics) {
  std::optional<ProgramBuilder> program;
  std::optional<goal::RankProgram> ranks;
  const auto take = [&](const goal::RankGraph& graph, const goal::GoalPlaces& places) {
    return ranks->add(graph, places);
  };
  const auto begin = [&](std::uint32_t n) {
    program.emplace(n);
    ranks.emplace(*program, options);
  };
  const auto read = looks_like_goal_binary(content) ? goal::read_binary(
                                                          content, path,
                                                          [&](std::uint32_t n, std::uint64_t operations) {
                                                            begin(n);
                                                            program->reserve(operations);
                                                          },
                                                          take)
                                                    : goal::read_text(content, path, begin, take);
  if (!read) return tl::unexpected(read.error());
  if (ranks->held_back()) diagnostics.push_back(*ranks->held_back());
  if (ranks->other_nics() > 0)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "goal-nic",
         fmt::format("{} operations use a nic other than 0; a node's links serve all its messages alike",
                     ranks->other_nics()),
         path});
  return program->build();
}

Expected<Program> read_goal(const std::string& path, const GoalOptions& options, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return read_goal_content(file->text(), path, options, diagnostics);
}

}  // namespace busline
