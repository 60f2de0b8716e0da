#include "sim/replay/data_streams.hpp"

#include <doctest/doctest.h>

namespace busline {
namespace {
constexpr RankId kHere{0}, kThere{1}, kElsewhere{2};
constexpr MessageId kData{10}, kLater{11}, kShaken{20}, kAlsoShaken{21};
}  // namespace

TEST_CASE("a handshake behind data arrives with it") {
  DataStreams s;
  s.resize(3);
  CHECK_FALSE(s.follow(kHere, kThere, kShaken, 50));
  s.enter(kHere, kThere, kData);
  CHECK(s.follow(kHere, kThere, kShaken, 50));
  CHECK(s.follow(kHere, kThere, kAlsoShaken, 50));
  const auto followers = s.arrive(kHere, kData);
  REQUIRE(followers.size() == 2);
  CHECK(followers[0].message == kShaken);
  CHECK(followers[0].queued);
  CHECK(followers[1].message == kAlsoShaken);
  CHECK(s.arrive(kHere, kData).empty());
}

TEST_CASE("a handshake waits for no other pair of ranks and no other direction") {
  DataStreams s;
  s.resize(3);
  s.enter(kHere, kThere, kData);
  CHECK_FALSE(s.follow(kHere, kElsewhere, kShaken, 50));
  CHECK_FALSE(s.follow(kThere, kHere, kShaken, 50));
}

TEST_CASE("a handshake does not overtake data in flight") {
  DataStreams s;
  s.resize(2);
  s.enter(kHere, kThere, kData);
  s.leave(kHere, kData, 700);
  CHECK_FALSE(s.follow(kHere, kThere, kAlsoShaken, 701));
  CHECK(s.follow(kHere, kThere, kShaken, 700));
  const auto followers = s.arrive(kHere, kData);
  REQUIRE(followers.size() == 1);
  CHECK(followers[0].message == kShaken);
  CHECK_FALSE(followers[0].queued);
}

TEST_CASE("a handshake is behind the data that went last") {
  DataStreams s;
  s.resize(2);
  s.enter(kHere, kThere, kData);
  s.enter(kHere, kThere, kLater);
  s.follow(kHere, kThere, kShaken, 50);
  CHECK(s.arrive(kHere, kData).empty());
  CHECK(s.arrive(kHere, kLater).size() == 1);
}

}  // namespace busline
