#include "studies/study/team.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "sim/base/shared_library.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

// The number of processes started, from the variables that Open MPI, MPICH and its derivatives, and Slurm's
// srun set.
unsigned started_processes() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* text = std::getenv(name);
    const auto count = text == nullptr ? std::nullopt : whole_number<unsigned>(text);
    if (count) return *count;
  }
  return 1;
}

}  // namespace

Expected<MakeTeam*> load_team() {
  const auto function = function_in("busline-study-mpi.so", kMakeTeam);
  if (!function) return tl::unexpected(function.error());
  return reinterpret_cast<MakeTeam*>(*function);  // NOLINT(*-reinterpret-cast): dlsym has no other way
}

std::string how_to_get_team() {
  return how_to_get_library("busline-mpi", "libopenmpi-dev");
}

Expected<std::unique_ptr<Team>> join_team() {
  const auto processes = started_processes();
  if (processes <= 1) return std::unique_ptr<Team>();
  const auto make = load_team();
  if (!make) {
    auto e = make.error();
    e.message =
        fmt::format("{} processes were started, but they cannot work together: {}", processes, e.message);
    e.hint = how_to_get_team() + ", start one process, or give each process its part with --slice";
    return tl::unexpected(std::move(e));
  }
  return std::unique_ptr<Team>((*make)());
}

}  // namespace busline
