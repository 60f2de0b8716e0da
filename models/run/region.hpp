// Translates a region as users write it ("MPI_Barrier:1" to "MPI_Reduce:-3") to positions in a Program.
#pragma once
#include <vector>

#include "models/run/simulate_options.hpp"
#include "sim/base/error.hpp"
#include "sim/observers/region_observer.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// The borders of `region` on every strand of `program`. A border without a name is the strand's begin or
/// end. An Error of kind bad_option if no rank makes the call that often.
Expected<IdVector<StrandId, RegionBorders>> find_borders(const Program& program, const Region& region);

}  // namespace busline
