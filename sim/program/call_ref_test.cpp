#include "sim/program/call_ref.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("a call is named by its name and its number, 1 by default") {
  CHECK(parse_call_ref("MPI_Barrier:2") == CallRef{"MPI_Barrier", 2});
  CHECK(parse_call_ref("MPI_Barrier:-1") == CallRef{"MPI_Barrier", -1});
  CHECK(parse_call_ref("MPI_Barrier") == CallRef{"MPI_Barrier", 1});
  CHECK(to_text({"MPI_Reduce", -3}) == "MPI_Reduce:-3");
  for (const auto* wrong :
       {"", ":1", "MPI_Barrier:", "MPI_Barrier:0", "MPI_Barrier:1x", "MPI_Barrier:9223372036854775808"})
    CHECK_FALSE(parse_call_ref(wrong));
}
