// What the blocks of a parameter file mean on a testbed: which kernel, between which ranks, over which range.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/skampi/parameter_file.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::skampi {

/// How measurements of an operation are called in a measurement document.
struct Meaning {
  measure::Pattern pattern;
  measure::TimeOf time;
};
/// Of SKaMPI's patterns. `synchronised`: collectives have a common start, and last until the last rank is
/// done; otherwise their time is that of the root.
Meaning meaning_of(const KernelOperation& operation, bool synchronised);

/// The rank to which a short message from rank 0 takes longest there and back, the lowest of several; 0 if
/// there is no other (SKaLib manual, 5: MEASURE_MAX). One ping-pong with each rank, after one to warm up.
Expected<std::uint32_t> farthest_rank(measure::Testbed& testbed);

/// A plan for each block, in order. Warnings: an End_Argument beyond what buffers and ranks allow. Errors
/// name the block's line: operations that are not in the registry, variations that the pattern does not have,
/// too few ranks, ranges that are empty; and those of the testbed, which is asked for the farthest rank if
/// there are pairs.
Expected<std::vector<measure::SuitePlan>> plan_suites(const ParameterFile& file, const std::string& path,
                                                      measure::Testbed& testbed, Diagnostics& diagnostics);

}  // namespace busline::skampi
