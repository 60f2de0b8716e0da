// Algorithms of collectives that are known because the MPI library was set to use them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/algorithms/registry.hpp"
#include "sim/base/error.hpp"
#include "sim/program/collective.hpp"

namespace busline::calibrate {

using KnownAlgorithms = std::map<CollectiveKind, Algorithm>;

/// For texts "MPI_Alltoall=pairwise". Errors (bad_option): no '=', an operation that has no algorithms, an
/// algorithm that the operation does not have, two for one operation.
Expected<KnownAlgorithms> parse_known_algorithms(const std::vector<std::string>& texts);

}  // namespace busline::calibrate
