#include "measuring/measurement/measurement_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::measure {
namespace {

using Json = nlohmann::ordered_json;

Expected<Duration> read_picoseconds(const Cursor& at) {
  return read_whole(at, 0, Duration::max().count()).map(Duration::picoseconds);
}

bool is_not_negative(double x) {
  return x >= 0;
}

}  // namespace

Expected<void> read_value(const Cursor& at, PicosecondsList& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list of times in picoseconds"));
  out.values.clear();
  out.values.reserve(at.value().size());
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto v = read_picoseconds(at.element(i));
    if (!v) return tl::unexpected(v.error());
    out.values.push_back(*v);
  }
  return {};
}
Json write_value(const PicosecondsList& v) {
  auto list = Json::array();
  for (const auto d : v.values) list.push_back(d.count());
  return list;
}

Json schema_of(const PicosecondsList&) {
  return {{"type", "array"}, {"items", whole_schema(0, Duration::max().count())}};
}

Expected<void> read_value(const Cursor& at, Numbers& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list of numbers"));
  out.values.clear();
  out.values.reserve(at.value().size());
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto v = read_number(at.element(i), "a number of 0 or more", is_not_negative);
    if (!v) return tl::unexpected(v.error());
    out.values.push_back(*v);
  }
  return {};
}
Json write_value(const Numbers& v) {
  return v.values;
}

Json schema_of(const Numbers&) {
  return {{"type", "array"}, {"items", {{"type", "number"}, {"minimum", 0}}}};
}

Expected<void> read_value(const Cursor& at, Interval& out) {
  std::vector<double> ends;
  Numbers numbers{ends};
  if (auto read = read_value(at, numbers); !read) return read;
  if (ends.size() != 2 || ends[0] > ends[1])
    return tl::unexpected(at.expected("a list of two numbers, the lower one first"));
  out = {ends[0], ends[1]};
  return {};
}
Json write_value(const Interval& v) {
  return Json::array({v.low, v.high});
}
Json schema_of(const Interval&) {
  std::vector<double> none;
  auto schema = schema_of(Numbers{none});
  schema.update({{"minItems", 2}, {"maxItems", 2}, {"description", "The lower end first."}});
  return schema;
}

Expected<void> check(const Cursor& at, const RepetitionRules& rules) {
  if (const auto valid = validate(rules); !valid) return tl::unexpected(at.error(valid.error().message));
  return {};
}

Expected<void> check(const Cursor& at, const Point& p) {
  if (!p.samples.empty() && p.time_ps && p.samples.size() != p.time_ps->count)
    return tl::unexpected(at.member("samples_ps")
                              ->error(fmt::format("found {} samples, but time_ps counts {}", p.samples.size(),
                                                  p.time_ps->count)));
  return {};
}

Expected<void> check(const Cursor& at, const Suite& s) {
  if (!s.nodes.empty() && s.nodes.size() != s.ranks.size())
    return tl::unexpected(at.member("nodes")->error(fmt::format("nodes has {}, expected one for each of {}",
                                                                counted(s.nodes.size(), "element"),
                                                                counted(s.ranks.size(), "rank"))));
  const auto points = at.member("points");
  for (std::size_t i = 1; i < s.points.size(); ++i) {
    const auto& a = s.points[i - 1];
    const auto& b = s.points[i];
    if (std::tie(a.ranks, a.argument) >= std::tie(b.ranks, b.argument))
      return tl::unexpected(points->element(i).error(
          fmt::format("argument {} follows {}, expected points in ascending order without duplicates",
                      b.argument, a.argument)));
  }
  return {};
}

Expected<void> check(const Cursor& at, const Measurement& m) {
  std::set<std::string_view> names;
  const auto suites = at.member("suites");
  for (std::size_t i = 0; i < m.suites.size(); ++i)
    if (!names.insert(m.suites[i].name).second) {
      const auto suite = suites->element(i);
      return tl::unexpected(suite.member("name")->error(
          fmt::format("another suite is also named '{}'", printable(m.suites[i].name))));
    }
  return {};
}

Expected<Measurement> parse_measurement(const Document& document) {
  const Cursor root(document);
  // Checked first, so that another kind of document is not reported as having unknown members.
  if (const auto schema = root.member("schema")) {
    SchemaName expected{kMeasurementSchema};
    if (auto read = read_value(*schema, expected); !read) return tl::unexpected(std::move(read.error()));
  }
  Measurement m;
  if (auto read = read_value(root, m); !read) return tl::unexpected(std::move(read.error()));
  return m;
}

Expected<Measurement> parse_measurement(std::string text, std::string path) {
  return Document::parse(std::move(text), std::move(path)).and_then([](const Document& d) {
    return parse_measurement(d);
  });
}

Expected<Measurement> read_measurement(const std::string& path) {
  return Document::read(path).and_then([](const Document& d) { return parse_measurement(d); });
}

Json to_json(const Measurement& measurement) {
  return write_object(measurement);
}

std::string to_json_text(const Measurement& measurement) {
  return compact_text(to_json(measurement));
}

}  // namespace busline::measure
