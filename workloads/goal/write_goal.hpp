// Writes Programs as GOAL schedules, text or binary, for LogGOPSim and other programs that read these
// (docs/reference/goal.md).
#pragma once
#include <functional>

#include "sim/algorithms/libraries.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

struct GoalOutput {
  Duration unit = Duration::picoseconds(1000);  ///< of a calc; > 0
  /// Whose algorithms collectives are spelt out by: mpich or open_mpi.
  CollectivePreset collectives = CollectivePreset::mpich;
  bool operator==(const GoalOutput&) const = default;
};
enum class GoalForm { text, binary };

/// Bursts are rounded to units, with what is left over added to the next one. Changes that affect a
/// prediction are reported in `diagnostics`. An Error, with rank and call, for what a schedule cannot say:
/// one-sided transfers, receives with any tag, work that depends on which message came first, and collectives
/// whose calls do not match. False if `progress` (called with the completed share) stopped it. Cost: two
/// passes over the Program for a binary schedule; memory for the operations of a rank.
Expected<bool> write_goal(const Program& program, GoalForm form, const GoalOutput& options, ByteSink& sink,
                          Diagnostics& diagnostics, const std::function<bool(double)>& progress = {});

}  // namespace busline
