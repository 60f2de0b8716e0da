// What a region of a trace means for the simulation, by its name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/program/collective.hpp"
#include "sim/program/program_builder.hpp"

namespace busline::otf2 {

enum class RegionClass : std::uint8_t {
  user,        ///< not a call of MPI
  artificial,  ///< not of the program: "MEASUREMENT OFF", the states of Busline's timelines
  flush,       ///< the tracer writes its buffer
  // Calls of MPI.
  local,  ///< neither moves data nor waits, or only by its records
  send,
  start,  ///< MPI_Isend, MPI_Start, ...: does not wait for what it sends
  receive,
  sendrecv,
  wait,
  request_free,
  init,
  finalize,
  creation,    ///< of a communicator: synchronises
  collective,  ///< moves data by an MPI_COLLECTIVE_END
  nonblocking_collective,
  neighbour,  ///< leaves no record of what it moves
  file,
  not_simulated,    ///< dynamic processes
  matched_receive,  ///< MPI_Mrecv, MPI_Imrecv: leave no record
};

struct Region {
  std::string name;  ///< an MPI call as the standard spells it
  RegionClass of = RegionClass::user;
  SendMode mode = SendMode::standard;  ///< of its sends
  std::optional<CollectiveKind> kind;  ///< that a creation counts as
  std::int64_t event = 0;              ///< value of its user event: the same for all regions of this name
  bool tests = false;                  ///< MPI_Test and the like: may complete a request
  bool is_call() const { return of > RegionClass::flush; }
};

/// Calls of MPI begin with "MPI_", or in any case with a '_' at the end, as EZTrace names those of Fortran.
Region region_of(std::string_view name);

}  // namespace busline::otf2
