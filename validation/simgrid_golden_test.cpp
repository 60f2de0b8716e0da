// SMPI's replay of small traces, as SimGrid 3.32 predicts it (validation/golden/simgrid/README.md), against
// the flow model on the same clusters. All the rest of SMPI is the replay's: matching, protocols, time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/flow/plugin.hpp"
#include "validation/textbook.hpp"
#include "workloads/ti/read_ti.hpp"

using namespace busline;

namespace {

const std::string kGolden = BUSLINE_SOURCE_DIR "/validation/golden/simgrid/";

/// A node for each rank on SimGrid's cluster, and SMPI's protocols.
Platform cluster(std::uint32_t ranks, const std::string& xml) {
  auto p = textbook::machine(ranks);
  auto& network = textbook::network_of(p);
  network.latency = {};
  network.bandwidth = Bandwidth::unlimited();
  network.topology.emplace().family = GraphFile{kGolden + "platforms/" + xml};
  network.flow.model = FlowOptions::Model::cm02;
  p.mpi.rendezvous_from = Bytes{65'536};
  p.mpi.send_completes = Mpi::SendCompletes::transfer;
  return p;
}

std::vector<std::string> files_of(const std::string& trace, std::size_t ranks) {
  std::vector<std::string> files;
  for (std::size_t r = 0; r < ranks; ++r)
    files.push_back(kGolden + "traces/" + trace + "/r" + std::to_string(r) + ".txt");
  return files;
}

}  // namespace

TEST_CASE("point-to-point messages end when SimGrid's own replay says") {
  if (!load_flows()) return;
  std::ifstream cases(kGolden + "cases.txt");
  int compared = 0;
  double worst = 0;
  for (std::string line; std::getline(cases, line);) {
    std::istringstream words(line);
    std::string trace, platform;
    words >> trace >> platform;
    std::vector<double> ends;
    for (double end = 0; words >> end;) ends.push_back(end);
    CAPTURE(trace);
    CAPTURE(platform);
    TiOptions options;
    options.extra_bytes = 16;
    options.detached_below = 65'536;
    const auto program = read_ti(files_of(trace, ends.size()), options);
    if (!program) FAIL(to_string(program.error()));
    const auto result =
        textbook::simulated(*program, cluster(static_cast<std::uint32_t>(ends.size()), platform), "flow");
    if (!result) FAIL(to_string(result.error()));
    for (std::size_t r = 0; r < ends.size(); ++r) {
      CAPTURE(r);
      const auto end = result->ranks[r].end.since_start().in_seconds();
      const auto difference = ends[r] == 0 ? end : std::abs(end / ends[r] - 1);
      worst = std::max(worst, difference);
      CHECK(difference <= 1e-3);
    }
    ++compared;
  }
  CHECK(compared == 26);
  MESSAGE("largest difference of a rank's end: " << worst);
}
