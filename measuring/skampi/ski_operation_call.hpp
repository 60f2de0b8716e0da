// What stands behind "measure": an operation with its arguments.
#pragma once
#include <optional>

#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_scope.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// What `call`, a call, measures among the ranks of `communicator`, with the settings that hold. The block
/// and the loops around it are the caller's to fill in. Nothing: its messages are larger than the buffers,
/// and a loop "to ..." is around it, which ends there (`in_open_loop`). Errors: operations that there are
/// not, their arguments, communicators that are too large or too small, messages that are larger than the
/// buffers.
Expected<std::optional<SkiMeasurement>> read_ski_operation(const SkiTerm& call,
                                                           const SkiCommunicator& communicator,
                                                           bool in_open_loop, SkiScope& scope);

}  // namespace busline::skampi
