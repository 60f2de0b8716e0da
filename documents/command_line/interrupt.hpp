// SIGINT and SIGTERM: noted, so that a command can stop and print what is known. A second one ends the
// program.
#pragma once
#include <optional>

#include "documents/command_line/exit_codes.hpp"

namespace busline::cli {

void catch_interrupts();
bool interrupted();
/// kInterrupted or kTerminated, once a signal has come.
std::optional<Exit> interrupt_exit();

/// While one lives, a signal ends the program at once: where files are read and hashed, and there is nothing
/// to keep yet. One at a time.
class NothingToKeep {
 public:
  NothingToKeep();
  ~NothingToKeep();
  NothingToKeep(const NothingToKeep&) = delete;
  NothingToKeep& operator=(const NothingToKeep&) = delete;
};

}  // namespace busline::cli
