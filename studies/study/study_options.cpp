// Studies without a file: the document equivalent to the command-line options.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "sim/base/text_parts.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/store.hpp"
#include "studies/study/study.hpp"
#include "studies/study/study_fields.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kAxisForms =
    "such as --axis /network/buses=1,2,4,unlimited or --axis /network/latency=1us..1ms:7:log";

// JSON if it parses as such, else a string.
Json value_of(std::string_view text) {
  auto value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

// At commas outside of brackets and quotes.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// The pointer into the case that an option means.
std::string into_case(std::string_view pointer) {
  for (const std::string_view place : {"/platform", "/workload", "/model", "/mapping"})
    if (is_within(pointer, place)) return std::string(pointer);
  return "/platform" + std::string(pointer);
}

struct Assignment {
  std::string pointer;
  std::string_view value;
};
Expected<Assignment> split_assignment(std::string_view text, const char* option, const char* forms) {
  const auto equals = text.find('=');
  if (equals == text.npos || text.empty() || text[0] != '/')
    return refuse_option(
        option, fmt::format("'{}': expected a JSON pointer, '=' and values", printable(text)), forms);
  return Assignment{into_case(text.substr(0, equals)), text.substr(equals + 1)};
}

// "1us..1ms:7:log"; nothing if it is not a range.
std::optional<Json> parse_range(std::string_view text) {
  const auto dots = text.find("..");
  const auto colon = text.find(':', dots == text.npos ? 0 : dots);
  if (dots == text.npos || colon == text.npos || text.find_first_of("[{\"") != text.npos) return std::nullopt;
  auto points = text.substr(colon + 1);
  Json range{{"from", value_of(text.substr(0, dots))},
             {"to", value_of(text.substr(dots + 2, colon - dots - 2))}};
  const auto scale = points.find(':');
  range["points"] = value_of(points.substr(0, scale));
  if (scale != points.npos) range["scale"] = value_of(points.substr(scale + 1));
  return range;
}

Expected<Json> axis_document(const std::string& text) {
  const auto assignment = split_assignment(text, "--axis", kAxisForms);
  if (!assignment) return tl::unexpected(assignment.error());
  Json axis{{"set", assignment->pointer}};
  if (auto range = parse_range(assignment->value)) {
    axis["range"] = *std::move(range);
    return axis;
  }
  auto& values = axis["to"] = Json::array();
  for (const auto& part : split_list(assignment->value)) {
    if (part.empty())
      return refuse_option("--axis", fmt::format("'{}': a value is missing", printable(text)), kAxisForms);
    values.push_back(value_of(part));
  }
  return axis;
}

// The option that each axis of the document came from.
std::vector<std::string> origins(const StudyOptions& options) {
  std::vector<std::string> all;
  const auto add = [&](const char* option, const std::string& text) {
    all.push_back(fmt::format("{} {}", option, printable(text.substr(0, text.find('=')), 160)));
  };
  for (const auto& set : options.sets) add("--set", set);
  for (const auto& axis : options.axes) add("--axis", axis);
  return all;
}

// Puts options into the members "base" and "weights" of a document.
Expected<void> put_comparison(Json& document, const StudyOptions& options) {
  for (const auto& text : options.bases) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0)
      return refuse_option("--base",
                           fmt::format("'{}': expected an axis, '=' and its base value", printable(text)),
                           "such as --base /network/buses=4");
    document["base"][text.substr(0, equals)] = value_of(std::string_view(text).substr(equals + 1));
  }
  for (const auto& text : options.weights) {
    const auto equals = std::min(text.rfind('='), text.size());
    const auto weight = decimal_number(std::string_view(text).substr(std::min(equals + 1, text.size())));
    if (equals == 0 || !weight || !(*weight >= 0) || !std::isfinite(*weight))
      return refuse_option(
          "--weight",
          fmt::format("'{}': expected a workload, '=' and a number of 0 or more", printable(text)),
          "such as --weight hpcg=3");
    document["weights"][text.substr(0, equals)] = *weight;
  }
  return {};
}

// An error in the document is one in the option that wrote the place.
Error in_options(Error error, const std::vector<std::string>& origins) {
  constexpr std::string_view kAxes = "/axes/";
  error.kind = Error::Kind::bad_option;
  error.path.clear();
  error.line.reset();
  error.column.reset();
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kOptions{
      {{"/base", "--base"},
       {"/weights", "--weight"},
       {"/combine", "--combine"},
       {"/samples", "--samples"},
       {"/seed", "--seed"},
       {"/timeout", "--timeout"},
       {"/axes", "--axis"}}};
  if (error.where.starts_with(kAxes)) {
    const auto index =
        array_index(error.where.substr(kAxes.size(), error.where.find('/', kAxes.size()) - kAxes.size()));
    if (index && *index < origins.size()) error.where = origins[*index];
    return error;
  }
  for (const auto& [place, option] : kOptions)
    if (is_within(error.where, place)) error.where = option;
  return error;
}

Expected<Study> make_from(const StudyOptions& options, const std::vector<std::string>& given) {
  auto document = study_document(options);
  if (!document) return tl::unexpected(std::move(document.error()));
  auto study = parse_study(*std::move(document), "", "");
  if (!study) return tl::unexpected(in_options(std::move(study.error()), given));
  for (std::size_t i = 0; i < study->axes.size(); ++i) study->axes[i].origin = given[i];
  return study;
}

}  // namespace

Expected<std::string> study_document(const StudyOptions& options) {
  Json j{{"schema", kStudySchema}, {"name", "study"}, {"platform", options.platform}};
  j["workload"] = options.workload.starts_with('{') ? value_of(options.workload) : Json(options.workload);
  if (!options.model.empty()) j["model"] = options.model;
  if (!options.mapping.empty()) j["mapping"] = options.mapping;
  auto& axes = j["axes"] = Json::array();
  for (const auto& set : options.sets) {
    const auto assignment = split_assignment(set, "--set", "such as --set /network/buses=4");
    if (!assignment) return tl::unexpected(assignment.error());
    axes.push_back({{"set", assignment->pointer}, {"to", Json::array({value_of(assignment->value)})}});
  }
  for (const auto& text : options.axes) {
    auto axis = axis_document(text);
    if (!axis) return tl::unexpected(std::move(axis.error()));
    axes.push_back(*std::move(axis));
  }
  if (!options.combine.empty()) j["combine"] = options.combine;
  const bool samples = options.combine == "random" || options.combine == "latin";
  if (samples && options.samples == 0)
    return refuse_option("--combine", fmt::format("'{}' needs a number of points", options.combine),
                         "such as --samples 100");
  if (options.samples > 0) j["samples"] = options.samples;
  if (samples) j["seed"] = options.seed;
  if (!options.timeout.empty()) j["timeout"] = options.timeout;
  if (auto put = put_comparison(j, options); !put) return tl::unexpected(std::move(put.error()));
  for (const auto& [name, text] :
       {std::pair{"--platform", &options.platform}, std::pair{"--workload", &options.workload}})
    if (!is_utf8(*text)) return refuse_option(name, "the path is not UTF-8");
  return compact_text(j);
}

Expected<Study> make_study(const StudyOptions& options) {
  return make_from(options, origins(options));
}

void ask_why(Study& study) {
  if (std::exchange(study.why, true)) return;
  auto document = Json::parse(study.document);
  document["why"] = true;
  study.document = compact_text(document);
}

Expected<void> ask_comparison(Study& study, const StudyOptions& options) {
  if (options.bases.empty() && options.weights.empty()) return {};
  auto document = Json::parse(study.document);
  if (auto put = put_comparison(document, options); !put) return put;
  study.document = compact_text(document);
  return check_comparison(stored(study, 0), compare_with(study.document));
}

Expected<CompareWith> compare_with(const StudyOptions& options) {
  auto document = Json::object();
  if (auto put = put_comparison(document, options); !put) return tl::unexpected(std::move(put.error()));
  return compare_with(document.dump());
}

Expected<Study> make_base_case(const StudyOptions& options) {
  auto base = options;
  auto given = origins(base);
  given.resize(base.sets.size());
  base.axes.clear();
  base.bases.clear();
  for (const auto& text : options.bases) {
    base.sets.push_back(text.starts_with('/') ? text : "/" + text);
    given.push_back("--base " + printable(text.substr(0, text.find('=')), 160));
  }
  return make_from(base, given);
}

}  // namespace busline
