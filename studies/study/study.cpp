#include "studies/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/short_names.hpp"
#include "studies/study/store.hpp"
#include "studies/study/study_fields.hpp"
#include "studies/study/value_name.hpp"

namespace busline {
namespace {

constexpr std::array<std::string_view, 4> kPlaces{"/platform", "/workload", "/model", "/mapping"};

Expected<void> check_pointer(const Cursor& at, const std::string& pointer) {
  const bool known = split_pointer(pointer) &&
                     std::any_of(kPlaces.begin(), kPlaces.end(),
                                 [&](std::string_view place) { return is_within(pointer, place); });
  if (known) return {};
  return tl::unexpected(at.member("set")->expected(
      "a JSON pointer into /platform, /workload, /model or /mapping, such as \"/platform/network/buses\""));
}

// "/platform/network/buses" is called "network/buses".
std::string label_of(const std::string& pointer) {
  if (pointer.empty()) return "patch";
  constexpr std::string_view kPlatform = "/platform/";
  return pointer.starts_with(kPlatform) ? pointer.substr(kPlatform.size()) : pointer.substr(1);
}

Expected<Axis> axis_of_patches(const Cursor& at, const AxisDocument& document) {
  if (document.set || document.to || document.range)
    return tl::unexpected(at.error("'patches' cannot be combined with 'set', 'to' or 'range'"));
  const auto list = *at.member("patches");
  if (document.patches->empty()) return tl::unexpected(list.error("expected at least one patch"));
  Axis axis;
  std::set<std::string> names;
  for (std::size_t i = 0; i < document.patches->size(); ++i) {
    const auto& patch = (*document.patches)[i];
    const auto element = list.element(i);
    const auto merge = *element.member("merge");
    if (!merge.value().is_object())
      return tl::unexpected(merge.expected("an object, such as {\"platform\": {\"network\": {...}}}"));
    for (const auto& member : merge.value().items())
      if (std::find(kPlaces.begin(), kPlaces.end(), "/" + member.key()) == kPlaces.end())
        return tl::unexpected(
            merge.key_error(member.key(), "expected platform, workload, model or mapping here"));
    if (!names.insert(patch.name).second)
      return tl::unexpected(element.member("name")->error("this name occurs twice"));
    axis.values.push_back({patch.merge.text, patch.name});
  }
  return axis;
}

Expected<Axis> axis_of(const Cursor& at, const AxisDocument& document) {
  if (document.patches) return axis_of_patches(at, document);
  if (!document.set) return tl::unexpected(at.error("'set' or 'patches' is missing"));
  if (document.to.has_value() == document.range.has_value())
    return tl::unexpected(at.error("expected either 'to' or 'range'"));
  if (auto known = check_pointer(at, *document.set); !known) return tl::unexpected(std::move(known.error()));
  Axis axis;
  axis.pointer = *document.set;
  std::vector<std::string> texts;
  if (document.to) {
    if (document.to->empty()) return tl::unexpected(at.member("to")->error("expected at least one value"));
    for (const auto& value : *document.to) texts.push_back(value.text);
  } else {
    const auto& r = *document.range;
    auto range = ValueRange::between(r.from.text, r.to.text, r.logarithmic);
    if (!range) return tl::unexpected(at.member("range")->error(range.error().message));
    axis.range = *std::move(range);
    texts = axis.range->values(r.points);
  }
  const bool paths = axis.pointer == "/workload" || axis.pointer == "/platform";
  const auto names = paths ? short_names(texts) : std::vector<std::string>();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto name = paths ? names[i] : value_name(texts[i]);
    axis.values.push_back({std::move(texts[i]), std::move(name)});
  }
  return axis;
}

Expected<std::vector<Axis>> axes_of(const Cursor& at, const std::vector<AxisDocument>& documents) {
  std::vector<Axis> axes;
  std::set<std::string> labels;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto place = at.element(i);
    auto axis = axis_of(place, documents[i]);
    if (!axis) return axis.map([](auto&&) { return std::vector<Axis>(); });
    axis->label = documents[i].label.empty() ? label_of(axis->pointer) : documents[i].label;
    if (!labels.insert(axis->label).second) {
      if (!documents[i].label.empty())
        return tl::unexpected(place.member("label")->error("another axis has this label"));
      axis->label += fmt::format(" #{}", i + 1);
      labels.insert(axis->label);
    }
    axis->origin = place.error("").path + ": " + place.pointer();
    axes.push_back(*std::move(axis));
  }
  return axes;
}

// The base point and the weights: do their axes and workloads exist?
Expected<void> check_compared(const Cursor& at, const Study& study) {
  const auto base = at.member("base"), weights = at.member("weights");
  if (base && !base->value().is_object())
    return tl::unexpected(base->expected("an object, such as {\"network/buses\": 4}"));
  if (weights) {
    if (!weights->value().is_object())
      return tl::unexpected(weights->expected("an object, such as {\"hpcg\": 3}"));
    for (const auto& member : weights->value().items())
      if (const auto& weight = member.value(); !weight.is_number() || weight.get<double>() < 0)
        return tl::unexpected(weights->member(member.key())->expected("a number of 0 or more"));
  }
  const auto checked = check_comparison(stored(study, 0), compare_with(study.document));
  if (checked) return {};
  const auto& place = checked.error().where == "--base" ? base : weights;
  auto error = place->error(checked.error().message);
  error.hint = checked.error().hint;
  return tl::unexpected(std::move(error));
}

}  // namespace

Expected<Study> parse_study(std::string text, const std::string& path, const std::string& folder) {
  Study study;
  study.document = text;
  auto document = Document::parse(std::move(text), path);
  if (!document) return tl::unexpected(std::move(document.error()));
  const Cursor at(*document);
  StudyFields fields;
  if (auto read = read_value(at, fields); !read) return tl::unexpected(std::move(read.error()));
  const auto list = *at.member("axes");
  auto axes = axes_of(list, fields.axes);
  if (!axes) return tl::unexpected(std::move(axes.error()));
  const bool samples =
      fields.sampling.kind == Sampling::Kind::random || fields.sampling.kind == Sampling::Kind::latin;
  for (const auto* key : {"samples", "seed"})
    if (!samples && at.member(key))
      return tl::unexpected(at.key_error(key, "works only with \"combine\": \"random\" or \"latin\""));
  if (samples && !at.member("samples")) return tl::unexpected(fields::missing(at, "samples"));
  if (const auto points = Points::of(*axes, fields.sampling); !points) {
    auto error = list.error(points.error().message);
    error.hint = points.error().hint;
    return tl::unexpected(std::move(error));
  }
  study.name = std::move(fields.name);
  study.description = std::move(fields.description);
  study.folder = folder;
  study.platform = std::move(fields.platform.text);
  study.workload = std::move(fields.workload.text);
  study.model = std::move(fields.model.text);
  study.mapping = std::move(fields.mapping.text);
  study.axes = *std::move(axes);
  study.sampling = fields.sampling;
  study.timeout = fields.timeout;
  study.why = fields.why;
  if (auto compared = check_compared(at, study); !compared)
    return tl::unexpected(std::move(compared.error()));
  return study;
}

Expected<Study> read_study(const std::string& path) {
  auto text = read_text_file(path);
  if (!text) return tl::unexpected(std::move(text.error()));
  return parse_study(*std::move(text), path, std::filesystem::path(path).parent_path().string());
}

}  // namespace busline
