// The observers of a run: that of its region, and those of SimulateOptions.
#pragma once
#include <memory>
#include <optional>

#include "models/run/instant_times.hpp"
#include "models/run/simulate_options.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/observers/observer_list.hpp"
#include "sim/observers/region_observer.hpp"
#include "sim/program/program.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// For one run: create it, attach() the engine, pass observer() to it, and put_into() its result.
class Watch {
 public:
  /// `program` must outlive it. An Error of kind bad_option if no rank makes a call that the region names.
  static Expected<Watch> of(const Program& program, const SimulateOptions& options);

  /// All observers as one; null if there are none.
  RunObserver* observer() const { return observer_; }
  /// `engine` supplies strands' times (times_now); it must outlive the run.
  template <class Engine>
  void attach(const Engine& engine) {
    if (region_) region_->times_now = [&engine](StrandId strand) { return engine.times_now(strand); };
  }
  /// The observations between the region's calls.
  void put_into(Result& result) const {
    if (region_) result.region = region_->result();
  }

 private:
  std::unique_ptr<RegionObserver> region_;
  std::unique_ptr<ObserverList> list_;
  RunObserver* observer_ = nullptr;
};

}  // namespace busline
