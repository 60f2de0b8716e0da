// The only entry to the models: takes a Program, a Platform and the placement of ranks, and returns a Result.
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

/// Names for SimulateOptions::model, each with a one-line description.
struct ModelName {
  std::string name, description;
  /// May run in a separate process, and may be missing (models/flow/): benchmarks of all models leave it out.
  bool apart = false;
};
const std::vector<ModelName>& model_names();
/// An Error of kind bad_option for an unknown name, which lists the names.
Expected<void> check_model(const std::string& name);

/// Replays `program`. An Error if the run cannot start (unknown model, a call that no rank makes, a Machine
/// that does not fit the Program); later events, such as a deadlock, are in Result::status. The same
/// arguments give the same Result, on every machine.
Expected<Result> simulate(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options = {});

}  // namespace busline
