// Words for a deadlock report.
#pragma once
#include <cstddef>
#include <string>

#include "sim/program/program.hpp"

namespace busline {

/// What a rank that is blocked in `op` waits for: "a message from rank 3, tag 7, communicator 0". `arrived`:
/// how many members have called the collective it is in; 0 if unknown.
std::string what_it_waits_for(const Program& program, const Operation& op, std::size_t arrived);

}  // namespace busline
