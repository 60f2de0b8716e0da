// Notices about a trace, counted while it is read and reported once at the end.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/function_table.hpp"

namespace busline::dumpi {

struct Notices {
  using Counts = std::array<std::uint64_t, kFunctions>;  ///< records by function
  Counts not_simulated{}, on_files{}, on_unknown_windows{};
  std::map<std::string, std::uint64_t> mpi3{};  ///< calls of MPI-3 and later, by name
  std::uint64_t negative_gaps = 0;              ///< a call begins before the previous one of its thread ended
  std::uint64_t unknown_requests = 0;           ///< Wait or Test on a request that no recorded call made
  std::uint64_t assumed_cancelled = 0;          ///< MPI_Cancel whose outcome was not recorded
  std::uint64_t open_transfers = 0;             ///< one-sided transfers whose epoch no recorded call ends
  std::uint64_t differing_lengths = 0;          ///< records whose count and list disagree
  std::uint64_t null_destinations = 0;    ///< sends to rank -1, which is MPI_PROC_NULL of the MPICH family
  std::uint64_t open_without_status = 0;  ///< receives from -1 without a status
  std::uint64_t rollovers = 0;            ///< of a rank's clock, after 18.2 hours
  std::uint64_t unaligned_ranks = 0;      ///< that begin with MPI_Init_thread
  std::uint64_t ranks_without_time = 0, ranks_with_cpu_time_only = 0;

  /// Adds a Diagnostic for each kind of notice that occurred. `path`: the metafile; `keep_io`: the time of
  /// calls on files was kept.
  void tell(const std::string& path, bool keep_io, Diagnostics& diagnostics) const;
};

/// Names a list of "count name" parts, such as "24 MPI_Put, 3 MPI_Get", for functions with a count.
std::string list_calls(const std::array<std::uint64_t, kFunctions>& counts);
/// The same for MPI-3 calls that move data or synchronise.
std::string list_calls(const std::map<std::string, std::uint64_t>& mpi3);

}  // namespace busline::dumpi
