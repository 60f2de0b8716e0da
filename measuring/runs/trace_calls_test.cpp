#include "measuring/runs/trace_calls.hpp"

#include <doctest/doctest.h>

#include <string>

#include "measuring/runs/trace_times.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

const std::string kTracedJacobi =
    BUSLINE_SOURCE_DIR "/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d";

}  // namespace

TEST_CASE("the calls of a traced region and the time between them make up the region") {
  const Borders borders{CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}};
  const auto ranks = trace_calls(kTracedJacobi, borders);
  REQUIRE(ranks);
  const auto times = trace_times(kTracedJacobi, borders);
  REQUIRE(ranks->size() == times->size());
  for (std::size_t i = 0; i < ranks->size(); ++i) {
    const auto& rank = (*ranks)[i];
    CHECK(rank.span == (*times)[i]);
    Duration inside;
    for (const auto& [call, time] : rank.calls) inside += time;
    // The program computes, which is sleeping here, for 20 times 10 ms.
    CHECK((rank.span - inside).in_seconds() == doctest::Approx(0.2).epsilon(0.05));
    CHECK(rank.calls.contains("MPI_Waitall"));
    CHECK_FALSE(rank.calls.contains("MPI_Finalize"));
  }
}

TEST_CASE("a region of zero length has no calls, and a missing one is refused") {
  const auto none = trace_calls(kTracedJacobi, {CallRef{"MPI_Reduce", 1}, CallRef{"MPI_Barrier", 1}});
  REQUIRE(none);
  CHECK(none->front().span == Duration());
  CHECK(none->front().calls.empty());
  CHECK(trace_calls(kTracedJacobi, {CallRef{"MPI_Scan", 1}, {}}).error().message == "no rank calls MPI_Scan");
}
