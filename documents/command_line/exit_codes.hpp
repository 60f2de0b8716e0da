// The program's exit codes. Few, so that scripts can branch on them (docs/reference/cli.md).
#pragma once
#include "sim/base/error.hpp"

namespace busline::cli {

enum Exit : int {
  kDone = 0,
  kBeyondThreshold = 1,  ///< a validation, or a calibration of its own measurements, exceeded its limits
  kBadOptions = 2,
  kBadInput = 3,
  kCannotComplete = 4,  ///< the simulated run cannot continue: deadlock, unsupported record
  kReadWriteFailed = 5,
  kBug = 70,
  kInterrupted = 130,  ///< SIGINT
  kTerminated = 143,   ///< SIGTERM
};

constexpr Exit exit_code(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::bad_option:
      return kBadOptions;
    case Error::Kind::bad_input:
      return kBadInput;
    case Error::Kind::unreadable:
      return kReadWriteFailed;
    case Error::Kind::unsupported:
      return kCannotComplete;
  }
  return kBug;
}

}  // namespace busline::cli
