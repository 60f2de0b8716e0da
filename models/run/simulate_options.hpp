// The options of simulate() (models/simulate.hpp), for any model.
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

/// A part of the run whose times are recorded in addition to the whole. It starts where the call `from`
/// returns and ends where the call `to` is entered, both on each rank's own clock; `after` and `before` are
/// simulated times.
struct Region {
  std::optional<CallRef> from{}, to{};
  std::optional<Duration> after{}, before{};
};

struct SimulateOptions {
  std::string model = "dimemas";  ///< one of model_names()
  std::optional<Region> region;
  /// Also records RegionResult::call_times; of the whole run if there is no region. Not between instants.
  bool call_times = false;
  /// 0: simultaneous events happen in the order in which they were scheduled, as in Dimemas. Else the seed of
  /// another order: where run times depend on it, a prediction is no more precise than their differences.
  /// With "ideal" it only decides which of several messages an open receive takes.
  std::uint64_t tie_seed = 0;
  /// 0: a quiet machine. Else the seed of Platform::noise: another one is another run.
  std::uint64_t noise_seed = 0;
  /// They watch all events of the run and change nothing. The caller owns them; none may be null. A model
  /// that must run in a separate process returns an Error instead.
  std::vector<RunObserver*> observers{};
  /// Called from time to time with the share of operations done, 0 to 1; false interrupts the run.
  std::function<bool(double)> progress;
};

}  // namespace busline
