// What a run of any model is asked for: the options of simulate() (models/simulate.hpp).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/call_ref.hpp"

namespace busline {

class RunObserver;  // sim/replay/observer.hpp

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

}  // namespace busline
