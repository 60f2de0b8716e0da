#include "documents/command_line/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace busline::cli {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler can reach nothing else
volatile std::sig_atomic_t received = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): as above
volatile std::sig_atomic_t nothing_to_keep = 0;

extern "C" void note_signal(int number) {
  received = number;
  if (nothing_to_keep != 0) _exit(*interrupt_exit());
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return received != 0;
}

std::optional<Exit> interrupt_exit() {
  if (received == SIGINT) return kInterrupted;
  if (received == SIGTERM) return kTerminated;
  return std::nullopt;
}

NothingToKeep::NothingToKeep() {
  nothing_to_keep = 1;
  if (const auto stopped = interrupt_exit()) _exit(*stopped);
}

NothingToKeep::~NothingToKeep() {
  nothing_to_keep = 0;
}

}  // namespace busline::cli
