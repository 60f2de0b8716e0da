// Reads GOAL schedules, as Schedgen and txt2bin of LogGOPSim write them, text and binary:
// docs/reference/goal.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct GoalOptions {
  /// What a `calc` of 1 lasts: the format has no unit. Schedgen writes nanoseconds. > 0.
  Duration unit = Duration::picoseconds(1000);
  bool operator==(const GoalOptions&) const = default;
};

/// The Program of a schedule. Each cpu of a rank becomes a strand, in which operations follow one another by
/// their dependences and, where these leave a choice, by their place in the file; `diagnostics` reports where
/// such an order may hold back an operation. An Error of kind bad_input if it is not a schedule or its
/// dependences form a circle; of kind unsupported for what no Program can say, such as a cpu that waits for a
/// calculation on another one. Memory beside the Program: some 45 bytes for each operation of the largest
/// rank.
Expected<Program> read_goal(const std::string& path, const GoalOptions& options, Diagnostics& diagnostics);
/// The same from the content of a file; `path` names it in messages.
Expected<Program> read_goal_content(std::string_view content, const std::string& path,
                                    const GoalOptions& options, Diagnostics& diagnostics);

/// Whether a file with these first bytes is a schedule: binary, by its number, or text, by its first word.
bool looks_like_goal_binary(std::string_view head);
bool looks_like_goal_text(std::string_view head);

}  // namespace busline
