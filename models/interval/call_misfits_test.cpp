#include "models/interval/call_misfits.hpp"

#include <doctest/doctest.h>

using namespace busline;

namespace {

CalibratedSuite suite_of(std::string operation, double median_error, double spread = 0) {
  CalibratedSuite s;
  s.name = operation;
  s.operation = std::move(operation);
  s.median_error = median_error;
  s.spread = spread;
  return s;
}

}  // namespace

TEST_CASE("a call is as uncertain as the suites that measured it") {
  CalibrationRecord record;
  record.suites = {suite_of("MPI_Bcast", 0.01), suite_of("MPI_Bcast", 0.03), suite_of("MPI_Bcast", 0.02),
                   suite_of("MPI_Alltoall", 0.1)};
  const CallMisfits misfits(record);
  CHECK(misfits.of("MPI_Bcast") == doctest::Approx(1.4826 * 0.02));
  CHECK(misfits.of("MPI_Alltoall") == doctest::Approx(1.4826 * 0.1));
}

TEST_CASE("a collective that was not measured is as uncertain as its sibling, else as collectives are") {
  CalibrationRecord record;
  record.suites = {suite_of("MPI_Bcast", 0.01), suite_of("MPI_Reduce", 0.02), suite_of("MPI_Alltoall", 0.1)};
  const CallMisfits misfits(record);
  CHECK(misfits.of("MPI_Alltoallv") == misfits.of("MPI_Alltoall"));
  CHECK(misfits.of("MPI_Alltoallw") == misfits.of("MPI_Alltoall"));
  CHECK(misfits.of("MPI_Scan") == doctest::Approx(1.4826 * 0.02));
}

TEST_CASE("messages have the error and the noise of suites of messages; other suites say nothing of calls") {
  CalibrationRecord record;
  record.suites = {suite_of(kMessages, 0.01, 0.3), suite_of(kMessages, 0.03, 0.1), suite_of("", 0.5, 5),
                   suite_of("MPI_Bcast", 0.2, 4)};
  const CallMisfits misfits(record);
  CHECK(misfits.of("MPI_Wait") == doctest::Approx(1.4826 * 0.02));
  CHECK(misfits.noise() == doctest::Approx(0.2));
}

TEST_CASE("without suites nothing is known to be off") {
  const CallMisfits misfits{CalibrationRecord()};
  CHECK(misfits.of("MPI_Send") == 0);
  CHECK(misfits.of("MPI_Bcast") == 0);
  CHECK(misfits.noise() == 0);
}
