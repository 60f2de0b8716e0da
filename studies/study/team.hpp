// Processes that run a study together, on one machine or many: they pass texts to each other.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// Made by a library of its own (studies/study/mpi), so that the program needs no MPI. One thread at a time.
class Team {
 public:
  virtual ~Team() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  virtual void send(unsigned to, std::string_view text) = 0;
  struct Letter {
    unsigned from = 0;
    std::string text;
  };
  /// Waits for the next one.
  virtual Letter receive() = 0;
  /// Whether there is one now.
  virtual bool has_letter() = 0;
};

/// The function that the library exports as kMakeTeam. It returns null if this process turns out to be alone.
using MakeTeam = Team*();
inline constexpr const char* kMakeTeam = "busline_make_team";

/// The library's function; loads the library on demand. An Error of kind unsupported says why it is not
/// available.
Expected<MakeTeam*> load_team();

/// A hint for processes that have no team.
std::string how_to_get_team();

/// The processes that a launcher (mpirun, srun) started with this one; null if there is only this one. All of
/// them must call it, and destroy the result. An Error of kind unsupported if there are several and this
/// program was built without MPI.
Expected<std::unique_ptr<Team>> join_team();

}  // namespace busline
