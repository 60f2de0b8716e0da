#include "validation/calibrate/message_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace busline::calibrate;

namespace {

using Known = RendezvousFit::Known;

// 1 us and 1 GB/s (1000 ps a byte), at 0, 1, 2, 4, ... 1 MiB; what comes from `limit` on costs 2 us more.
MessageCurves curves(CurveKind kind, std::uint64_t limit) {
  MessageCurves c;
  for (std::uint64_t bytes = 0; bytes <= 1U << 20U; bytes = bytes == 0 ? 1 : 2 * bytes)
    c.points.push_back({kind, bytes, 1e6 + 1e3 * double(bytes) + (bytes >= limit ? 2e6 : 0), {}});
  return c;
}

constexpr std::uint64_t kNever = UINT64_MAX;

void append(MessageCurves& to, const MessageCurves& more) {
  to.points.insert(to.points.end(), more.points.begin(), more.points.end());
}

}  // namespace

TEST_CASE("latency and bandwidth come from a ping-pong") {
  const auto fit = fit_messages(curves(CurveKind::message, kNever), {});
  CHECK(fit.latency_ps.value == doctest::Approx(1e6));
  CHECK(fit.ps_per_byte.value == doctest::Approx(1e3));
  CHECK(fit.latency_ps.interval.low <= fit.latency_ps.value * 1.0001);
  CHECK(fit.latency_ps.interval.high >= fit.latency_ps.value * 0.9999);
  CHECK(fit.rendezvous.known == Known::undetermined);
  CHECK(fit.ranges.size() == 1);
  CHECK_FALSE(fit.handshake_ps);
  CHECK_FALSE(fit.send_call_ps);
}

TEST_CASE("a jump in a ping-pong is the eager limit and its handshake") {
  const auto fit = fit_messages(curves(CurveKind::message, 4096), {});
  CHECK(fit.rendezvous.known == Known::found);
  CHECK(fit.rendezvous.from == 4096);
  CHECK(fit.rendezvous.above == 2048);
  CHECK(fit.rendezvous.at_most == 4096);
  CHECK(fit.handshake_ps->value == doctest::Approx(2e6));
  CHECK_FALSE(fit.rendezvous.completion_is_known);
}

TEST_CASE("MPI_Ssend shows what a handshake would take where nothing is a rendezvous") {
  auto c = curves(CurveKind::message, kNever);
  append(c, curves(CurveKind::synchronous_message, 0));
  const auto fit = fit_messages(c, {});
  CHECK(fit.handshake_ps->value == doctest::Approx(2e6));
  CHECK(fit.rendezvous.known == Known::not_reached);
}

TEST_CASE("an Ssend that is acknowledged after the fact does not hide the handshake of large messages") {
  // As over TCP: below the limit, an Ssend costs what a Send costs; from 64 KiB on, both pay 2 us more.
  auto c = curves(CurveKind::message, 65536);
  append(c, curves(CurveKind::synchronous_message, 65536));
  const auto fit = fit_messages(c, {});
  CHECK(fit.rendezvous.from == 65536);
  CHECK(fit.handshake_ps->value == doctest::Approx(2e6).epsilon(0.02));
  REQUIRE(fit.synchronous_handshake_ps);
  CHECK(fit.synchronous_handshake_ps->value < 1e4);
}

TEST_CASE("an Ssend that waits at every size has no handshake of its own") {
  auto c = curves(CurveKind::message, 65536);
  append(c, curves(CurveKind::synchronous_message, 0));
  const auto fit = fit_messages(c, {});
  CHECK(fit.rendezvous.from == 65536);
  CHECK(fit.handshake_ps->value == doctest::Approx(2e6).epsilon(0.02));
  CHECK(!fit.synchronous_handshake_ps);
}

TEST_CASE("the limit of another part of the machine holds unless the times contradict it and may do so") {
  const auto expected = fit_messages(curves(CurveKind::message, 65536), {}).rendezvous;
  const auto from = [&](std::uint64_t limit, bool may_differ) {
    MessageFitOptions options;
    options.rendezvous = expected;
    options.may_differ = may_differ;
    return fit_messages(curves(CurveKind::message, limit), options).rendezvous.from;
  };
  CHECK(from(4096, true) == 4096);
  CHECK(from(4096, false) == 65536);
  CHECK(from(65536, true) == 65536);
  CHECK(from(kNever, true) == 65536);
}

TEST_CASE("a jump of a tenth of a latency is no rendezvous") {
  auto c = curves(CurveKind::message, kNever);
  for (auto& p : c.points)
    if (p.bytes >= 128) p.ps += 1e5;
  CHECK(fit_messages(c, {}).rendezvous.known == Known::undetermined);
}

TEST_CASE("a call of MPI_Send that lasts as long as the transfer shows the eager limit") {
  auto c = curves(CurveKind::message, kNever);
  for (std::uint64_t bytes = 1; bytes <= 1U << 20U; bytes *= 2)
    c.points.push_back({CurveKind::send_call, bytes, 1e5 + (bytes >= 8192 ? 1e3 * double(bytes) : 0), {}});
  const auto fit = fit_messages(c, {});
  CHECK(fit.rendezvous.known == Known::found);
  CHECK(fit.rendezvous.from == 8192);
  CHECK(fit.rendezvous.waits_for_transfer);
  CHECK(fit.send_call_ps->value == doctest::Approx(1e5).epsilon(0.01));
}

TEST_CASE("a bandwidth that changes with the size makes ranges of sizes") {
  auto c = curves(CurveKind::message, kNever);
  for (auto& p : c.points)
    if (p.bytes >= 16384) p.ps = 3e6 + 2e3 * double(p.bytes);
  const auto fit = fit_messages(c, {});
  REQUIRE(fit.ranges.size() == 2);
  CHECK(fit.ranges[0].from == 0);
  CHECK(fit.ranges[0].ps_per_byte == doctest::Approx(1e3).epsilon(0.01));
  CHECK(fit.ranges[1].from == 16384);
  CHECK(fit.ranges[1].ps_per_byte == doctest::Approx(2e3).epsilon(0.01));
  CHECK(fit.ps_per_byte.value == doctest::Approx(1e3).epsilon(0.01));
}

TEST_CASE("sizes whose time is lost in the latency's scatter make no range without a bandwidth") {
  // Half round trips in microseconds over 50 Mbit/s with 1 ms of latency, as measured with Open MPI.
  struct Measured {
    std::uint64_t bytes;
    double us;
  };
  MessageCurves c;
  for (const auto& [bytes, us] :
       {Measured{0, 1079.5}, {1, 1089.1},      {2, 1083.8},     {4, 1078},       {8, 1075.9},
        {16, 1078.9},        {32, 1111.4},     {64, 1105},      {128, 1139},     {256, 1153.8},
        {512, 1164.6},       {1024, 1243.9},   {2048, 1412.3},  {4096, 1757.1},  {8192, 2400.8},
        {16384, 3730.9},     {32768, 6413.8},  {46341, 8580.8}, {55109, 9999.6}, {60097, 10805},
        {65536, 13861},      {131072, 24444},  {262144, 45593}, {524288, 87942}, {741455, 123161},
        {881744, 145823},    {1048576, 199159}})
    c.points.push_back({CurveKind::message, bytes, us * 1e6, {}});
  const auto fit = fit_messages(c, {});
  CHECK(fit.rendezvous.from == 65536);
  CHECK(fit.handshake_ps->value == doctest::Approx(2.19e9).epsilon(0.05));
  CHECK(fit.ps_per_byte.value > 0);
  REQUIRE(fit.ranges.size() == 2);
  CHECK(1e12 / fit.ranges[1].ps_per_byte == doctest::Approx(6.18e6).epsilon(0.02));  // of 6.25 MB/s
}

TEST_CASE("noise makes no ranges of sizes and no eager limit") {
  auto c = curves(CurveKind::message, kNever);
  busline::Random random(7);
  for (auto& p : c.points) p.ps *= 0.95 + 0.1 * random.below(1000) / 1000.0;
  const auto fit = fit_messages(c, {});
  CHECK(fit.ranges.size() == 1);
  CHECK(fit.rendezvous.known == Known::undetermined);
  CHECK(fit.ps_per_byte.value == doctest::Approx(1e3).epsilon(0.05));
  CHECK(fit.ps_per_byte.interval.low < fit.ps_per_byte.interval.high);
}

TEST_CASE("one sample that is far off is no eager limit, wherever it is") {
  for (const std::uint64_t at : {0U, 64U, 65536U, 1U << 20U}) {
    CAPTURE(at);
    auto c = curves(CurveKind::message, kNever);
    append(c, curves(CurveKind::synchronous_message, kNever));
    busline::Random random(11);
    for (auto& p : c.points) p.ps *= 0.99 + 0.02 * random.below(1000) / 1000.0;
    for (auto& p : c.points)
      if (p.kind == CurveKind::message && p.bytes == at) p.ps *= 5;
    CHECK(fit_messages(c, {}).rendezvous.known == Known::undetermined);
  }
}

TEST_CASE("the interval of a limit contains it where the size below it took far too long") {
  auto c = curves(CurveKind::message, 4096);
  busline::Random random(11);
  for (auto& p : c.points) p.ps *= 0.99 + 0.02 * random.below(1000) / 1000.0;
  for (auto& p : c.points)
    if (p.bytes == 2048) p.ps *= 5;
  const auto limit = fit_messages(c, {}).rendezvous;
  CHECK(limit.known == Known::found);
  CHECK(limit.above < 4096);
  CHECK(limit.at_most >= 4096);
}

TEST_CASE("a limit that is likely but not beyond doubt is kept as another fit") {
  auto c = curves(CurveKind::message, 1U << 19U);  // of two sizes alone
  busline::Random random(5);
  for (auto& p : c.points) p.ps *= 0.97 + 0.06 * random.below(1000) / 1000.0;
  for (auto& p : c.points)
    if (p.bytes >= 1U << 19U) p.ps *= 1.25;
  const auto fit = fit_messages(c, {});
  CHECK(fit.rendezvous.known == Known::undetermined);
  REQUIRE(!fit.others.empty());
  CHECK((fit.others.front().rendezvous.known == Known::found || fit.others.front().ranges.size() > 1));
}
