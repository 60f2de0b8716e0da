// What the points of a study are compared with: each with the base point of its own workload, never with a
// point of another workload (docs/how-to/studies.md, "Comparing workloads").
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/store.hpp"

namespace busline {

/// Which point is the base, and how much each workload counts in a mix.
struct CompareWith {
  /// Axes, by label or pointer, and the base value of each, as JSON or by its name. Axes that are not there
  /// have their first value.
  std::vector<std::pair<std::string, std::string>> base;
  /// Workloads, by name or path; those that are not there count 1.
  std::vector<std::pair<std::string, double>> weights;
};
/// From the members "base" and "weights" of a study's document; nothing if there are none.
CompareWith compare_with(const std::string& document);
/// Parses StudyOptions::bases and weights. Errors (bad_option): malformed text, or a weight that is not a
/// number of 0 or more.
Expected<CompareWith> compare_with(const StudyOptions& options);
/// `asked`, and what else the study's document says.
CompareWith compared_as_asked(CompareWith asked, const StoredStudy& study);

/// An axis of a stored study.
struct StoredAxis {
  std::string pointer, label;
  std::vector<AxisValue> values;  ///< empty: the file does not tell
  bool varies() const { return values.size() > 1; }
  /// Whether its values are different work, whose times are not to be compared: workloads, and parameters of
  /// generated ones, but not how a trace is read.
  bool is_of_workloads() const;
};
std::vector<StoredAxis> axes_of(const StoredStudy& study);

/// The path of the workload of a point, as the study names it; of one without a path, its JSON text.
std::string workload_path(const StoredStudy& study, const std::vector<AxisValue>& values);
/// Its short name, for a study with this one workload.
std::string workload_name(const StoredStudy& study, const std::vector<AxisValue>& values);

class Comparison {
 public:
  struct Workload {
    std::string name;               ///< short, unique
    std::string path;               ///< workload_path()
    std::vector<AxisValue> values;  ///< of its first point
    double weight = 1;
    std::uint64_t done = 0;            ///< points with a result
    std::optional<PointOutcome> base;  ///< nothing: it is not stored; it may have no result
    std::optional<PointOutcome> best;  ///< nothing: no point has a result
    /// cost_of the base; nothing if it has none.
    std::optional<double> base_cost() const;
  };
  /// A choice of everything but the workload.
  struct Mix {
    PointOutcome first;  ///< one of its points
    double to_base = 1;  ///< weighted mean over the workloads of time / time of the base
  };

  /// Errors: the store's; bad_option if an axis, a value or a workload of `with` does not exist. Cost: reads
  /// the store twice, once if there is one workload.
  static Expected<Comparison> of(const Store& store, const StoredStudy& study, const CompareWith& with);

  /// In the order of their first points.
  const std::vector<Workload>& workloads() const { return workloads_; }
  bool several() const { return workloads_.size() > 1; }
  /// Whether some workload has points to compare.
  bool compares() const;
  const Workload& workload_of(const PointOutcome& point) const;
  /// The time as a multiple of that of its workload's base; nothing if either has none.
  std::optional<double> to_base(const PointOutcome& point) const;
  std::optional<double> to_best(const PointOutcome& point) const;
  /// Every choice that has a result for each workload that counts, by its first point; empty for one
  /// workload.
  const std::vector<Mix>& mixes() const { return mixes_; }
  const Mix* best_mix() const;
  /// By axis, whether it is of workloads and varies.
  const std::vector<bool>& of_workloads() const { return of_workloads_; }
  /// "network/buses = 4, model = ideal": the base values of axes that vary and are not of workloads.
  const std::string& base_text() const { return base_text_; }

 private:
  std::string key_of(const std::vector<AxisValue>& values, bool of_workload) const;
  Expected<void> choose_base(const std::vector<StoredAxis>& axes, const StoredStudy& study,
                             const CompareWith& with);
  Expected<void> weigh(const std::vector<StoredAxis>& axes, const CompareWith& with);
  Expected<void> mix(const Store& store);

  std::vector<bool> of_workloads_;
  std::vector<std::optional<std::string>> base_values_;  // by axis, as JSON
  std::string base_text_;
  std::vector<Workload> workloads_;
  std::map<std::string, std::size_t> places_;  // of workloads, by key
  std::vector<Mix> mixes_;
};

/// Whether the axes and workloads of `with` exist in a study that has not run yet. Errors: as Comparison::of.
Expected<void> check_comparison(const StoredStudy& study, const CompareWith& with);

}  // namespace busline
