#include "platforms/dimemas/communication_file.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;

namespace {

Platform machines(std::size_t count) {
  Platform p;
  p.machines.resize(count);
  return p;
}

std::string refusal(const std::string& text, Error::Kind kind = Error::Kind::bad_input) {
  auto p = machines(2);
  Diagnostics d;
  const auto read = dimemas::read_communication_file(text, "c.cfg", p, d);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == kind);
  return to_string(read.error());
}

const std::vector<CollectiveCost>& barrier(const CollectiveTable& table) {
  return table.by_kind[0];
}

const ClosedForm kLogThenLinear{{FanModel::logarithmic, SizeRule::mean}, {FanModel::linear, SizeRule::sum}};

}  // namespace

TEST_CASE("a collective model without a machine applies everywhere") {
  auto p = machines(2);
  Diagnostics d;
  REQUIRE(dimemas::read_communication_file("# all\n0 LOG MEAN LIN S+R 1.0\n\nPolicy: FIFO\n", "c.cfg", p, d));
  for (const auto* table : {&p.machines[0].collectives, &p.machines[1].collectives, &p.wan.collectives}) {
    REQUIRE(barrier(*table).size() == 1);
    CHECK(barrier(*table)[0].cost == kLogThenLinear);
  }
  CHECK(barrier(p.mpi.collectives).empty());
  CHECK(d.empty());
}

TEST_CASE("a single machine has its operations in the platform's table") {
  auto p = machines(1);
  Diagnostics d;
  REQUIRE(dimemas::read_communication_file("Machine globalop: 0 0 LOG MEAN LIN S+R\n", "c.cfg", p, d));
  CHECK(barrier(p.mpi.collectives)[0].cost == kLogThenLinear);
  CHECK(d.empty());
  REQUIRE(dimemas::read_communication_file("Flight time: 0 1.0\n", "c.cfg", p, d));
  REQUIRE(d.size() == 1);
  CHECK(d[0].message == "there is one machine, this line applies between several");
}

TEST_CASE("Reduce keeps its model, with a warning") {
  auto p = machines(1);
  Diagnostics d;
  REQUIRE(dimemas::read_communication_file("\nMachine globalop: 0 10 LOG MAX LOG MAX\n", "c.cfg", p, d));
  CHECK(p == machines(1));
  REQUIRE(d.size() == 1);
  CHECK(d[0].severity == Diagnostic::Severity::warning);
  CHECK(d[0].line == 2);
  CHECK(d[0].message == "MPI_Reduce (10) keeps its constant model, which Dimemas does not let you change");
}

TEST_CASE("flight times go from a machine to each") {
  auto p = machines(2);
  Diagnostics d;
  REQUIRE(dimemas::read_communication_file("Flight time: 1 0.5 0.0\n", "c.cfg", p, d));
  CHECK(p.wan.flight == std::vector<std::vector<Duration>>{{{}, {}}, {Duration::seconds(0.5), {}}});
}

TEST_CASE("wrong lines of a communication file name line and value") {
  CHECK(refusal("Machine globalop: 2 0 LOG MAX LOG MAX\n") ==
        "c.cfg:1:19: Machine globalop: machine: expected a whole number from 0 to 1, found '2'");
  CHECK(refusal("\nMachine globalop: 0 16 LOG MAX LOG MAX\n") ==
        "c.cfg:2:21: Machine globalop: operation id: expected a whole number from 0 to 15, found '16'");
  CHECK(refusal("Machine globalop: 0 0 LOGG MAX LOG MAX\n") ==
        "c.cfg:1:23: Machine globalop: fan-in model: expected one of 0, CTE, LIN, LOG, found 'LOGG'");
  CHECK(
      refusal("External globalop: 0 LOG MAX LOG SUM\n") ==
      "c.cfg:1:34: External globalop: fan-out size: expected one of MIN, MAX, MEAN, 2MAX, S+R, found 'SUM'");
  CHECK(refusal("0 LOG MAX LOG MAX\n") == "c.cfg:1: operation: expected 6 values, found 5");
  CHECK(refusal("Flight time: 0 0.0\n") == "c.cfg:1: Flight time: expected 3 values, found 2");
  CHECK(refusal("Machine globlop: 0 0 LOG MAX LOG MAX\n") ==
        "c.cfg:1: unknown line 'Machine globlop: 0 0 LOG MAX LOG MAX'; did you mean 'Machine globalop:'?");
  CHECK(refusal("Machine policy: 0 BOOST\n", Error::Kind::unsupported) ==
        "c.cfg:1:19: Machine policy: policy: expected FIFO, 'BOOST' is not supported");
}
