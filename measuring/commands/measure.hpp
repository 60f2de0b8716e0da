// 'busline measure' and its kinds. A new kind is a file with an add_measure_ function, declared here and
// listed in measure.cpp.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "documents/command_line/command.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

Command add_measure(CLI::App& program, Invocation& invocation);

Command add_measure_calibration(CLI::App& measure, Invocation& invocation);
Command add_measure_linktest(CLI::App& measure, Invocation& invocation);
Command add_measure_skampi(CLI::App& measure, Invocation& invocation);
Command add_measure_ziatest(CLI::App& measure, Invocation& invocation);
Command add_measure_merge(CLI::App& measure, Invocation& invocation);

/// Writes the document to `output`: a file, or - for standard output.
Expected<void> save(const measure::Measurement& measurement, const std::string& output);

/// The last step of every kind: fills the provenance; writes the document to `output` (a file, - for standard
/// output, or nothing); prints the document if --json asks for it, else its tables (of a document that went
/// to a file a line for each suite), unless -q.
Expected<void> deliver(measure::Measurement measurement, const std::string& output,
                       const Invocation& invocation, const std::vector<std::string>& inputs);

}  // namespace busline::cli
