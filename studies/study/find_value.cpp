#include "studies/study/find_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "documents/text/quantity_column.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/study/axis_number.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/value_name.hpp"

namespace busline {
namespace {

using Tried = FoundValue::Tried;

// Parts into which a round splits an interval, independent of the number of threads.
constexpr std::size_t kPartsOfRange = 4;

Expected<std::size_t> varying_axis(const std::vector<Axis>& axes) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].varies()) continue;
    if (found)
      return refuse_option("--axis", fmt::format("both {} and {} vary, expected one axis that varies",
                                                 axes[*found].label, axes[i].label));
    found = i;
  }
  if (!found) return refuse_option("--axis", "no axis varies, expected one with two values or more");
  const auto& axis = axes[*found];
  if (StoredAxis{axis.pointer, axis.label, axis.values}.is_of_workloads())
    return refuse_option(
        "--axis",
        fmt::format("{} changes the work itself, and run times of different work are not compared",
                    axis.label),
        "search once for each workload");
  return *found;
}

// The value that points are compared by: larger is slower. Nothing if the point is not done or has no time.
std::optional<double> run_time_of(const Outcome& o) {
  if (!o.is_done()) return std::nullopt;
  if (o.run_time_ps) return static_cast<double>(*o.run_time_ps);
  return std::nullopt;
}

// The run time of the base case; nothing if it was interrupted.
Expected<std::optional<Duration>> base_time(const Cases& base, WorkloadPool& workloads, Store& store,
                                            const RunStudyOptions& how) {
  if (auto begun = store.begin(stored(base.study(), base.points().count())); !begun)
    return tl::unexpected(std::move(begun.error()));
  const auto done = run_study(base, workloads, store, how);
  if (!done) return tl::unexpected(done.error());
  Outcome outcome;
  auto read = store.each([&](const PointOutcome& p) -> Expected<void> {
    outcome = p.outcome;
    return {};
  });
  if (!read) return tl::unexpected(std::move(read.error()));
  if (done->interrupted) return std::nullopt;
  const auto time = run_time_of(outcome);
  if (!time)
    return refuse_option("--target",
                         fmt::format("the base case has no run time: {}{}", name_of(outcome.status),
                                     outcome.reason.empty() ? "" : ": " + outcome.reason),
                         "mark another one with --base, or give a time");
  return Duration::from_double(*time);
}

class Search {
 public:
  Search(const Cases& cases, std::size_t axis, const FindOptions& options)
      : study_(cases.study()), axis_(axis), options_(options) {
    const auto& given = study_.axes[axis];
    for (std::size_t i = 0; i < given.values.size(); ++i)
      next_.push_back({given.values[i], place_of(given, i), {}, false});
  }

  /// The study of the values to try next.
  Study study() const {
    auto s = study_;
    auto& axis = s.axes[axis_];
    axis.values.clear();
    for (const auto& t : next_) axis.values.push_back(t.value);
    s.sampling = {};
    return s;
  }
  void take(const Store& store, Expected<void>& done) {
    done = store.each([&](const PointOutcome& p) -> Expected<void> {
      next_[p.point].outcome = p.outcome;
      return {};
    });
    found_.tried.insert(found_.tried.end(), next_.begin(), next_.end());
    next_.clear();
    std::stable_sort(found_.tried.begin(), found_.tried.end(),
                     [](const Tried& a, const Tried& b) { return a.place < b.place; });
    judge();
  }
  /// False: there is nothing left between the border's two values.
  bool refine(std::size_t parts) {
    const auto& range = study_.axes[axis_].range;
    if (!range || !found_.found) return false;
    const auto good = *found_.found;
    if (options_.largest ? good + 1 == found_.tried.size() : good == 0) return false;
    const auto bad = options_.largest ? good + 1 : good - 1;
    const auto from = found_.tried[std::min(good, bad)].place, to = found_.tried[std::max(good, bad)].place;
    std::set<std::string> known;
    for (const auto& t : found_.tried) known.insert(t.value.json);
    for (std::size_t i = 1; i <= parts; ++i) {
      const auto place = from + (to - from) * static_cast<double>(i) / static_cast<double>(parts + 1);
      auto json = range->at(place);
      if (!known.insert(json).second) continue;
      auto name = value_name(json);
      next_.push_back({{std::move(json), std::move(name)}, place, {}, false});
    }
    return !next_.empty();
  }
  FoundValue result() && { return std::move(found_); }

 private:
  // Values of a list count as equally spaced.
  static double place_of(const Axis& axis, std::size_t i) {
    if (axis.range)
      if (const auto share = axis.range->share_of(axis.values[i].json)) return *share;
    return static_cast<double>(i) / static_cast<double>(axis.values.size() - 1);
  }

  void judge() {
    auto& all = found_.tried;
    std::optional<double> target;
    if (options_.target) target = static_cast<double>(options_.target->count());
    for (const auto& t : all)
      if (const auto c = run_time_of(t.outcome); c && !options_.target && (!target || *c < *target))
        target = *c;
    found_.target = Duration::from_double(target.value_or(0));
    found_.found.reset();
    std::size_t borders = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto c = run_time_of(all[i].outcome);
      all[i].good = c && *c <= *target * (1 + options_.within);
      if (i > 0 && all[i].good != all[i - 1].good) ++borders;
      if (all[i].good && (options_.largest || !found_.found)) found_.found = i;
    }
    found_.several_borders = borders > 1;
  }

  Study study_;
  std::size_t axis_;
  const FindOptions& options_;
  std::vector<Tried> next_;
  FoundValue found_;
};

}  // namespace

Expected<FoundValue> find_value(const Cases& cases, WorkloadPool& workloads, Store& store,
                                const RunStudyOptions& how, const FindOptions& options) {
  const auto axis = varying_axis(cases.study().axes);
  if (!axis) return tl::unexpected(axis.error());
  auto judged_by = options;
  bool interrupted = false;
  if (!options.target && options.base != nullptr) {
    const auto time = base_time(*options.base, workloads, store, how);
    if (!time) return tl::unexpected(time.error());
    interrupted = !*time;
    judged_by.target = *time;
  }
  Search search(cases, *axis, judged_by);
  for (unsigned round = 0; !interrupted; ++round) {
    Diagnostics told_before;
    auto now = Cases::of(search.study(), told_before);
    if (!now) return tl::unexpected(std::move(now.error()));
    if (auto begun = store.begin(stored(now->study(), now->points().count())); !begun)
      return tl::unexpected(std::move(begun.error()));
    const auto done = run_study(*now, workloads, store, how);
    if (!done) return tl::unexpected(done.error());
    interrupted = done->interrupted;
    Expected<void> taken;
    search.take(store, taken);
    if (!taken) return tl::unexpected(std::move(taken.error()));
    if (round == options.refinements || !search.refine(kPartsOfRange)) break;
  }
  auto found = std::move(search).result();
  found.interrupted = interrupted;
  if (options.target) found.target_is = FoundValue::Target::given;
  if (!options.target && options.base != nullptr) found.target_is = FoundValue::Target::base;
  return found;
}

std::string to_text(const FoundValue& found, const std::string& label, const FindOptions& options) {
  const auto limit = Duration::from_double(static_cast<double>(found.target.count()) * (1 + options.within));
  std::vector<std::string> values;
  QuantityColumn times(QuantityKind::time);
  for (const auto& t : found.tried) {
    values.push_back(t.value.json);
    if (const auto c = run_time_of(t.outcome)) times.see(*c);
  }
  const AxisColumn axis(label, values);
  TextTable table({axis.heading(), times.heading("run time"), "to target", "good enough"});
  for (const auto& t : found.tried) {
    const auto c = run_time_of(t.outcome);
    table.add({axis.text(t.value), c ? times.result(*c) : std::string(name_of(t.outcome.status)),
               c && found.target > Duration()
                   ? fmt::format("{:.3f}", *c / static_cast<double>(found.target.count()))
                   : "-",
               t.good ? "yes" : "no"});
  }
  auto text = fmt::format("{}\ntarget {}{}, within {}: at most {}\n", table.text(), readable(found.target),
                          found.target_is == FoundValue::Target::best   ? " (the best)"
                          : found.target_is == FoundValue::Target::base ? " (the base case)"
                                                                        : "",
                          percent(options.within), readable(limit));
  if (!found.found)
    text += "none of the values tried is good enough\n";
  else
    text += fmt::format("{} is the {} of the values tried that is good enough\n",
                        found.tried[*found.found].value.name, options.largest ? "last" : "first");
  if (found.several_borders)
    text +=
        "run times do not change monotonically along this axis: values beyond it may be good enough, or "
        "not\n";
  return text;
}

}  // namespace busline
