// The schema of studies, which other programs read, is what this program reads.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "documents/text/test_documents.hpp"
#include "studies/study/difference.hpp"
#include "studies/study/find_value.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/study_fields.hpp"
#include "studies/study/study_report.hpp"
#include "studies/study/test_study.hpp"

using namespace busline;
using namespace busline::test;
using nlohmann::json;
using Strings = std::vector<std::string>;

TEST_CASE("the schema of studies is the one that is generated from their description") {
  check_generated<StudyFields>(BUSLINE_SOURCE_DIR "/studies", "study",
                               "A what-if study: one base case and the axes to vary");
}

TEST_CASE("the figures of a result are those of the results' schema") {
  const auto schema = read_schema(BUSLINE_SOURCE_DIR "/studies", "study-results");
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

TEST_CASE("the document of a study's results conforms to its schema") {
  auto store = Store::open(":memory:", Store::Mode::create);
  REQUIRE(store);
  const auto* axes = R"({"axes":[{"values":[["\"a\"","a"],["\"b\"","b"]]},)"
                     R"({"values":[["\"1us\"","1us"],["\"2us\"","2us"]]}],"combine":0})";
  StoredStudy study{
      "s", "{}", "", axes, {"workload", "network/latency"}, {"/workload", "/platform/network/latency"}, 4};
  REQUIRE(store->begin(study));
  Outcome all;
  for (const auto& column : kFigureColumns) all.*column.figure = 1;
  Outcome none;
  none.status = Outcome::Status::refused;
  none.reason = "why";
  const AxisValue a{"\"a\"", "a"}, b{"\"b\"", "b"}, fast{"\"1us\"", "1us"}, slow{"\"2us\"", "2us"};
  const std::vector<PointOutcome> points{
      {0, {a, fast}, "x", all}, {1, {a, slow}, "y", none}, {2, {b, fast}, "x", all}};
  REQUIRE(store->put(points));
  auto made = study_json(*store);
  REQUIRE(made);
  (*made)["diagnostics"] = to_json(Diagnostics{full_warning(), bare_warning()});
  const auto document = printed(*made);
  CHECK(SchemaCheck::differences(read_schema(BUSLINE_SOURCE_DIR "/studies", "study-results"), document) ==
        Strings());
  CHECK(unnoticed_properties(read_schema(BUSLINE_SOURCE_DIR "/studies", "study-results"), {document}) ==
        Strings());
}

TEST_CASE("documents of a study's points, a found value and a difference conform to their schemas") {
  const Folder folder;
  const auto cases = cases_of(folder, {"/network/buses=1,2,4"}, kHalo);
  const auto check = [](const std::string& name, json made) {
    CAPTURE(name);
    auto document = printed(std::move(made));
    CHECK(SchemaCheck::differences(read_schema(BUSLINE_SOURCE_DIR "/studies", name), document) == Strings());
    return document;
  };
  check("study-points", points_json(cases, {}));
  CHECK(points_json(cases, {2, 2})["results"].size() == 1);

  auto store = open(":memory:");
  WorkloadPool workloads;
  auto found = find_value(cases, workloads, store, {.program = "test"}, {});
  REQUIRE(found);
  const auto told = [&] {
    auto j = find_json(*found, "network/buses", {});
    j["diagnostics"] = to_json(Diagnostics{bare_warning()});
    return j;
  };
  check("study-find", told());
  found->found.reset();
  check("study-find", told());

  Difference d{"a", "b", {}, {"network/buses = 8"}, {"network/buses = 9"}};
  for (const auto& p : points_in(store)) d.pairs.push_back({"network/buses = 1", p.outcome, {}});
  auto document = check("diff", to_json(d));
  document["points"][0]["first"]["run_time_ps"] = "1 s";
  CHECK_FALSE(SchemaCheck::differences(read_schema(BUSLINE_SOURCE_DIR "/studies", "diff"), document).empty());
}
