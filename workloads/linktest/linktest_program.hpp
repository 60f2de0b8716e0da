// A complete run of LinkTest as one Program, for `busline generate` and for studies of its traffic. (The
// measuring logic runs the steps one by one: measuring/linktest.)
#pragma once
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"
#include "workloads/linktest/schedule.hpp"

namespace busline::linktest {

struct LinktestProgram {
  std::string_view operation = "MPI_Send-MPI_Recv";  ///< a kernel's operation of pairs
  Bytes size{128U << 10U};
  std::uint32_t messages = 3, warmup = 0;
  bool serial = false;  ///< one pair after the other
};

/// All steps of `schedule`, a Barrier before each; semidirectional kernels run in both directions one after
/// the other. Each measurement is between two marks (kernel.hpp). Errors: an operation that is not a pair
/// operation.
Expected<Program> linktest_program(const Schedule& schedule, const LinktestProgram& run);

}  // namespace busline::linktest
