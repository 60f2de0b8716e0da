// SMPI's replay of small traces, as SimGrid 3.32 predicts it (validation/golden/simgrid/README.md), against
// the flow model on the same platforms. All the rest of SMPI is the replay's: matching, protocols, time.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/flow/plugin.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/files/test_folder.hpp"
#include "workloads/ti/read_ti.hpp"

using namespace busline;

namespace {

const std::string kSimGridGolden = BUSLINE_SOURCE_DIR "/validation/golden/simgrid/";

// SimGrid 3.32's factors for its model SMPI, from sizes above these on.
const std::vector<SizeClass> kSmpiFactors{
    {Bytes{0}, 2.01467, 0.812084},    {Bytes{258}, 1.95341, 0.338112},    {Bytes{733}, 1.9503, 0.341987},
    {Bytes{1427}, 1.61075, 0.608902}, {Bytes{3485}, 1.88101, 0.77493},    {Bytes{5777}, 2.18796, 1.08739},
    {Bytes{9377}, 2.59299, 0.58729},  {Bytes{15'425}, 3.48845, 0.697866}, {Bytes{65'473}, 11.6436, 0.940694}};

/// SMPI's protocols, and what its selector "default" takes for collectives.
Platform with_smpi(Platform p) {
  p.mpi.rendezvous_from = Bytes{65'536};
  p.mpi.send_completes = Mpi::SendCompletes::transfer;
  const auto of = [&p](CollectiveKind kind) -> auto& {
    return p.mpi.collectives.by_kind[static_cast<std::size_t>(kind)];
  };
  of(CollectiveKind::barrier) = {{Bytes{0}, {}, Algorithm::linear}};
  of(CollectiveKind::bcast) = {{Bytes{0}, {}, Algorithm::binomial}};
  of(CollectiveKind::reduce) = {{Bytes{0}, {}, Algorithm::linear}};
  of(CollectiveKind::alltoall) = {{Bytes{0}, {}, Algorithm::linear}};
  of(CollectiveKind::alltoallv) = {{Bytes{0}, {}, Algorithm::linear}};
  constexpr std::uint32_t kManyRanks = 12;
  if (p.machines.front().nodes.front().count > kManyRanks)
    of(CollectiveKind::alltoall) = {{Bytes{0}, {}, Algorithm::bruck}, {Bytes{200}, {}, Algorithm::linear}};
  return p;
}

/// A node for each rank on SimGrid's cluster, under one of its models.
Platform simgrid_cluster(std::uint32_t ranks, const std::string& name, const std::string& model) {
  auto p = textbook::machine(ranks);
  auto& network = textbook::network_of(p);
  auto& flow = network.flow;
  flow.model = model == "LV08" ? FlowOptions::Model::lv08 : FlowOptions::Model::cm02;
  if (model != "CM02") flow.tcp_gamma = Bytes{4'194'304};
  if (model == "SMPI" || model == "IB") {
    flow.weight_size = Bytes{8775};
    flow.crosstraffic = true;
    network.size_classes = kSmpiFactors;
  }
  if (name == "backbone") {
    // Two links and a backbone four times as wide, which are buses here.
    network.latency = us(25);
    network.latency_at = Network::LatencyAt::flight;
    network.bandwidth = Bandwidth::bytes_per_second(1e9);
    network.buses = 4;
    network.sharing = Network::Sharing::fair;
    textbook::nodes_of(p).links = textbook::full_duplex(1);
    // Factors of a law are for links of a topology.
    if (model == "LV08") network.size_classes = {{Bytes{0}, 13.01, 0.97}};
  } else {
    network.latency = {};
    network.bandwidth = Bandwidth::unlimited();
    network.topology.emplace().family =
        GraphFile{kSimGridGolden + "platforms/" + name + (name == "xbar" ? "32.xml" : "16.xml")};
  }
  return with_smpi(std::move(p));
}

/// The lines of a trace in which operations that SMPI makes of others are those others: an Allreduce is a
/// Reduce and a Bcast, an Allgather sends to all at once, as an Alltoallv does.
std::string as_smpi_does(const std::string& trace, std::uint32_t ranks) {
  std::istringstream lines(trace);
  std::string made;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string rank, verb, size, other, type;
    words >> rank >> verb >> size >> other >> type;
    if (verb == "allreduce") {
      made += fmt::format("{0} reduce {1} {2} 0 {3}\n{0} bcast {1} 0 {3}\n", rank, size, other, type);
    } else if (verb == "allgather") {
      const std::vector<std::string> sizes(ranks, size);
      made += fmt::format("{0} alltoallv 0 {1} 0 {1}\n", rank, fmt::join(sizes, " "));
    } else {
      made += line + "\n";
    }
  }
  return made;
}

/// The Program of a golden trace, messages as SMPI sends them.
Program trace_program(const std::string& trace) {
  const auto path = kSimGridGolden + "traces/" + trace + ".txt";
  const auto ranks = read_ti({path})->ranks();
  const auto made =
      std::filesystem::temp_directory_path() / fmt::format("busline-golden-ti-{}.txt", getpid());
  std::ofstream(made) << as_smpi_does(content_of(path), ranks);
  TiOptions options;
  options.extra_bytes = 16;
  options.detached_below = 65'536;
  auto program = read_ti({made.string()}, options);
  std::filesystem::remove(made);
  if (!program) FAIL(to_string(program.error()));
  return *std::move(program);
}

std::string kind_of(const std::string& trace) {
  for (const auto* start : {"pingpong", "halo", "incast"})
    if (trace.starts_with(start)) return "messages";
  return trace.find("_S_") != trace.npos ? "programs" : "collectives";
}

}  // namespace

TEST_CASE("point-to-point messages end when SimGrid's own replay says") {
  if (!load_flows()) return;
  std::ifstream cases(kSimGridGolden + "cases.txt");
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
    const auto p = simgrid_cluster(static_cast<std::uint32_t>(ends.size()), platform, "CM02");
    const auto result = textbook::simulated(trace_program(trace), p, "flow");
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

TEST_CASE("as many of SMPI's predictions are met as docs/reference/simgrid.md says") {
#ifdef BUSLINE_SANITIZED
  if (load_flows()) return;  // minutes there; the cases above and flow_test.cpp go the same ways
#endif
  if (!load_flows()) return;
  const std::vector<std::string> models{"SMPI", "CM02", "LV08", "IB"};
  struct Share {
    int all = 0, close = 0, near = 0;  // within 1 %, 5 %
  };
  std::map<std::string, Share> shares;
  std::ifstream predictions(kSimGridGolden + "predictions.txt");
  std::string details;
  for (std::string line; std::getline(predictions, line);) {
    std::istringstream words(line);
    std::string trace, platform;
    words >> trace >> platform;
    const auto program = trace_program(trace);
    for (const auto& model : models) {
      std::string end;
      words >> end;
      if (end == "crashed") continue;
      const auto result =
          textbook::simulated(program, simgrid_cluster(program.ranks(), platform, model), "flow");
      if (!result) FAIL(to_string(result.error()));
      const auto difference = std::abs(result->run_time.since_start().in_seconds() / std::stod(end) - 1);
      auto& share = shares[fmt::format("{} {} {}", model, platform, kind_of(trace))];
      ++share.all;
      if (difference <= 0.01) ++share.close;
      if (difference <= 0.05) ++share.near;
      if (difference > 0.01)
        details += fmt::format("{} {} {} {:+.1f} %\n", model, platform, trace,
                               100 * (result->run_time.since_start().in_seconds() / std::stod(end) - 1));
    }
  }
  std::string table;
  for (const auto& [group, s] : shares)
    table += fmt::format("{}: {} of {} within 1 %, {} within 5 %\n", group, s.close, s.all, s.near);
  INFO(details);
  CHECK(table == content_of(kSimGridGolden + "shares.txt"));
}
