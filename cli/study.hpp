// The kinds of 'busline study' and their common parts.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "documents/command_line/command.hpp"
#include "studies/study/study.hpp"

namespace busline::cli {

Command add_study_run(CLI::App& study, Invocation& invocation);
Command add_study_show(CLI::App& study, Invocation& invocation);
Command add_study_export(CLI::App& study, Invocation& invocation);
Command add_study_merge(CLI::App& study, Invocation& invocation);
Command add_study_find(CLI::App& study, Invocation& invocation);

/// Adds the options that say what to vary, for a command that does not need a file. `options` must outlive
/// it.
void add_study_options(CLI::App& command, StudyOptions& options);
/// Adds --base and --weight. `options` must outlive it.
void add_comparison_options(CLI::App& command, StudyOptions& options);
/// The number of threads that have a core.
unsigned usual_threads();
/// The version and commit that outcomes are stored under.
std::string version_and_commit();

}  // namespace busline::cli
