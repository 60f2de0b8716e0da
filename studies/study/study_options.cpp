// Studies without a file: the document equivalent to the command-line options.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
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

// An error in the document is one in the option that wrote the place.
Error in_options(Error error, const std::vector<std::string>& origins) {
  constexpr std::string_view kAxes = "/axes/";
  error.kind = Error::Kind::bad_option;
  error.path.clear();
  error.line.reset();
  error.column.reset();
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOptions{
      {{"/combine", "--combine"},
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
  for (const auto& [name, text] :
       {std::pair{"--platform", &options.platform}, std::pair{"--workload", &options.workload}})
    if (!is_utf8(*text)) return refuse_option(name, "the path is not UTF-8");
  return compact_text(j);
}

Expected<Study> make_study(const StudyOptions& options) {
  auto document = study_document(options);
  if (!document) return tl::unexpected(std::move(document.error()));
  auto study = parse_study(*std::move(document), "", "");
  const auto given = origins(options);
  if (!study) return tl::unexpected(in_options(std::move(study.error()), given));
  for (std::size_t i = 0; i < study->axes.size(); ++i) study->axes[i].origin = given[i];
  return study;
}

void ask_why(Study& study) {
  if (std::exchange(study.why, true)) return;
  auto document = Json::parse(study.document);
  document["why"] = true;
  study.document = compact_text(document);
}

}  // namespace busline
