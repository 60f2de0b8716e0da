// Which algorithm an MPI library chooses for a collective when nothing is forced. Facts about the libraries
// are in open_mpi.cpp and mpich.cpp, docs/reference/algorithms.md has them as tables.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/algorithms/registry.hpp"
#include "sim/program/collective.hpp"

namespace busline {

/// Where the cost of a collective comes from that has no entry of its own.
enum class CollectivePreset : std::uint8_t {
  dimemas,   ///< the closed forms of docs/model.md, section 5.7
  open_mpi,  ///< Open MPI 4.1 and 5.0, component coll/tuned
  mpich,     ///< MPICH 4.0
};
inline constexpr std::array<std::pair<std::string_view, CollectivePreset>, 3> kCollectivePresetNames{
    {{"dimemas", CollectivePreset::dimemas},
     {"open-mpi", CollectivePreset::open_mpi},
     {"mpich", CollectivePreset::mpich}}};
constexpr std::string_view name_of(CollectivePreset preset) {
  return kCollectivePresetNames[static_cast<std::size_t>(preset)].first;
}

/// What libraries choose by.
struct CollectiveCall {
  CollectiveKind kind{};
  std::uint32_t ranks = 1;
  /// As for closed forms: the vector of Bcast, Reduce, Allreduce and Scan; otherwise the part of a rank, or
  /// of a pair of ranks. 0 for operations without data.
  std::uint64_t bytes = 0;
  /// Size of an element that is reduced: an MPI_DOUBLE's unless something else is known. Libraries do not
  /// split a vector of fewer elements than ranks.
  std::uint64_t element = 8;
  bool nonblocking = false;  ///< the I-form
};

/// The library's algorithm, which the operation has (find_schedule). Nothing for `dimemas`, and for Init and
/// Finalize. Where Busline has no algorithm of that kind it gives the nearest one;
/// docs/reference/algorithms.md lists these. Cost: a search in a table of some 100 rows at most.
std::optional<Algorithm> chosen_algorithm(CollectivePreset preset, const CollectiveCall& call);

/// The preset for a library that names itself so ("Open MPI v4.1.4, package: ..."; "MPICH Version: 4.0.2").
/// Nothing for another library, or for a version whose choices are not known.
std::optional<CollectivePreset> preset_of_library(std::string_view version);
/// How a simulated machine names the library whose choices it has, so that preset_of_library() knows it.
/// Empty for `dimemas`.
std::string_view simulated_library(CollectivePreset preset);

namespace libraries {

inline constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

Algorithm open_mpi(const CollectiveCall& call);
Algorithm open_mpi_nonblocking(const CollectiveCall& call);
Algorithm mpich(const CollectiveCall& call);

}  // namespace libraries
}  // namespace busline
