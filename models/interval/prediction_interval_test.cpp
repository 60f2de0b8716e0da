#include "models/interval/prediction_interval.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/test_machine.hpp"
#include "models/test_run.hpp"
#include "platforms/alternatives.hpp"
#include "sim/base/durations.hpp"

using namespace busline;

namespace {

void send(ProgramBuilder& b, std::uint32_t to) {
  b.begin_call(b.call_name("MPI_Send"));
  b.send({.peer = to}, kSize);
}

void receive(ProgramBuilder& b, std::uint32_t from) {
  b.begin_call(b.call_name("MPI_Recv"));
  b.recv({.peer = from}, kSize);
}

// Rank 0 sends rank 1 one message of kTransfer.
Program one_message() {
  ProgramBuilder b(2);
  b.begin_strand(0);
  send(b, 1);
  b.begin_strand(1);
  receive(b, 0);
  return b.build();
}

// Two nodes of one CPU each, and a record without figures and suites.
Platform calibrated() {
  auto p = test_machine(2, full(1));
  p.name = "pair";
  p.calibration.emplace();
  return p;
}

CalibratedSuite messages_off_by(double median_error, double spread = 0) {
  CalibratedSuite s;
  s.name = "pingpong";
  s.operation = kMessages;
  s.median_error = median_error;
  s.spread = spread;
  return s;
}

PredictionInterval interval_of(const Program& program, const Platform& platform, IntervalOptions how = {}) {
  const auto machine = place_ranks(platform, program.ranks());
  REQUIRE(machine);
  const auto interval = prediction_interval(program, platform, *machine, SimulateOptions(), how);
  REQUIRE(interval);
  REQUIRE(interval->has_value());
  return **interval;
}

double microseconds(Duration d) {
  return d.in_seconds() * 1e6;
}

// How many standard deviations of a normal distribution 90 % of it lie within.
constexpr double kNinety = 1.645;

}  // namespace

TEST_CASE("a machine that is known exactly has an interval of no length") {
  const auto interval = interval_of(one_message(), calibrated());
  CHECK(microseconds(interval.predicted) == 10);
  CHECK(interval.shortest == interval.predicted);
  CHECK(interval.longest == interval.predicted);
  CHECK(interval.causes.empty());
  CHECK(interval.runs == 0);
}

TEST_CASE("an uncertain bandwidth makes a message as uncertain") {
  auto p = calibrated();
  p.calibration->figures = {{"/network/bandwidth", "100 MB/s", "80 MB/s", "125 MB/s", {}, ""}};
  IntervalOptions how;
  how.runs = 1000;
  const auto interval = interval_of(one_message(), p, how);
  // Half of 95 % of it lie between 8 and 10 us, in proportion; 5 % of 1,000 runs is 50 +- 14 on either side.
  const double most = 10 * std::pow(1.25, kNinety / 1.96), least = 10 * std::pow(0.8, kNinety / 1.96);
  CHECK(microseconds(interval.longest) == doctest::Approx(most).epsilon(0.03));
  CHECK(microseconds(interval.shortest) == doctest::Approx(least).epsilon(0.03));
  REQUIRE(interval.causes.size() == 1);
  CHECK(interval.causes[0].name == kFigures);
}

TEST_CASE("an interval spans all explanations of the measurements") {
  auto p = calibrated();
  auto slow = p;
  slow.machines.front().network.bandwidth = Bandwidth::bytes_per_second(5e7);
  p.calibration->alternatives = {alternative("bandwidth", p, slow)};
  const auto interval = interval_of(one_message(), p);
  CHECK(interval.shortest == interval.predicted);
  CHECK(microseconds(interval.longest) == doctest::Approx(20).epsilon(0.01));
}

TEST_CASE("what messages are off by moves the part of the path that they are") {
  auto p = calibrated();
  p.calibration->suites = {messages_off_by(0.1)};
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(us(30));
  send(b, 1);
  b.begin_strand(1);
  receive(b, 0);
  const auto interval = interval_of(b.build(), p);
  CHECK(microseconds(interval.predicted) == 40);
  CHECK(microseconds(interval.longest) == doctest::Approx(40 + kNinety * 1.4826).epsilon(0.02));
  CHECK(microseconds(interval.shortest) == doctest::Approx(40 - kNinety * 1.4826).epsilon(0.02));
  REQUIRE(interval.causes.size() == 1);
  CHECK(interval.causes[0].name == kMessages);
  CHECK(interval.causes[0].path == doctest::Approx(0.25));
}

TEST_CASE("the noise of messages averages out over a path, what they are off by does not") {
  auto p = calibrated();
  const auto half_width = [&p](std::uint32_t messages) {
    ProgramBuilder b(2);
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      b.begin_strand(rank);
      for (std::uint32_t i = 0; i < messages; ++i) rank == i % 2 ? send(b, 1 - rank) : receive(b, 1 - rank);
    }
    const auto interval = interval_of(b.build(), p);
    return interval.longest.in_seconds() / interval.predicted.in_seconds() - 1;
  };
  p.calibration->suites = {messages_off_by(0, 0.2)};
  CHECK(half_width(400) == doctest::Approx(half_width(4) / 10).epsilon(0.1));
  p.calibration->suites = {messages_off_by(0.05)};
  CHECK(half_width(400) == doctest::Approx(half_width(4)).epsilon(0.01));
}

TEST_CASE("an interval is the same on any number of threads") {
  auto p = calibrated();
  p.calibration->figures = {{"/network/bandwidth", "100 MB/s", "80 MB/s", "125 MB/s", {}, ""}};
  p.calibration->suites = {messages_off_by(0.02, 0.1)};
  IntervalOptions one, four;
  four.threads = 4;
  const auto a = interval_of(one_message(), p, one), b = interval_of(one_message(), p, four);
  CHECK(a.shortest == b.shortest);
  CHECK(a.longest == b.longest);
}

TEST_CASE("a platform that was not calibrated has no interval") {
  const auto program = one_message();
  const auto p = test_machine(2);
  const auto machine = place_ranks(p, 2);
  REQUIRE(machine);
  const auto interval = prediction_interval(program, p, *machine, SimulateOptions(), IntervalOptions());
  REQUIRE(!interval);
  CHECK(interval.error().where == "--interval");
  CHECK(interval.error().hint.find("busline calibrate") != std::string::npos);
}

TEST_CASE("a record whose suites do not say what they measured would give too short an interval") {
  auto p = calibrated();
  p.calibration->suites = {messages_off_by(0.1)};
  p.calibration->suites[0].operation.clear();
  const auto program = one_message();
  const auto machine = place_ranks(p, 2);
  REQUIRE(machine);
  const auto interval = prediction_interval(program, p, *machine, SimulateOptions(), IntervalOptions());
  REQUIRE(!interval);
  CHECK(interval.error().hint == "calibrate it again with this version");
}

TEST_CASE("an interruption while figures are drawn leaves no interval") {
  auto p = calibrated();
  p.calibration->figures = {{"/network/bandwidth", "100 MB/s", "80 MB/s", "125 MB/s", {}, ""}};
  const auto machine = place_ranks(p, 2);
  REQUIRE(machine);
  SimulateOptions options;
  options.progress = [](double) { return false; };
  const auto interval = prediction_interval(one_message(), p, *machine, options, IntervalOptions());
  REQUIRE(interval);
  CHECK(!interval->has_value());
}
