#include "validation/calibrate/known_algorithms.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace busline;
using namespace busline::calibrate;

TEST_CASE("known algorithms are read from OPERATION=ALGORITHM") {
  const auto known = parse_known_algorithms({"MPI_Alltoall=pairwise", "MPI_Cart_create=linear"});
  REQUIRE(known.has_value());
  CHECK(known->at(CollectiveKind::alltoall) == Algorithm::pairwise);
  CHECK(known->at(CollectiveKind::cart_create) == Algorithm::linear);
  const auto error = [](const std::vector<std::string>& texts) {
    const auto read = parse_known_algorithms(texts);
    REQUIRE(!read.has_value());
    return read.error().message;
  };
  CHECK(error({"MPI_Alltoall"}) == "'MPI_Alltoall' is not OPERATION=ALGORITHM for a collective operation");
  CHECK(error({"MPI_Send=linear"}) ==
        "'MPI_Send=linear' is not OPERATION=ALGORITHM for a collective operation");
  CHECK(error({"MPI_Init=linear"}) ==
        "'MPI_Init=linear' is not OPERATION=ALGORITHM for a collective operation");
  CHECK(error({"MPI_Alltoall=chain"}) == "MPI_Alltoall has no algorithm 'chain'");
  CHECK(error({"MPI_Scan=linear", "MPI_Scan=linear"}) == "MPI_Scan occurs twice");
}
