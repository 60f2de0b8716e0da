#include "measuring/run_times/border.hpp"

#include <doctest/doctest.h>

using namespace busline::record;

namespace {

// The moment that a border keeps of calls at 10, 20, 30, 40.
std::optional<std::int64_t> of_four(const char* text) {
  Border border;
  REQUIRE(border.set(text));
  for (const auto moment : {10, 20, 30, 40}) border.see(moment);
  return border.found();
}

}  // namespace

TEST_CASE("a border is the n-th call, from the start or from the end") {
  CHECK(of_four("MPI_Barrier:1") == 10);
  CHECK(of_four("MPI_Barrier:4") == 40);
  CHECK(of_four("MPI_Barrier:-1") == 40);
  CHECK(of_four("MPI_Barrier:-3") == 20);
  CHECK(of_four("MPI_Barrier:-4") == 10);
  CHECK_FALSE(of_four("MPI_Barrier:5"));
  CHECK_FALSE(of_four("MPI_Barrier:-5"));
}

TEST_CASE("a border names one call, and anything else is refused") {
  Border border;
  CHECK_FALSE(border.is(0));
  CHECK_FALSE(border.found());
  for (const auto* wrong : {"", "MPI_Barrier", "MPI_Barrier:", "MPI_Barrier:0", "MPI_Barrier:1x",
                            "MPI_Pcontrol:1", "MPI_Barrier:1000001", "MPI_Barrier:-1000001"})
    CHECK_FALSE(border.set(wrong));
  CHECK(border.set("MPI_Bcast:-2"));
  CHECK(border.is(1));
  CHECK_FALSE(border.is(0));
}
