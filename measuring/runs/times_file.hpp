// The output of libbusline-times for a run (measuring/run_times/run_times.cpp writes it).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::runs {

/// What a rank says of itself.
struct TimedRank {
  std::string host;
  std::int32_t core = -1;   ///< -1: not known
  std::uint32_t cores = 0;  ///< on how many it may run; 0: not known
  Duration time;            ///< between the borders of the region
  Disturbance disturbance{};
  bool made_from = true, made_to = true;
};

struct TimesFile {
  std::string mpi, cpu_model;
  std::uint32_t cpus = 0;  ///< of rank 0's node
  std::vector<TimedRank> ranks;
};

void describe(Fields& f, TimesFile& t);

/// Errors name the file and the place in it. A file without ranks is none.
Expected<TimesFile> read_times_file(const std::string& path);

}  // namespace busline::runs
