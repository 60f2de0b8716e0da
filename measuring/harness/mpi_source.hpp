// The job that this program is a part of, as what a kind of measurement runs on.
#pragma once
#include <memory>
#include <string_view>

#include "measuring/commands/testbed_source.hpp"

namespace busline::cli {

/// The kind that launches jobs itself, and is not an MPI program when it does.
inline constexpr std::string_view kLaunchingKind = "ziatest";

/// Rank 0 asks it for one testbed; the other ranks of MPI_COMM_WORLD serve that (MpiTestbed::serve), and wait
/// until there is one. `made` is set when it was made.
std::shared_ptr<TestbedSource> mpi_source(std::shared_ptr<bool> made);

}  // namespace busline::cli
