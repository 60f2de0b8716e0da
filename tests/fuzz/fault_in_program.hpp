// What must hold for a Program, whatever it was read from.
#pragma once
#include <string>

#include "sim/program/program.hpp"

namespace busline::fuzz {

/// It keeps the rules of Programs; a Program file of it holds the same, and so does a Dimemas trace, where
/// one can be written; a small one can be simulated, and the states of a rank add up to its end. Empty if so.
std::string fault_in_program(const Program& program);

}  // namespace busline::fuzz
