// SIGINT and SIGTERM: noted, so that a command can stop and print what is known. A second one ends the
// program.
#pragma once
#include <optional>

#include "cli/program/exit_codes.hpp"

namespace busline::cli {

void catch_interrupts();
bool interrupted();
/// kInterrupted or kTerminated, once a signal has come.
std::optional<Exit> interrupt_exit();

}  // namespace busline::cli
