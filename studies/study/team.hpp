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

/// What the library exports under this name. Null if this process is alone after all.
using MakeTeam = Team*();
inline constexpr const char* kMakeTeam = "busline_make_team";

/// The library's function, which nobody calls who does not want a team. An Error of kind unsupported says why
/// there is none.
Expected<MakeTeam*> load_team();

/// What to do where there is none.
std::string how_to_get_team();

/// The processes that a launcher (mpirun, srun) started with this one; null if there is only this one. They
/// all have to call it, and to destroy what they got. An Error of kind unsupported if there are several and
/// this program was built without MPI.
Expected<std::unique_ptr<Team>> join_team();

}  // namespace busline
