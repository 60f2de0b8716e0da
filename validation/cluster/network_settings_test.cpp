#include "validation/cluster/network_settings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace busline;
using namespace busline::cluster;

namespace {

std::string refusal(const std::string& word) {
  const auto settings = parse_network_settings({word});
  return settings ? "accepted" : to_string(settings.error());
}

}  // namespace

TEST_CASE("settings are read with their units, and the later word counts") {
  const auto s = parse_network_settings(
      {"rate=100Mbit/s", "lat=500us", "links=2", "bus=4", "halves=1", "mtu=1500", "fair=0", "rate=50Mbps"});
  REQUIRE(s);
  CHECK(s->rate == Bandwidth::bytes_per_second(50e6 / 8));
  CHECK(s->latency == Duration::seconds(500e-6));
  CHECK(s->links == 2);
  CHECK(s->buses == 4u);
  CHECK(s->halves);
  CHECK(s->mtu == 1500);
  CHECK_FALSE(s->fair);
}

TEST_CASE("settings that are written out read back the same") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"rate=33.3Mbit/s", "lat=1.5us", "bus=3"},
                                                {"rate=unlimited", "fair=0"}}) {
    const auto s = parse_network_settings(words);
    REQUIRE(s);
    CHECK(parse_network_settings(to_words(*s)).value() == *s);
  }
  CHECK(to_words(*parse_network_settings({"rate=100Mbit/s", "lat=500us"})) ==
        std::vector<std::string>{"rate=100Mbit/s", "lat=500us", "links=1", "bus=unlimited", "halves=0",
                                 "mtu=9000", "fair=1"});
}

TEST_CASE("a data set records the settings as plain numbers") {
  CHECK(to_record(*parse_network_settings({"rate=50Mbit/s", "lat=500us", "bus=2"}), 8) ==
        "N=8 net=tap rate=50 lat=500 links=1 bus=2 halves=0 mtu=9000 fair=1");
  CHECK(to_record(*parse_network_settings({"rate=unlimited"}), 2) ==
        "N=2 net=tap rate=0 lat=0 links=1 bus=0 halves=0 mtu=9000 fair=1");
}

TEST_CASE("an unlimited bus is written as in Dimemas or in words") {
  CHECK_FALSE(parse_network_settings({"bus=4", "bus=0"})->buses);
  CHECK_FALSE(parse_network_settings({"bus=unlimited"})->buses);
}

TEST_CASE("invalid settings are refused with the word and what was expected") {
  CHECK(refusal("lat=500") == "lat=500: a unit is missing, as in \"1.5us\"");
  CHECK(refusal("rate=100") == "rate=100: a unit is missing, as in \"10 Gbps\" or \"12.5 GB/s\"");
  CHECK(refusal("rate=0Mbit/s") == "rate=0Mbit/s: a bandwidth must be greater than zero");
  CHECK(refusal("lat=11s") == "lat=11s: longer than 10 s");
  CHECK(refusal("links=0") == "links=0: expected a whole number from 1 to 1024");
  CHECK(refusal("bus=-1") == "bus=-1: expected a whole number from 1 to 1024");
  CHECK(refusal("bus=2x") == "bus=2x: expected a whole number from 1 to 1024");
  CHECK(refusal("mtu=100") == "mtu=100: expected a whole number from 576 to 65521");
  CHECK(refusal("halves=2") == "halves=2: expected a whole number from 0 to 1");
  CHECK(refusal("buss=2") ==
        "buss=2: expected rate=, lat=, links=, bus=, halves=, mtu= or fair=\n  did you mean 'bus='?");
  CHECK(refusal("rate") == "rate: expected a number, as in \"10 Gbps\" or \"12.5 GB/s\"");
  CHECK(refusal("") == "expected rate=, lat=, links=, bus=, halves=, mtu= or fair=");
}
