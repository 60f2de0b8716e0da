// How a run set is shown: where it ran, each run's times, and how far they lie apart.
#pragma once
#include <string>

#include "measuring/runs/run_set.hpp"

namespace busline {

/// Times that lie further apart say more about the machine's other users than about the program.
inline constexpr double kWideSpread = 0.05;

std::string to_text(const runs::RunSet& set);

}  // namespace busline
