// Random iterative programs on machines where messages queue for links and buses: there, a slightly other
// machine changes the order of messages, and run times jump.
#pragma once
#include <cstdint>

#include "platforms/description/platform.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct ContendedCase {
  Program program;
  Platform platform;
};

/// The same seed gives the same case. 4 to 16 ranks alternate between bursts and exchanges with neighbours.
/// Messages queue in nearly all cases, not in all.
ContendedCase contended_case(std::uint64_t seed);

}  // namespace busline
