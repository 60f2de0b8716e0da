#include "sim/algorithms/libraries.hpp"

#include <algorithm>

namespace busline {
namespace {

struct Library {
  std::string_view name, version;  // how its text begins, and how the version does after it
  CollectivePreset preset;
};
// MPI_Get_library_version: "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2\n...".
constexpr std::array<Library, 3> kLibraries{{{"Open MPI v", "4.1.", CollectivePreset::open_mpi},
                                             {"Open MPI v", "5.0.", CollectivePreset::open_mpi},
                                             {"MPICH", "4.", CollectivePreset::mpich}}};

}  // namespace

std::optional<Algorithm> chosen_algorithm(CollectivePreset preset, const CollectiveCall& call) {
  if (call.kind >= CollectiveKind::init) return std::nullopt;
  switch (preset) {
    case CollectivePreset::open_mpi:
      return call.nonblocking ? libraries::open_mpi_nonblocking(call) : libraries::open_mpi(call);
    case CollectivePreset::mpich:
      return libraries::mpich(call);
    case CollectivePreset::dimemas:
      break;
  }
  return std::nullopt;
}

std::optional<CollectivePreset> preset_of_library(std::string_view text) {
  for (const auto& library : kLibraries) {
    if (!text.starts_with(library.name)) continue;
    const auto digit = text.find_first_of("0123456789");
    if (digit != std::string_view::npos && text.substr(digit).starts_with(library.version))
      return library.preset;
  }
  return std::nullopt;
}

std::string_view simulated_library(CollectivePreset preset) {
  switch (preset) {
    case CollectivePreset::open_mpi:
      return "Open MPI v4.1.4, simulated";
    case CollectivePreset::mpich:
      return "MPICH Version: 4.0, simulated";
    case CollectivePreset::dimemas:
      break;
  }
  return {};
}

}  // namespace busline
