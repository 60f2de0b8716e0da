// Reads Dimemas traces (.dim, written by prv2dim) into Programs. docs/reference/dim.md describes the format
// as read here.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// The trace at `path`, which is read from its first line to its last: an offset table is neither needed nor
/// used. Bursts are exact to the picosecond. Waits are bound to the oldest request of the same source, tag
/// and communicator; a wait without one is a receive, as in Dimemas. Errors name the line and the field; a
/// truncated file is an error wherever the truncation is detectable. Warnings go to `diagnostics`. Memory:
/// the Program only; the file is mapped.
Expected<Program> read_dim(const std::string& path, Diagnostics& diagnostics);

/// The same from `text`; `path` is for messages.
Expected<Program> read_dim_text(std::string_view text, const std::string& path, Diagnostics& diagnostics);

/// Whether `text` begins like a Dimemas trace.
bool looks_like_dim(std::string_view text);

}  // namespace busline
