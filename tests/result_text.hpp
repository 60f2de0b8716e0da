// Results and Programs as text, to compare them in tests: equal texts are equal things.
#pragma once
#include <string>
#include <vector>

#include "sim/program/program.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// Every figure of a Result.
std::string all_of(const Result& result, bool with_resources = true);

/// Every operation with what it refers to: "rank 0: send flags 1 MPI_Send to 1, 8 bytes, tag 4 on 0".
std::vector<std::string> all_of(const Program& program);

}  // namespace busline
