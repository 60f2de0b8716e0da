// The one door to the models: a Program, a Platform and where the ranks sit, in; a Result out.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/call_ref.hpp"
#include "sim/error.hpp"
#include "sim/machine.hpp"
#include "sim/program.hpp"
#include "sim/result.hpp"

namespace busline {

class RunObserver;  // sim/observer.hpp

/// The part of the run whose times are wanted besides the whole. `from` starts where that call returns, `to`
/// ends where that call is entered, both on each rank's own clock; `after` and `before` are simulated times.
struct Region {
  std::optional<CallRef> from{}, to{};
  std::optional<Duration> after{}, before{};
};

struct SimulateOptions {
  std::string model = "dimemas";  ///< one of model_names()
  std::optional<Region> region;
  /// Takes RegionResult::call_times too; of the whole run without a region. Not between instants.
  bool call_times = false;
  /// 0: what happens at one instant happens in the order in which it came about, as in Dimemas. Else the
  /// seed of another order: where run times depend on it, a prediction is no finer than they differ. "ideal"
  /// decides nothing by it but which of several messages an open receive takes.
  std::uint64_t tie_seed = 0;
  /// They watch the whole run, each through all of its events, and change nothing. The caller's; null is not
  /// allowed. Where a model has to run in a process of its own there is an Error instead.
  std::vector<RunObserver*> observers{};
  /// Called now and then with the share of operations done, 0 to 1; false interrupts the run.
  std::function<bool(double)> progress;
};

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
