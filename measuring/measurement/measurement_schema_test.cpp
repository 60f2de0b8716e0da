// The JSON Schema that other programs read and the description that this one reads by must say the same.
#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/measurement/measurement_fields.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

nlohmann::json schema() {
  return read_schema(BUSLINE_SOURCE_DIR "/measuring", "measurement");
}

}  // namespace

TEST_CASE("the JSON Schema of measurements has the members that the reader knows") {
  const auto s = schema();
  const auto& defs = s.at("$defs");
  check_object<Measurement>(s);
  check_object<MeasuredMachine>(defs.at("machine"));
  check_object<MeasuringClock>(defs.at("clock"));
  check_object<MergedFrom>(defs.at("merged_from"));
  check_object<Suite>(defs.at("suite"));
  check_object<RepetitionRules>(defs.at("repetition"));
  check_object<Point>(defs.at("point"));
  check_object<LaunchSubject>(defs.at("launch_subject"));
  check_object<LaunchDetails>(defs.at("launch_details"));
  check_object<ziatest::PhaseTime>(defs.at("launch_phase"));
  check_object<PointSpread>(defs.at("point_spread"));
  check_object<measure::Summary>(defs.at("summary"));
  check_object<Provenance>(defs.at("provenance"));
  check_object<Provenance::Input>(defs.at("input"));
}

TEST_CASE("the JSON Schema of measurements has the names that the reader knows") {
  const auto s = schema();
  const auto& defs = s.at("$defs");
  const auto& suite = defs.at("suite").at("properties");
  check_names(kTestbedNames, s.at("properties").at("testbed"));
  check_names(kPatternNames, suite.at("pattern"));
  check_names(kTimeOfNames, suite.at("time"));
  check_names(kLeadInNames, suite.at("lead_in"));
  check_names(kVariesNames, suite.at("varies"));
  check_names(kRouteClassNames, suite.at("class"));
  check_names(kStopNames, defs.at("point").at("properties").at("stop"));
  check_names(kStopRuleNames, defs.at("repetition").at("properties").at("rule"));
  check_names(kVariantNames, defs.at("launch_subject").at("properties").at("variant"));
  check_names(kPhaseNames, defs.at("launch_phase").at("properties").at("phase"));
  check_names(kMergeRuleNames, defs.at("merged_from").at("properties").at("rule"));
}

TEST_CASE("the JSON Schema of measurements has the bounds that the reader knows") {
  const auto s = schema();
  const auto& defs = s.at("$defs");
  CHECK(s.at("properties").at("schema").at("const") == kMeasurementSchema);
  CHECK(defs.at("count").at("maximum") == kMostCount);
  CHECK(defs.at("indices").at("items").at("maximum") == kMostRanks);
  CHECK(defs.at("repetition").at("properties").at("max_repetitions").at("maximum") == kMostRepetitions);
  CHECK(defs.at("whole_ps").at("maximum") == Duration::max().count());
}
