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
  set.runs = {{.time = Duration::seconds(0.1),
               .wall = Duration::seconds(1),
               .disturbance = {.cpu_wait = Duration::seconds(0.006), .preempted = 12}},
              {.wall = Duration::seconds(2), .exit_code = 1},
              {.time = Duration::seconds(0.11)}};
  set.traced = TracedRun{{.time = Duration::seconds(0.105)}, "trace"};
  CHECK(to_text(set) ==
        "jacobi2d on cluster: 8 ranks on 2 hosts, Open MPI v4.1.4\n"
        "from MPI_Barrier:1 to MPI_Finalize\n"
        "\n"
        "  run           time  with its launch  waited for a CPU  throttled  preempted\n"
        "  1           100 ms              1 s              6 ms          ?         12\n"
        "  2       failed (1)              2 s                 ?          ?          ?\n"
        "  3           110 ms                                  ?          ?          ?\n"
        "  traced      105 ms                                  ?          ?          ?\n"
        "\n"
        "  median 105 ms, from 100 ms to 110 ms: a spread of 9.5 %\n"
        "  disturbed: 1 (a rank waited for a CPU or was throttled for more than 5 % of the time)\n"
        "  traced: +0.0 % of the median\n");
  set.runs.erase(set.runs.begin());
  CHECK(to_text(set).find("  disturbed: not known; the kernel or the library does not count it\n") !=
        std::string::npos);
  set.runs.back().disturbance.throttled = Duration();
  CHECK(to_text(set).find("  disturbed: none\n") != std::string::npos);
}
