// The job that this program is part of, as the testbed of a kind of measurement.
#pragma once
#include <memory>
#include <string_view>

#include "measuring/commands/testbed_source.hpp"

namespace busline::cli {

/// The kind that launches jobs itself, and is then not an MPI program.
inline constexpr std::string_view kLaunchingKind = "ziatest";

/// Rank 0 requests one testbed; the other ranks of MPI_COMM_WORLD wait until it exists and then serve it
/// (MpiTestbed::serve). `made` is set when it was made.
std::shared_ptr<TestbedSource> mpi_source(std::shared_ptr<bool> made);

}  // namespace busline::cli
