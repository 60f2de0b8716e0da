// The kinds of 'busline study'; what they share.
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

/// Adds the options that say what is varied, to a command that can do without a file. `options` must outlive
/// it.
void add_study_options(CLI::App& command, StudyOptions& options);
/// Threads that there are cores for.
unsigned usual_threads();
/// The version and commit that outcomes are stored under.
std::string version_and_commit();

}  // namespace busline::cli
