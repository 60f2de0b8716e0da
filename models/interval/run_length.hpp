// What intervals and distributions are of.
#pragma once
#include "sim/base/units.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The region's time if there is one, else the run's.
inline Duration length_of(const Result& result) {
  return result.region ? result.region->run_time : result.run_time.since_start();
}

}  // namespace busline
