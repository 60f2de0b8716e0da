#include "workloads/scale_computation.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/durations.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

constexpr std::uint32_t kPhase = 292;

/// 10 ps, a Bcast, 20 ps, a Barrier; a phase 'solve' of 40 ps around a Bcast, which holds another of 80 ps;
/// and a call that writes for 160 ps.
Program phases() {
  ProgramBuilder b(1);
  b.label_event(kPhase, 1, "solve");
  b.label_event(kPhase, 2, "inner");
  const auto bcast = b.call_name("MPI_Bcast"), barrier = b.call_name("MPI_Barrier"),
             write = b.call_name("MPI_File_write");
  b.begin_strand(0);
  b.compute(ps(10));
  b.begin_call(bcast);
  b.collective({.kind = CollectiveKind::bcast, .is_root = true});
  b.compute(ps(20));
  b.begin_call(barrier);
  b.collective({});
  b.event(kPhase, 1);
  b.compute(ps(40));
  b.begin_call(bcast);
  b.collective({.kind = CollectiveKind::bcast, .is_root = true});
  b.event(kPhase, 2);
  b.compute(ps(80));
  b.event(kPhase, 0);
  b.event(kPhase, 0);
  b.begin_call(write);
  b.elapse(ps(160));
  b.compute(ps(320));
  return b.build();
}

std::vector<std::int64_t> scaled(const std::vector<RegionScale>& scales) {
  const auto program = scale_computation(phases(), scales);
  if (!program) FAIL(to_string(program.error()));
  std::vector<std::int64_t> all;
  for (const auto& op : program->operations())
    if (op.kind == OpKind::compute) all.push_back(op.amount);
  return all;
}

using Amounts = std::vector<std::int64_t>;

std::string refusal(const RegionScale& scale) {
  const auto program = scale_computation(phases(), std::vector{scale});
  return program ? "" : to_string(program.error());
}

}  // namespace

TEST_CASE("computation between two calls is scaled where these follow one another") {
  CHECK(scaled({{"MPI_Bcast..MPI_Barrier", 3}}) == Amounts{10, 60, 40, 80, 160, 320});
  CHECK(scaled({{"MPI_Bcast..", 2}}) == Amounts{10, 40, 40, 160, 160, 320});
  CHECK(scaled({{"..MPI_Bcast", 2}}) == Amounts{20, 20, 80, 80, 160, 320});
  CHECK(scaled({{"MPI_B*..MPI_File_*", 0}}) == Amounts{10, 20, 40, 0, 160, 320});
  CHECK(scaled({{"..", 0.5}}) == Amounts{5, 10, 20, 40, 160, 160});
}

TEST_CASE("a phase is scaled with the phases inside it, and an inner one alone") {
  CHECK(scaled({{"solve", 2}}) == Amounts{10, 20, 80, 160, 160, 320});
  CHECK(scaled({{"inner", 2}}) == Amounts{10, 20, 40, 160, 160, 320});
  CHECK(scaled({{"solve", 2}, {"inner", 5}}) == Amounts{10, 20, 80, 800, 160, 320});
}

TEST_CASE("a call's own time is scaled by its name, and nothing else is") {
  CHECK(scaled({{"MPI_File_write", 2}}) == Amounts{10, 20, 40, 80, 320, 320});
  CHECK(scaled({{"MPI_File_*", 2}, {"solve", 0.5}}) == Amounts{10, 20, 20, 40, 320, 320});
}

TEST_CASE("a region without computation is an error that lists what there is") {
  CHECK(refusal({"sovle", 2}) ==
        "scale 'sovle': no computation lies in this region\n"
        "  calls: 'MPI_Barrier', 'MPI_Bcast', 'MPI_File_write'; events: 'inner', 'solve'");
  CHECK(refusal({"MPI_Barrier..MPI_Barrier", 2})
            .starts_with("scale 'MPI_Barrier..MPI_Barrier': no computation"));
  CHECK(refusal({"MPI_Bcast", 2})
            .starts_with("scale 'MPI_Bcast': no computation"));  // it has no time of its own
  CHECK(refusal({"solve", -1}) == "scale 'solve': the factor is -1, expected a finite factor of 0 or more");
  CHECK(refusal({"", 1}).starts_with("scale '': the region has no name"));
}
