#include "measuring/tables/run_set_report.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::runs;

TEST_CASE("a run set is shown with its runs, including failed ones, and their spread") {
  RunSet set{.name = "jacobi2d", .ranks = 8};
  set.machine.name = "cluster";
  set.machine.nodes = {"h0", "h1"};
  set.machine.mpi = "Open MPI v4.1.4";
  set.region.from = CallRef{"MPI_Barrier", 1};
  set.runs = {{.time = Duration::seconds(0.1), .wall = Duration::seconds(1)},
              {.wall = Duration::seconds(2), .exit_code = 1},
              {.time = Duration::seconds(0.11)}};
  set.traced = TracedRun{{.time = Duration::seconds(0.105)}, "trace"};
  CHECK(to_text(set) ==
        "jacobi2d on cluster: 8 ranks on 2 hosts, Open MPI v4.1.4\n"
        "from MPI_Barrier:1 to MPI_Finalize\n"
        "\n"
        "  run           time  with its launch\n"
        "  1           100 ms              1 s\n"
        "  2       failed (1)              2 s\n"
        "  3           110 ms                 \n"
        "  traced      105 ms                 \n"
        "\n"
        "  median 105 ms, from 100 ms to 110 ms: a spread of 9.5 %\n"
        "  traced: +0.0 % of the median\n");
}
