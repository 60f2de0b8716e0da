// ZiaTest on a testbed: launches at several numbers of nodes, and the suite that they make.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "measuring/measurement/launch_times.hpp"
#include "measuring/measurement/measurement.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"

namespace busline::ziatest {

/// The numbers of nodes of NERSC's scaling study: ranks = 2 x cores of a node x 10^k, which are 2, 20, 200,
/// ... full nodes, below `most`; then `most` itself. `most` is at least 1.
std::vector<std::uint32_t> scaling_steps(std::uint32_t most);

/// Is told which number of nodes is launched next; false stops.
using Watch = std::function<bool(std::uint32_t nodes)>;

struct StartupStudy {
  std::vector<StartupResult> results;  ///< of the launches that were made
  bool interrupted = false;
  std::optional<Error> failed;  ///< the launch that ended the study, after at least one that was made
};

/// Launches `job` at each of these numbers of nodes, ascending, instead of its own. Errors: the testbed's, if
/// the first launch has one.
Expected<StartupStudy> run_startup(measure::Testbed& testbed, LaunchJob job,
                                   const std::vector<std::uint32_t>& nodes, const Watch& watch = {});

/// The suite "ZiaTest": a point for each result. They must be of the same job except for the nodes, which
/// ascend; there must be one at least.
measure::Suite startup_suite(const std::vector<StartupResult>& results);

}  // namespace busline::ziatest
