#include "studies/accuracy/validation_details.hpp"

#include <doctest/doctest.h>

#include "sim/base/durations.hpp"

using namespace busline;

TEST_CASE("a compared run names the machine of its trace, and lacks calls if it has no trace of its own") {
  compare::RunComparison run;
  run.program = "halo";
  run.machine = "new";
  run.traced_on = "old";
  run.measured.median = run.predicted = ms(100);
  CHECK(name_of_run(run) == "halo on new (traced on old)");
  CHECK(details_text(run) == "halo on new (traced on old): no trace of its own to compare calls with\n");
  run.traced_time = ms(102);
  CHECK(details_text(run).starts_with(
      "halo on new (traced on old): its own traced run 102 ms, +2.0 % of the median\n"));
}

TEST_CASE("only the first of many ranks of a compared run are shown") {
  compare::RunComparison run;
  run.program = "halo";
  run.machine = "cluster";
  run.measured.median = ms(100);
  run.traced_time = ms(102);
  run.predicted = ms(99);
  for (int rank = 0; rank < 17; ++rank)
    run.rank_calls.push_back({ms(99), ms(102), {{"MPI_Recv", ms(10), ms(13)}}});
  const auto text = details_text(run);
  CHECK(text.starts_with("halo on cluster: traced run 102 ms, +2.0 % of the median\n"));
  CHECK(text.ends_with(
      "\n  15                         10.000  13.000      -3.000              MPI_Recv -3.000\n  16 "
      "of 17 ranks; --json shows all\n"));
}
