// The JSON Schema that other programs read and the description that this one reads by must say the same.
#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/runs/run_set_fields.hpp"

using namespace busline;
using namespace busline::runs;

TEST_CASE("the JSON Schema of run sets has the members and bounds that the reader knows") {
  const auto s = read_schema(BUSLINE_SOURCE_DIR "/measuring", "run-set");
  const auto& defs = s.at("$defs");
  check_object<RunSet>(s);
  check_object<measure::MeasuredMachine>(defs.at("machine"));
  check_object<measure::RankPlace>(defs.at("place"));
  check_object<Borders>(defs.at("region"));
  check_object<Run>(defs.at("run"));
  check_object<TracedRun>(defs.at("traced_run"));
  check_object<Provenance>(defs.at("provenance"));
  check_object<Provenance::Input>(defs.at("input"));
  CHECK(s.at("properties").at("schema").at("const") == kRunSetSchema);
  CHECK(s.at("properties").at("ranks").at("maximum") == measure::kMostRanks);
  CHECK(defs.at("run").at("properties").at("exit_code").at("maximum") == kMostExitCode);
  CHECK(defs.at("whole_ps").at("maximum") == Duration::max().count());
}
