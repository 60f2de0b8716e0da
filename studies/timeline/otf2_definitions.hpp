// The meaning of the numbers in the events of an OTF2 archive.
#pragma once
#ifdef BUSLINE_HAS_OTF2
#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "studies/timeline/format.hpp"
#include "studies/timeline/otf2_errors.hpp"
#include "studies/timeline/otf2_numbers.hpp"

namespace busline::timeline {

/// Writes the clock, regions, parameters, nodes, tasks, locations and communicators. `events_of` are the
/// numbers of events by track. Errors are kept by `errors`.
void write_otf2_definitions(OTF2_GlobalDefWriter* to, const Writing& writing, const Otf2Numbers& numbers,
                            const std::vector<std::uint64_t>& events_of, Otf2Errors& errors);

}  // namespace busline::timeline
#endif
