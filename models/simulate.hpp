// The one door to the models: a Program, a Platform and where the ranks sit, in; a Result out.
#pragma once
#include <string>
#include <vector>

#include "models/run/simulate_options.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// Names for SimulateOptions::model, each with a line of description.
struct ModelName {
  std::string name, description;
  /// May run in a process of its own, and be missing (models/flow/): benchmarks of all models leave it out.
  bool apart = false;
};
const std::vector<ModelName>& model_names();
/// An Error of kind bad_option that lists the names, for one that is none of them.
Expected<void> check_model(const std::string& name);

/// Replays `program`. An Error for what cannot start (unknown model, a call that no rank makes, a Machine
/// that does not fit the Program); what happens later, such as a deadlock, is in Result::status.
/// The same arguments give the same Result, on every machine.
Expected<Result> simulate(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options = {});

}  // namespace busline
