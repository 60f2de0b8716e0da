#include "sim/algorithms/libraries.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;

namespace {

using enum CollectiveKind;

Algorithm open_mpi(CollectiveKind kind, std::uint32_t ranks, std::uint64_t bytes, std::uint64_t element = 8) {
  return *chosen_algorithm(CollectivePreset::open_mpi, {kind, ranks, bytes, element});
}

Algorithm mpich(CollectiveKind kind, std::uint32_t ranks, std::uint64_t bytes) {
  return *chosen_algorithm(CollectivePreset::mpich, {kind, ranks, bytes});
}

}  // namespace

TEST_CASE("a library chooses an algorithm that the operation has, for any number of ranks and any size") {
  for (const auto preset : {CollectivePreset::open_mpi, CollectivePreset::mpich})
    for (std::size_t k = 0; k < static_cast<std::size_t>(init); ++k)
      for (const std::uint32_t ranks :
           {1U, 2U, 3U, 4U, 7U, 8U, 15U, 17U, 33U, 64U, 100U, 300U, 700U, 1500U, 3000U, 9999U})
        for (std::uint64_t bytes = 0; bytes <= 16U << 20U; bytes = 3 * bytes / 2 + 1)
          for (const std::uint64_t element : {1U, 8U}) {
            const auto kind = static_cast<CollectiveKind>(k);
            const auto chosen = chosen_algorithm(preset, {kind, ranks, bytes, element});
            REQUIRE(chosen.has_value());
            CAPTURE(std::string(name_of(kind)));
            CAPTURE(std::string(name_of(*chosen)));
            REQUIRE(find_schedule(*chosen, kind) != nullptr);
          }
}

TEST_CASE("Open MPI chooses by ranks and size") {
  CHECK(open_mpi(barrier, 4, 0) == Algorithm::linear);
  CHECK(open_mpi(barrier, 8, 0) == Algorithm::recursive_doubling);
  CHECK(open_mpi(barrier, 100, 0) == Algorithm::bruck);
  CHECK(open_mpi(bcast, 8, 4) == Algorithm::knomial);
  CHECK(open_mpi(bcast, 8, 8) == Algorithm::binary);
  CHECK(open_mpi(bcast, 8, 32767) == Algorithm::binomial);
  CHECK(open_mpi(bcast, 8, 32768) == Algorithm::linear);
  CHECK(open_mpi(allgather, 2, 1U << 20U) == Algorithm::recursive_doubling);
  CHECK(open_mpi(gather, 2, 1) == Algorithm::linear_sync);
  CHECK(open_mpi(scan, 8, 8) == Algorithm::linear);
  // The whole vector of a Reduce_scatter counts: 4 x 2 bytes.
  CHECK(open_mpi(reduce_scatter, 4, 1) == Algorithm::binomial);
  CHECK(open_mpi(reduce_scatter, 4, 2) == Algorithm::recursive_halving);
}

TEST_CASE("Open MPI reduces fewer elements than ranks by an algorithm that does not cut the vector") {
  CHECK(open_mpi(allreduce, 4, 8, 1) == Algorithm::ring);
  CHECK(open_mpi(allreduce, 4, 8, 8) == Algorithm::recursive_doubling);
  CHECK(open_mpi(allreduce, 4, 8, 4) == Algorithm::recursive_doubling);
  CHECK(open_mpi(allreduce, 40, 128) == Algorithm::linear);  // Rabenseifner's for 32 numbers and more
  CHECK(open_mpi(allreduce, 40, 256) == Algorithm::rabenseifner);
  CHECK(open_mpi(reduce, 2, 4, 4) == Algorithm::linear);
}

TEST_CASE("MPICH cuts a vector when it is long and has an element for each rank") {
  CHECK(mpich(allreduce, 8, 8) == Algorithm::recursive_doubling);
  CHECK(mpich(allreduce, 8, 56) == Algorithm::recursive_doubling);
  CHECK(mpich(allreduce, 8, 64) == Algorithm::rabenseifner);
  CHECK(mpich(bcast, 7, 1U << 20U) == Algorithm::binomial);
  CHECK(mpich(bcast, 8, 64 * 1024) == Algorithm::scatter_doubling);
  CHECK(mpich(bcast, 9, 64 * 1024) == Algorithm::scatter_allgather);
  CHECK(mpich(allgather, 16, 1024) == Algorithm::recursive_doubling);
  CHECK(mpich(alltoall, 8, 256) == Algorithm::bruck);
  CHECK(mpich(alltoall, 8, 33 * 1024) == Algorithm::pairwise);
}

TEST_CASE("a new communicator is agreed on in three Allreduces by Open MPI, in one by MPICH") {
  CHECK(open_mpi(comm_dup, 8, 0) == Algorithm::context_id);
  CHECK(open_mpi(comm_split, 8, 0) == Algorithm::context_id);
  CHECK(mpich(comm_dup, 8, 0) == Algorithm::recursive_doubling);
  // A window is no communicator.
  CHECK(open_mpi(win_fence, 8, 0) == Algorithm::recursive_doubling);
}

TEST_CASE("a library is known by its own text and version") {
  CHECK(preset_of_library("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4") ==
        CollectivePreset::open_mpi);
  CHECK(preset_of_library("Open MPI v5.0.8, package: x") == CollectivePreset::open_mpi);
  CHECK(preset_of_library("MPICH Version:\t4.0.2") == CollectivePreset::mpich);
  CHECK(!preset_of_library("Open MPI v3.1.6, package: x"));
  CHECK(!preset_of_library("Intel(R) MPI Library 2021.11 for Linux* OS"));
  CHECK(!preset_of_library(""));
  for (const auto preset : {CollectivePreset::open_mpi, CollectivePreset::mpich})
    CHECK(preset_of_library(simulated_library(preset)) == preset);
  CHECK(simulated_library(CollectivePreset::dimemas).empty());
  CHECK(!chosen_algorithm(CollectivePreset::dimemas, {bcast, 8, 8}));
  CHECK(!chosen_algorithm(CollectivePreset::open_mpi, {init, 8, 0}));
}
