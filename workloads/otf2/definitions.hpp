// The global definitions of an OTF2 archive: what the ids in its events mean.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/otf2/regions.hpp"

namespace busline::otf2 {

struct Location {
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t events = 0;
};

struct Comm {
  std::vector<std::uint32_t> members;  ///< ranks of the job by rank in the communicator; group A of an inter
  std::vector<std::uint32_t> remote;   ///< group B of an inter-communicator
  bool is_self = false;                ///< stands for a communicator of one rank on each rank that uses it
  bool is_inter = false;
  bool is_valid = false;  ///< has members, which are ranks of the job, each once
};

struct Definitions {
  std::uint64_t ticks_per_second = 0;
  std::vector<Region> regions;
  std::vector<Comm> comms;
  std::vector<std::uint32_t> windows;  ///< their communicators
  std::vector<Location> locations;
  std::vector<std::uint32_t> ranks;  ///< by rank: its location, an index
  std::uint32_t world = 0;           ///< communicator of all ranks, an index; comms.size() if there is none
  std::vector<std::string> metrics;  ///< names of hardware counters and other metrics
  /// From ids to indices of the tables above.
  std::unordered_map<std::uint64_t, std::uint32_t> region_ids, comm_ids, window_ids;
};

/// Reads the file of global definitions. `path` is for errors only. An Error if it is damaged or has no MPI
/// ranks. Memory is proportional to the file.
Expected<Definitions> read_definitions(std::string_view file, std::uint64_t chunk_size,
                                       const std::string& path);

/// An error at a place of a file.
Error damage_at(const std::string& path, std::size_t offset, std::string message);

}  // namespace busline::otf2
