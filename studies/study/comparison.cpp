#include "studies/study/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "documents/fields/printable.hpp"
#include "studies/study/axis_number.hpp"
#include "studies/study/short_names.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

std::string plain_text(const std::string& json) {
  const auto value = Json::parse(json, nullptr, false);
  return value.is_string() ? value.get<std::string>() : json;
}

// As it is written, by its name, or another way to write the same quantity.
bool is_value(const AxisValue& value, const std::string& wanted) {
  if (value.json == wanted || value.name == plain_text(wanted)) return true;
  const auto number = axis_number(wanted);
  return number && number == axis_number(value.json);
}

const StoredAxis* axis_named(const std::vector<StoredAxis>& axes, const std::string& key) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const StoredAxis& a) {
    return key == a.label || (!a.pointer.empty() && (key == a.pointer || "/platform" + key == a.pointer));
  });
  return found == axes.end() ? nullptr : &*found;
}

template <class Range, class Name>
std::string list_of_names(const Range& range, Name name) {
  constexpr std::size_t kMostListed = 12;
  std::vector<std::string> names;
  for (const auto& one : range)
    if (names.size() < kMostListed) names.push_back(name(one));
  if (range.size() > kMostListed) names.emplace_back("...");
  return fmt::format("{}", fmt::join(names, ", "));
}

tl::unexpected<Error> refuse_weight(const std::string& name, const std::string& known) {
  return refuse_option("--weight",
                       fmt::format("'{}': the study has no workload of this name", printable(name)),
                       fmt::format("its workloads: {}", known));
}

struct BaseValue {
  std::size_t axis = 0;
  std::string json, name;
};

// Values of a sample may be any, so their names are not checked.
Expected<std::vector<BaseValue>> base_values(const std::vector<StoredAxis>& axes, bool listed,
                                             const CompareWith& with) {
  std::vector<BaseValue> all;
  for (const auto& [key, wanted] : with.base) {
    const auto* axis = axis_named(axes, key);
    if (axis == nullptr || axis->is_of_workloads())
      return refuse_option(
          "--base",
          fmt::format("'{}': the study has no axis of this name{}", printable(key),
                      axis == nullptr ? "" : " besides that of its workloads, each of which has a base"),
          fmt::format("its axes: {}", list_of_names(axes, [](const StoredAxis& a) { return a.label; })));
    const auto at = static_cast<std::size_t>(axis - axes.data());
    const auto found = std::find_if(axis->values.begin(), axis->values.end(),
                                    [&value = wanted](const AxisValue& v) { return is_value(v, value); });
    if (found != axis->values.end()) {
      all.push_back({at, found->json, found->name});
    } else if (listed && !axis->values.empty()) {
      return refuse_option("--base",
                           fmt::format("{} = {}: the axis does not have this value", axis->label,
                                       printable(plain_text(wanted))),
                           fmt::format("its values: {}", list_of_names(axis->values, [](const AxisValue& v) {
                                         return v.name;
                                       })));
    } else {
      all.push_back({at, wanted, plain_text(wanted)});
    }
  }
  return all;
}

Sampling::Kind combined(const StoredStudy& study) {
  const auto described = Json::parse(study.axes, nullptr, false);
  const auto kind = described.is_object() ? described.value("combine", Json()) : Json();
  return kind.is_number_unsigned() && kind <= 3 ? static_cast<Sampling::Kind>(kind.get<int>())
                                                : Sampling::Kind::product;
}

bool has_listed_values(const StoredStudy& study) {
  return combined(study) == Sampling::Kind::product || combined(study) == Sampling::Kind::zip;
}

// The values of axes of workloads, which weights may name.
std::vector<AxisValue> workload_values(const std::vector<StoredAxis>& axes) {
  std::vector<AxisValue> all;
  for (const auto& axis : axes)
    if (axis.varies() && axis.is_of_workloads())
      all.insert(all.end(), axis.values.begin(), axis.values.end());
  return all;
}

bool names_workload(const std::string& name, const AxisValue& value) {
  return value.name == name || plain_text(value.json) == name;
}

// The workload of a point as the study has it: a path or an object.
Json workload_of_values(const StoredStudy& study, const std::vector<AxisValue>& values) {
  const auto document = Json::parse(study.document, nullptr, false);
  auto workload = document.is_object() ? document.value("workload", Json()) : Json();
  for (std::size_t i = 0; i < values.size() && i < study.pointers.size(); ++i) {
    auto value = Json::parse(values[i].json, nullptr, false);
    const auto& pointer = study.pointers[i];
    constexpr std::string_view kWorkload = "/workload";
    if (pointer == kWorkload) workload = std::move(value);
    if (pointer.starts_with("/workload/") && workload.is_object())
      workload[Json::json_pointer(pointer.substr(kWorkload.size()))] = std::move(value);
    if (pointer.empty() && value.is_object() && value.contains("workload"))
      workload.merge_patch(value["workload"]);
  }
  return workload;
}

constexpr std::array<std::string_view, 6> kReadingOptions{"scale",   "compute_scale",     "cpu_time",
                                                          "keep_io", "rematch_wildcards", "salvage"};
bool is_reading_option(std::string_view place) {
  const auto member = place.substr(0, place.find('/'));
  return std::find(kReadingOptions.begin(), kReadingOptions.end(), member) != kReadingOptions.end();
}

bool patches_work(const AxisValue& value) {
  const auto patch = Json::parse(value.json, nullptr, false);
  if (!patch.is_object() || !patch.contains("workload")) return false;
  const auto& workload = patch["workload"];
  if (!workload.is_object()) return true;
  return std::any_of(workload.items().begin(), workload.items().end(),
                     [](const auto& member) { return !is_reading_option(member.key()); });
}

}  // namespace

bool StoredAxis::is_of_workloads() const {
  constexpr std::string_view kMember = "/workload/";
  if (pointer.empty()) return std::any_of(values.begin(), values.end(), patches_work);
  return pointer == "/workload" || (pointer.starts_with(kMember) &&
                                    !is_reading_option(std::string_view(pointer).substr(kMember.size())));
}

std::vector<StoredAxis> axes_of(const StoredStudy& study) {
  const auto described = Json::parse(study.axes, nullptr, false);
  const auto list = described.is_object() ? described.value("axes", Json::array()) : Json::array();
  std::vector<StoredAxis> axes;
  for (std::size_t i = 0; i < study.labels.size(); ++i) {
    auto& axis = axes.emplace_back(StoredAxis{study.pointers[i], study.labels[i], {}});
    if (i >= list.size() || !list[i].is_object()) continue;
    for (const auto& v : list[i].value("values", Json::array()))
      if (v.is_array() && v.size() == 2 && v[0].is_string() && v[1].is_string())
        axis.values.push_back({v[0].get<std::string>(), v[1].get<std::string>()});
  }
  return axes;
}

std::string workload_path(const StoredStudy& study, const std::vector<AxisValue>& values) {
  const auto workload = workload_of_values(study, values);
  return workload.is_null() ? std::string()
                            : plain_text(workload.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string workload_name(const StoredStudy& study, const std::vector<AxisValue>& values) {
  const auto workload = workload_of_values(study, values);
  return workload.is_null()
             ? std::string()
             : short_names({workload.dump(-1, ' ', false, Json::error_handler_t::replace)}).front();
}

CompareWith compare_with(const std::string& document) {
  CompareWith with;
  const auto study = Json::parse(document, nullptr, false);
  if (!study.is_object()) return with;
  if (const auto base = study.value("base", Json()); base.is_object())
    for (const auto& member : base.items()) with.base.emplace_back(member.key(), member.value().dump());
  if (const auto weights = study.value("weights", Json()); weights.is_object())
    for (const auto& member : weights.items())
      if (member.value().is_number()) with.weights.emplace_back(member.key(), member.value().get<double>());
  return with;
}

CompareWith compared_as_asked(CompareWith asked, const StoredStudy& study) {
  auto stored = compare_with(study.document);
  const auto add = [](auto& all, auto& further) {
    for (auto& [key, value] : further)
      if (std::none_of(all.begin(), all.end(), [&key = key](const auto& one) { return one.first == key; }))
        all.emplace_back(key, std::move(value));
  };
  add(asked.base, stored.base);
  add(asked.weights, stored.weights);
  return asked;
}

std::optional<double> Comparison::Workload::base_cost() const {
  return base ? cost_of(base->outcome) : std::nullopt;
}

std::string Comparison::key_of(const std::vector<AxisValue>& values, bool of_workload) const {
  std::string key;
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((i < of_workloads_.size() && of_workloads_[i]) == of_workload)
      key.append(values[i].json).append("\n");
  return key;
}

Expected<void> Comparison::choose_base(const std::vector<StoredAxis>& axes, const StoredStudy& study,
                                       const CompareWith& with) {
  const auto marked = base_values(axes, has_listed_values(study), with);
  if (!marked) return tl::unexpected(marked.error());
  std::vector<std::string> names(axes.size());
  base_values_.resize(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (of_workloads_[i] || !axes[i].varies() || combined(study) != Sampling::Kind::product) continue;
    base_values_[i] = axes[i].values.front().json;
    names[i] = axes[i].values.front().name;
  }
  for (const auto& b : *marked) base_values_[b.axis] = b.json, names[b.axis] = b.name;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (base_values_[i] && axes[i].varies())
      base_text_ += fmt::format("{}{} = {}", base_text_.empty() ? "" : ", ", axes[i].label, names[i]);
  return {};
}

Expected<void> Comparison::weigh(const std::vector<StoredAxis>& axes, const CompareWith& with) {
  for (const auto& [name, weight] : with.weights) {
    bool found = false;
    for (auto& w : workloads_) {
      bool is_it = w.name == name || w.path == name;
      for (std::size_t i = 0; i < w.values.size(); ++i)
        is_it = is_it || (of_workloads_[i] && names_workload(name, w.values[i]));
      if (is_it) w.weight = weight;
      found = found || is_it;
    }
    const auto all = workload_values(axes);
    // One of the study's workloads may have no stored point.
    const auto is_it = [&name = name](const AxisValue& v) { return names_workload(name, v); };
    if (!found && !workloads_.empty() && std::none_of(all.begin(), all.end(), is_it))
      return refuse_weight(name, list_of_names(workloads_, [](const Workload& w) { return w.name; }));
  }
  return {};
}

Expected<void> Comparison::mix(const Store& store) {
  if (!several()) return {};
  std::size_t needed = 0;
  double weights = 0;
  for (const auto& w : workloads_) {
    if (w.weight == 0) continue;
    ++needed;
    weights += w.weight;
  }
  struct Sum {
    PointOutcome first;
    std::set<std::size_t> workloads;
    double weighted = 0;
  };
  std::map<std::string, Sum> sums;
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    const auto here = to_base(p);
    const auto place = places_.at(key_of(p.values, true));
    const auto weight = workloads_[place].weight;
    if (!here || weight == 0) return {};
    auto& sum = sums[key_of(p.values, false)];
    if (!sum.workloads.insert(place).second) return {};
    if (sum.workloads.size() == 1) sum.first = p;
    sum.weighted += weight * *here;
    return {};
  });
  if (!done) return done;
  for (auto& [key, sum] : sums)
    if (sum.workloads.size() == needed) mixes_.push_back({std::move(sum.first), sum.weighted / weights});
  std::sort(mixes_.begin(), mixes_.end(),
            [](const Mix& a, const Mix& b) { return a.first.point < b.first.point; });
  return {};
}

Expected<Comparison> Comparison::of(const Store& store, const StoredStudy& study, const CompareWith& with) {
  Comparison c;
  const auto axes = axes_of(study);
  for (const auto& axis : axes) c.of_workloads_.push_back(axis.varies() && axis.is_of_workloads());
  if (auto chosen = c.choose_base(axes, study, with); !chosen)
    return tl::unexpected(std::move(chosen.error()));
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    const auto [known, is_new] = c.places_.emplace(c.key_of(p.values, true), c.workloads_.size());
    if (is_new) {
      std::string name;
      for (std::size_t i = 0; i < axes.size() && i < p.values.size(); ++i) {
        if (!c.of_workloads_[i]) continue;
        const auto slash = axes[i].label.rfind('/');
        const bool parameter = axes[i].pointer.starts_with("/workload/");
        name += fmt::format(
            "{}{}{}", name.empty() ? "" : " ",
            parameter ? axes[i].label.substr(slash == std::string::npos ? 0 : slash + 1) + "=" : "",
            p.values[i].name);
      }
      if (name.empty()) name = workload_name(study, p.values);
      c.workloads_.push_back({std::move(name), workload_path(study, p.values), p.values, 1, 0, {}, {}});
    }
    auto& w = c.workloads_[known->second];
    bool base = !w.base;
    for (std::size_t i = 0; i < p.values.size() && i < c.base_values_.size(); ++i)
      base = base && (!c.base_values_[i] || *c.base_values_[i] == p.values[i].json);
    if (base) w.base = p;
    const auto here = cost_of(p.outcome);
    if (!here) return {};
    ++w.done;
    if (!w.best || *here < *cost_of(w.best->outcome)) w.best = p;
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));
  if (auto weighed = c.weigh(axes, with); !weighed) return tl::unexpected(std::move(weighed.error()));
  if (auto mixed = c.mix(store); !mixed) return tl::unexpected(std::move(mixed.error()));
  return c;
}

bool Comparison::compares() const {
  return std::any_of(workloads_.begin(), workloads_.end(), [](const Workload& w) { return w.done > 1; });
}

const Comparison::Workload& Comparison::workload_of(const PointOutcome& point) const {
  return workloads_[places_.at(key_of(point.values, true))];
}

std::optional<double> Comparison::to_base(const PointOutcome& point) const {
  const auto here = cost_of(point.outcome), base = workload_of(point).base_cost();
  if (!here || !base) return std::nullopt;
  return *here / *base;
}

std::optional<double> Comparison::to_best(const PointOutcome& point) const {
  const auto here = cost_of(point.outcome);
  const auto& best = workload_of(point).best;
  if (!here || !best) return std::nullopt;
  return *here / *cost_of(best->outcome);
}

const Comparison::Mix* Comparison::best_mix() const {
  const auto best = std::min_element(mixes_.begin(), mixes_.end(),
                                     [](const Mix& a, const Mix& b) { return a.to_base < b.to_base; });
  return best == mixes_.end() ? nullptr : &*best;
}

Expected<void> check_comparison(const StoredStudy& study, const CompareWith& with) {
  const auto axes = axes_of(study);
  if (const auto base = base_values(axes, has_listed_values(study), with); !base)
    return tl::unexpected(base.error());
  const auto workloads = workload_values(axes);
  std::size_t of_workloads = 0;
  for (const auto& axis : axes)
    if (axis.varies() && axis.is_of_workloads()) ++of_workloads;
  for (const auto& [name, weight] : with.weights) {
    if (workloads.empty())
      return refuse_option("--weight", "the study has one workload, expected several that can be weighted",
                           "vary the workload: --axis /workload=A,B");
    // With several such axes, a name may also be that of a combination.
    if (of_workloads == 1 &&
        std::none_of(workloads.begin(), workloads.end(),
                     [&name = name](const AxisValue& v) { return names_workload(name, v); }))
      return refuse_weight(name, list_of_names(workloads, [](const AxisValue& v) { return v.name; }));
  }
  return {};
}

}  // namespace busline
