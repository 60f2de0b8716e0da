// The JSON Schema of baselines, which other programs read, and what this program reads must be the same.
#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "validation/compare/baseline.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::compare;
using nlohmann::json;
using Strings = std::vector<std::string>;

namespace {

json baseline_schema() {
  return read_schema(BUSLINE_SOURCE_DIR "/validation/compare", "validation-baseline");
}

// As it is written: of a run with a region, and of one without.
json written_baseline(const TestFolder& folder) {
  Baseline baseline;
  baseline.runs.resize(2);
  for (auto& r : baseline.runs) {
    r.machine = "cluster";
    r.predicted = r.measured = Duration::picoseconds(5);
  }
  baseline.runs[0].program = "jacobi2d";
  baseline.runs[0].command = {"jacobi2d", "--large"};
  baseline.runs[0].region = {CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}};
  baseline.runs[1].program = "pingpong";
  REQUIRE(write_baseline(baseline, folder.file("baseline.json")));
  return json::parse(folder.read("baseline.json"));
}

}  // namespace

TEST_CASE("the schema of baselines is the one that is generated from their description") {
  check_generated<Baseline>(BUSLINE_SOURCE_DIR "/validation/compare", "validation-baseline",
                            "Recorded predictions: 'busline validate --update-baseline' and '--baseline'");
}

TEST_CASE("the schema of baselines accepts and rejects the same as the reader") {
  const TestFolder folder;
  const auto is_read = [&folder](const std::string& text) {
    folder.write("b.json", text);
    return read_baseline(folder.file("b.json")).has_value();
  };
  const auto document = written_baseline(folder);
  CHECK(disagreements(baseline_schema(), document, is_read) == Strings());
  CHECK(unnoticed_properties(baseline_schema(), {document}) == Strings());
}

TEST_CASE("the baseline of the regression's runs conforms to its schema") {
  const auto document = json::parse(content_of(BUSLINE_SOURCE_DIR "/validation/regression/baseline.json"));
  CHECK(SchemaCheck::differences(baseline_schema(), document) == Strings());
}
