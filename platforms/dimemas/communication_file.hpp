// Dimemas's communication file, the third name in "configuration files" (comm_configuration.c): models of
// single collective operations, flight times between machines, policies.
#pragma once
#include <string>
#include <string_view>

#include "platforms/description/platform.hpp"
#include "platforms/dimemas/records.hpp"
#include "sim/base/error.hpp"

namespace busline::dimemas {

/// Applies the file to `platform`, which already has its machines and their tables. Lines:
///
///     Machine globalop: <machine> <operation id> <in model> <in size> <out model> <out size>
///     External globalop: <operation id> <in model> <in size> <out model> <out size>
///     <operation id> <in model> <in size> <out model> <out size> <number without effect>
///     Flight time: <machine> <seconds to machine 0> <to machine 1> ...
///     Machine policy: <machine> FIFO
///     Policy: FIFO
///     Quantum size (bytes): <n>
///
/// Reduce cannot be configured, as in Dimemas; a line that tries to goes to `diagnostics`. Policies other
/// than FIFO are Errors of kind unsupported.
Expected<void> read_communication_file(std::string_view text, const std::string& path, Platform& platform,
                                       Diagnostics& diagnostics);

}  // namespace busline::dimemas
