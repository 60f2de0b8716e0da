// Words for a deadlock report.
#pragma once
#include <cstddef>
#include <string>

#include "sim/program/program.hpp"

namespace busline {

/// What a rank blocked in `op` waits for: "a message from rank 3, tag 7, communicator 0". `arrived`: the
/// number of members that have called its collective; 0 if unknown.
std::string what_it_waits_for(const Program& program, const Operation& op, std::size_t arrived);

}  // namespace busline
