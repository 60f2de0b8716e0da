// The commands of busline, in the order of its help.
#pragma once
#include <array>

#include "cli/commands.hpp"
#include "documents/command_line/manual/describe.hpp"
#include "measuring/commands/measure.hpp"

namespace busline::cli {

inline constexpr std::array kBuslineCommands{
    add_simulate, add_inspect,   add_explain,  add_convert, add_generate,   add_topology,
    add_measure,  add_calibrate, add_validate, add_compare, add_study,      add_diff,
    add_curve,    add_report,    add_bench,    add_schema,  add_completion, add_man};

}  // namespace busline::cli
