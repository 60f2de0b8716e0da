// The DUMPI traces of validation/golden: what is read agrees with an independent reader's summary, and what
// can be simulated is simulated to its end.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/statistics/statistics.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

const fs::path kGoldenReplays = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden";

// The 11th message of a rank has a type of 16 x 16 integers made by MPI_Type_create_darray: 1024 bytes. The
// independent reader does not know that constructor and counts 12 bytes, the size of a type that was freed.
constexpr std::uint64_t kDarrayDifference = 1024 - 12;

// One-sided bytes are not in the summary. In traces/rma each rank puts 100 + 101 + 102 + 103 and
// accumulates 4 x 20 doubles at fences, puts 3 doubles under a lock and 64 integers after a start; 4 x 50
// doubles of it are got at fences. All ranks get 3 doubles of rank 0 under a lock.
constexpr std::uint64_t kOneSided = 8 * (406 + 80 + 3 + 200) + 4 * 64;
constexpr std::uint64_t kOneSidedFromRank0 = 4 * 3 * 8;

std::vector<fs::path> traces() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(kGoldenReplays / "dumpi/traces"))
    if (entry.is_directory() && entry.path().filename() != "halo2d-cpu") all.push_back(entry.path());
  for (const auto& set : fs::directory_iterator(kGoldenReplays / "real_runs"))
    if (set.is_directory())
      for (const auto& entry : fs::directory_iterator(set))
        if (entry.is_directory())
          all.push_back(fs::exists(entry.path() / "trace") ? entry.path() / "trace" : entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

Platform one_node_a_rank(std::uint32_t ranks) {
  Platform p;
  MachineGroup machine;
  NodeGroup group;
  group.count = ranks;
  machine.nodes.push_back(group);
  machine.network.latency = Duration::seconds(5e-6);
  machine.network.bandwidth = Bandwidth::bytes_per_second(1e9);
  p.machines.push_back(machine);
  return p;
}

Program read_golden(const fs::path& folder, const DumpiOptions& options = {}) {
  Diagnostics diagnostics;
  auto program = read_dumpi(folder.string(), options, diagnostics);
  REQUIRE_MESSAGE(program.has_value(), to_string(program.error()));
  return std::move(*program);
}

Result replay(const Program& program, const std::string& model) {
  const auto platform = one_node_a_rank(program.ranks());
  const auto machine = place_ranks(platform, program.ranks());
  REQUIRE(machine.has_value());
  SimulateOptions options;
  options.model = model;
  const auto result = simulate(program, platform, *machine, options);
  REQUIRE_MESSAGE(result.has_value(), to_string(result.error()));
  return *result;
}

}  // namespace

TEST_CASE("the bytes that each rank of a DUMPI trace sends are those of an independent reader") {
  for (const auto& folder : traces()) {
    if (!fs::exists(folder / "summary.json")) continue;
    CAPTURE(folder.filename().string());
    const auto summary = nlohmann::json::parse(std::ifstream(folder / "summary.json"));
    const auto found = statistics_of(read_golden(folder));
    const auto& ranks = summary.at("per_rank");
    REQUIRE(found.per_rank.size() == ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::uint64_t expected = ranks[r].at("p2p_bytes_sent").get<std::uint64_t>();
      if (folder.filename() == "types") expected += kDarrayDifference;
      if (folder.filename() == "rma") expected += kOneSided + (r == 0 ? kOneSidedFromRank0 : 0);
      CHECK(found.per_rank[r].bytes_sent == expected);
    }
  }
}

TEST_CASE("every complete DUMPI trace is replayed to its end, by every model and with open wildcards") {
  for (const auto& folder : traces()) {
    CAPTURE(folder.string());
    const auto program = read_golden(folder);
    DumpiOptions rematch;
    rematch.rematch_wildcards = true;
    const auto open = read_golden(folder, rematch);
    for (const auto& model : {"dimemas", "ideal"}) {
      CAPTURE(model);
      const auto result = replay(program, model);
      CHECK(result.status == Result::Status::complete);
      CHECK(result.run_time > Time::zero());
      CHECK(replay(open, model).status == Result::Status::complete);
    }
  }
}

TEST_CASE("a trace whose sends were not recorded is refused, and says which receives stay alone") {
  Diagnostics diagnostics;
  const auto folder = kGoldenReplays / "dumpi/traces/halo2d-cpu";
  const auto program = read_dumpi(folder.string(), {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().kind == Error::Kind::bad_input);
  CHECK(program.error().message ==
        "24 MPI_Isend were made but not recorded, so these have no partner: 3 receives of "
        "messages from "
        "rank 1 to rank 0 with tag 100 (communicator 0)");
}

TEST_CASE("calls that were not recorded by any rank are a warning if the rest fits together") {
  Diagnostics diagnostics;
  const auto program = read_dumpi((kGoldenReplays / "dumpi/traces/misc").string(), {}, diagnostics);
  REQUIRE(program.has_value());
  const auto told = std::find_if(diagnostics.begin(), diagnostics.end(),
                                 [](const Diagnostic& d) { return d.code == "ignored-calls"; });
  REQUIRE(told != diagnostics.end());
  CHECK(told->message == "calls that were made but not recorded: 15 MPI_Barrier");
}

TEST_CASE("traces of jobs that ended badly are refused, or replayed with a warning if they are complete") {
  Diagnostics diagnostics;
  for (const auto* name : {"abort", "killed-before-flush"}) {
    const auto program = read_dumpi((kGoldenReplays / "dumpi/edge" / name).string(), {}, diagnostics);
    REQUIRE(!program.has_value());
    CHECK(program.error().message == "the file is empty");
  }
  diagnostics.clear();
  const auto program = read_dumpi((kGoldenReplays / "dumpi/edge/exit-no-finalize").string(), {}, diagnostics);
  REQUIRE(program.has_value());
  CHECK(replay(*program, "dimemas").status == Result::Status::complete);
  REQUIRE(!diagnostics.empty());
  CHECK(diagnostics.front().code == "missing-call");
}

TEST_CASE("a rank's computation, summed over the trace, is the time between its calls") {
  // jacobi2d of set P computes for 20 x 10 ms in sleeps that take a little longer than asked for.
  const auto program = read_golden(kGoldenReplays / "real_runs/P_r50_l500_8x1_forced/dumpi_jacobi2d");
  const auto found = statistics_of(program);
  for (const auto& rank : found.per_rank) {
    CHECK(rank.compute > Duration::seconds(0.200));
    CHECK(rank.compute < Duration::seconds(0.215));
  }
  DumpiOptions half;
  half.compute_scale = 0.5;
  const auto halved =
      statistics_of(read_golden(kGoldenReplays / "real_runs/P_r50_l500_8x1_forced/dumpi_jacobi2d", half));
  for (std::size_t r = 0; r < found.per_rank.size(); ++r)
    CHECK(halved.per_rank[r].compute.in_seconds() ==
          doctest::Approx(found.per_rank[r].compute.in_seconds() / 2).epsilon(1e-6));
}
