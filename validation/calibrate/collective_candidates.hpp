// Candidates to explain the times of a collective operation: the algorithms that there are for it
// (docs/reference/algorithms.md), and Dimemas's closed forms (docs/model.md).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/program/collective.hpp"
#include "validation/calibrate/known_algorithms.hpp"

namespace busline::calibrate {

/// "pairwise", "fan-in none, fan-out logarithmic of 2*max".
std::string name_of(const CollectiveCost& cost);

/// For all sizes, the simpler first: the algorithms that several libraries share, in the order of the
/// registry, then closed forms. A closed form is a model of each phase and one size rule for both; which rule
/// it is only matters where an operation has different sizes on both sides.
std::vector<CollectiveCost> candidates_for(CollectiveKind kind);
/// The algorithm that is known for the operation alone, if one is.
std::vector<CollectiveCost> candidates_for(CollectiveKind kind, const KnownAlgorithms& known);

/// Whether it has sizes: Barrier and constructors of communicators have none.
bool moves_data(CollectiveKind kind);

/// The operation of that name, if it is one that platforms can name and kernels measure.
std::optional<CollectiveKind> collective_named(std::string_view mpi_name);

}  // namespace busline::calibrate
