// The commands of busline. A new one is a file with an add_ function, declared here and listed in
// busline_commands.hpp; 'busline measure' is in measuring/commands, and completion and manual pages are in
// documents/command_line/manual.
#pragma once
#include "documents/command_line/command.hpp"

namespace busline::cli {

Command add_simulate(CLI::App& program, Invocation& invocation);
Command add_inspect(CLI::App& program, Invocation& invocation);
Command add_explain(CLI::App& program, Invocation& invocation);
Command add_convert(CLI::App& program, Invocation& invocation);
Command add_generate(CLI::App& program, Invocation& invocation);
Command add_topology(CLI::App& program, Invocation& invocation);
Command add_calibrate(CLI::App& program, Invocation& invocation);
Command add_validate(CLI::App& program, Invocation& invocation);
Command add_compare(CLI::App& program, Invocation& invocation);
Command add_study(CLI::App& program, Invocation& invocation);
Command add_diff(CLI::App& program, Invocation& invocation);
Command add_curve(CLI::App& program, Invocation& invocation);
Command add_report(CLI::App& program, Invocation& invocation);
Command add_bench(CLI::App& program, Invocation& invocation);
Command add_schema(CLI::App& program, Invocation& invocation);

}  // namespace busline::cli
