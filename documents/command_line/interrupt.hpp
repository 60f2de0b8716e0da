// SIGINT and SIGTERM: noted, so that a command can stop and print its results so far. A second one ends the
// program.
#pragma once
#include <optional>

#include "documents/command_line/exit_codes.hpp"

namespace busline::cli {

void catch_interrupts();
bool interrupted();
/// kInterrupted or kTerminated, once a signal has arrived.
std::optional<Exit> interrupt_exit();

/// During its lifetime a signal ends the program at once: for reading and hashing files, when there are no
/// results to keep yet. Only one at a time.
class NothingToKeep {
 public:
  NothingToKeep();
  ~NothingToKeep();
  NothingToKeep(const NothingToKeep&) = delete;
  NothingToKeep& operator=(const NothingToKeep&) = delete;
};

}  // namespace busline::cli
