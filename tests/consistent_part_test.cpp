// The part of an incomplete Program that can be replayed (workloads/salvage), of random programs and of the
// golden traces, cut at random places: it ends on every platform.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/program/program_editor.hpp"
#include "tests/damage/damaged_job.hpp"
#include "tests/random_program.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/files/test_folder.hpp"
#include "workloads/salvage/consistent_part.hpp"

namespace {

using namespace busline;
using namespace busline::textbook;
namespace fs = std::filesystem;

// The first operations of some ranks, all of the others'.
Program cut_at_random(const Program& whole, std::uint64_t seed) {
  Random random(seed);
  ProgramEditor editor(whole);
  for (std::size_t i = 0; i < whole.strands().size(); ++i) {
    const auto& s = whole.strands()[i];
    if (random.one_in(2))
      editor.end_strand(i, s.begin + random.below(static_cast<std::uint32_t>(s.end - s.begin + 1)));
  }
  return editor.finish();
}

std::uint64_t operations_on(const Program& p, OpKind a, OpKind b) {
  std::uint64_t n = 0;
  for (const auto& op : p.operations()) n += op.kind == a || op.kind == b ? 1U : 0U;
  return n;
}

// On which of these it is replayed to its end: eager and with a rendezvous for every message, contended and
// not.
std::array<bool, 4> completes(const Program& program) {
  std::array<bool, 4> ends{};
  auto platform = machine(program.ranks());
  nodes_of(platform).links = {Links::Kind::full_duplex, 1, 1};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i / 2 == 1) platform.mpi.rendezvous_from = Bytes{0};
    const auto result = simulated(program, platform, i % 2 == 0 ? "dimemas" : "ideal");
    ends[i] = result && result->status == Result::Status::complete;
  }
  return ends;
}

DamagedJob job_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".bin") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::optional<std::string>> files;
  for (const auto& path : paths) files.emplace_back(content_of(path));
  return DamagedJob(std::move(files));
}

}  // namespace

TEST_CASE("the consistent part of a truncated random program is replayed to its end") {
  std::uint64_t kept = 0;
  for (const std::uint32_t steps : {4U, 12U, 40U, 200U})
    for (const std::uint32_t ranks : {2U, 3U, 8U})
      for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        RandomProgram recipe;
        recipe.seed = seed;
        recipe.ranks = ranks;
        recipe.steps = steps;
        recipe.to_oneself = seed % 2 == 0;
        recipe.one_sided = seed % 3 == 0;
        INFO("seed ", seed, ", ranks ", ranks, ", steps ", steps);
        const auto whole = random_program(recipe);
        CHECK(consistent_part(whole).whole());
        const auto part = consistent_part(cut_at_random(whole, seed));
        const auto ends = completes(part.program);
        REQUIRE(std::all_of(ends.begin(), ends.end(), [](bool e) { return e; }));
        CHECK(operations_on(part.program, OpKind::send, OpKind::isend) ==
              operations_on(part.program, OpKind::recv, OpKind::irecv));
        const bool stable = consistent_part(part.program).whole();
        CHECK(stable);
        kept += part.program.operations().size();
      }
  CHECK(kept > 10'000);
}

TEST_CASE(
    "what is whole of a DUMPI trace with a cut file is replayed to its end wherever the whole trace is") {
  std::uint64_t kept = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/dumpi/traces")) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path().filename().string());
    const auto job = job_in(entry.path());
    const auto whole = job.salvage(0, job.file(0));  // one of them is partial
    REQUIRE(whole.has_value());
    const auto whole_ends = completes(*whole);
    CHECK(whole_ends[0]);
    Random random(entry.path().filename().string().size());
    for (int i = 0; i < 6; ++i) {
      const auto rank = random.below(job.ranks());
      const auto& file = job.file(rank);
      const auto at = random.below(static_cast<std::uint32_t>(file.size()));
      CAPTURE(rank);
      CAPTURE(at);
      const auto part = job.salvage(rank, std::string_view(file).substr(0, at));
      if (!part) {
        CHECK(part.error().message.starts_with("nothing is left"));
        continue;
      }
      const auto ends = completes(*part);
      for (std::size_t k = 0; k < ends.size(); ++k) CHECK(ends[k] >= whole_ends[k]);
      kept += part->operations().size();
    }
  }
  CHECK(kept > 1000);
}
