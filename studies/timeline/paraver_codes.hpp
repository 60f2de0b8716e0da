// The numbers that Paraver's own configurations use: states, and the events for MPI calls as Extrae writes
// them. Source: the .pcf files of Extrae and Dimemas.
#pragma once
#include <cstdint>
#include <string_view>

#include "studies/timeline/timeline.hpp"
#include "workloads/paraver/mpi_codes.hpp"

namespace busline::timeline {

struct ParaverState {
  int code = 0;
  std::string_view label;
  std::string_view colour;  ///< "{0,0,255}"
};
ParaverState paraver_state(State s);

/// An event of `type` with `value` stands where a call of that name is entered, one with 0 where it is left.
struct ParaverCall {
  std::uint32_t type = 0;
  std::uint32_t value = 0;
};
/// Calls that Extrae has no number for get kOtherCalls + `index`.
inline constexpr std::uint32_t kOtherCalls = 1000;
ParaverCall paraver_call(std::string_view name, std::uint32_t index);
/// The types, for .pcf files.
struct ParaverCallType {
  std::uint32_t type = 0;
  std::string_view label;
};
inline constexpr ParaverCallType kPointToPoint{paraver::kPointToPoint, "MPI Point-to-point"},
    kCollectives{paraver::kCollective, "MPI Collective Comm"}, kOther{paraver::kOther, "MPI Other"},
    kOneSided{paraver::kOneSided, "MPI One-sided"}, kFiles{paraver::kFile, "MPI I/O"};

}  // namespace busline::timeline
