// The schema of studies, which other programs read, is what this program reads.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platforms/document/test_schema.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/study_fields.hpp"
#include "studies/study/study_report.hpp"
#include "studies/study/workload_fields.hpp"

using namespace busline;
using nlohmann::json;
using Strings = std::vector<std::string>;

namespace {

json schema_of(const std::string& name) {
  return read_schema(BUSLINE_SOURCE_DIR "/studies/schema/" + name + ".schema.json");
}

}  // namespace

TEST_CASE("the members of a study are those of its schema") {
  const auto schema = schema_of("study");
  const auto& defs = schema.at("$defs");
  check_object<StudyFields>(schema);
  check_object<AxisDocument>(defs.at("axis"));
  check_object<RangeDocument>(defs.at("range"));
  check_object<PatchDocument>(defs.at("patch"));
  check_object<TraceChoice>(defs.at("trace"));
  check_object<BenchmarkChoice>(defs.at("benchmark"));
  check_names(kCombineNames, schema.at("properties").at("combine"));
  check_names(kScaleNames, defs.at("range").at("properties").at("scale"));
  check_names(kBenchmarkNames, defs.at("benchmark").at("properties").at("measure"));
}

TEST_CASE("the figures of a result are those of the results' schema") {
  const auto schema = schema_of("study-results");
  const auto& row = schema.at("properties").at("results").at("items");
  check_names(kOutcomeNames, row.at("properties").at("status"));
  Strings figures;
  for (const auto& property : row.at("properties").items())
    if (property.value().value("type", "") == "integer" && property.key() != "point")
      figures.push_back(property.key());
  Strings columns;
  for (const auto& column : kFigureColumns) columns.emplace_back(column.name);
  std::sort(columns.begin(), columns.end());
  CHECK(figures == columns);
}

TEST_CASE("the document of a study's results is what its schema says") {
  auto store = Store::open(":memory:", Store::Mode::create);
  REQUIRE(store);
  StoredStudy study{"s", "{}", "", "[]", {"network/buses", "patch"}, {"/platform/network/buses", ""}, 2};
  REQUIRE(store->begin(study));
  Outcome all;
  for (const auto& column : kFigureColumns) all.*column.figure = 1;
  Outcome none;
  none.status = Outcome::Status::refused;
  none.reason = "why";
  const std::vector<PointOutcome> points{{0, {{"1", "1"}, {"{}", "a"}}, "x", all},
                                         {1, {{"2", "2"}, {"{}", "b"}}, "y", none}};
  REQUIRE(store->put(points));
  const auto made = study_json(*store);
  REQUIRE(made);
  json document = *made;
  document["provenance"] = json::object();
  CHECK(SchemaCheck::differences(schema_of("study-results"), document) == Strings());
  CHECK(unnoticed_properties(schema_of("study-results"), {document}) == Strings());
}
