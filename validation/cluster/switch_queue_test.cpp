#include "validation/cluster/switch_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace busline;
using namespace busline::cluster;

namespace {

// 100 Mbit/s = 12.5 MB/s: a frame of 1250 bytes takes 100 us on a link. 500 us of latency.
constexpr std::uint64_t kFrame = 1250;
constexpr auto kFrameTime = Duration::picoseconds(100'000'000);
constexpr auto kLatency = Duration::picoseconds(500'000'000);

NetworkSettings network() {
  NetworkSettings s;
  s.latency = kLatency;
  return s;
}

struct Message {
  std::uint32_t from, to;
};

// Sends one message of `frames` frames per entry, all at time 0 and frame by frame in turn, or one message
// after the other; gives when the last frame of each has arrived.
std::vector<Duration> arrivals(SwitchQueue& queue, const std::vector<Message>& messages, std::size_t frames,
                               bool in_turn = true) {
  const auto send = [&](std::size_t m) {
    queue.send(Time::zero(), HostId{messages[m].from}, HostId{messages[m].to}, Bytes{kFrame},
               FrameId{static_cast<std::uint32_t>(m)});
  };
  if (in_turn)
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t m = 0; m < messages.size(); ++m) send(m);
  else
    for (std::size_t m = 0; m < messages.size(); ++m)
      for (std::size_t f = 0; f < frames; ++f) send(m);
  std::vector<Duration> last(messages.size());
  std::size_t delivered = 0;
  while (queue.next() != Time::never())
    while (const auto d = queue.deliver(queue.next())) {
      CHECK(d->to == HostId{messages[static_cast<std::size_t>(d->frame)].to});
      last[static_cast<std::size_t>(d->frame)] = d->due.since_start();
      ++delivered;
    }
  CHECK(delivered == frames * messages.size());
  return last;
}

Duration finish(const NetworkSettings& s, std::uint32_t hosts, const std::vector<Message>& messages,
                std::size_t frames) {
  SwitchQueue queue(hosts, s);
  const auto all = arrivals(queue, messages, frames);
  return *std::max_element(all.begin(), all.end());
}

}  // namespace

TEST_CASE("one message takes the latency and its size over the bandwidth") {
  for (const std::size_t frames : {1U, 2U, 50U})
    CHECK(finish(network(), 2, {{0, 1}}, frames) ==
          kLatency + kFrameTime * static_cast<std::int64_t>(frames));
}

TEST_CASE("on an unlimited link a message takes the latency") {
  auto s = network();
  s.rate = Bandwidth::unlimited();
  CHECK(finish(s, 2, {{0, 1}}, 50) == kLatency);
}

TEST_CASE("k messages out of one host, or into one, take k times as long as one") {
  for (const std::uint32_t k : {1U, 2U, 7U}) {
    std::vector<Message> out, in;
    for (std::uint32_t i = 1; i <= k; ++i) {
      out.push_back({0, i});
      in.push_back({i, 0});
    }
    CHECK(finish(network(), 8, out, 20) == kLatency + kFrameTime * (20 * k));
    CHECK(finish(network(), 8, in, 20) == kLatency + kFrameTime * (20 * k));
  }
}

TEST_CASE("messages that share a link proceed evenly, or in order of arrival if fairness is off") {
  const std::vector<Message> two{{0, 1}, {0, 2}};
  auto s = network();
  SwitchQueue fair(3, s);
  const auto even = arrivals(fair, two, 20, false);
  CHECK(even[1] - even[0] == kFrameTime);
  s.fair = false;
  SwitchQueue fifo(3, s);
  const auto ordered = arrivals(fifo, two, 20, false);
  CHECK(ordered[0] == kLatency + kFrameTime * 20);
  CHECK(ordered[1] == kLatency + kFrameTime * 40);
}

TEST_CASE("messages between different hosts and in opposite directions do not meet") {
  CHECK(finish(network(), 4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}, 20) == kLatency + kFrameTime * 20);
}

TEST_CASE("a second link carries a second message, and makes one no faster") {
  auto s = network();
  s.links = 2;
  CHECK(finish(s, 5, {{0, 1}}, 20) == kLatency + kFrameTime * 20);
  // Frame by frame the second message follows the first by half a frame's time.
  const auto half = Duration::picoseconds(kFrameTime.count() / 2);
  CHECK(finish(s, 5, {{0, 1}, {0, 2}}, 20) == kLatency + kFrameTime * 20 + half);
  CHECK(finish(s, 5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, 20) == kLatency + kFrameTime * 40 + half);
}

TEST_CASE("m messages over B buses take m / B times as long as one") {
  for (const std::uint32_t buses : {1U, 2U, 3U})
    for (std::uint32_t m = 1; m <= 6; ++m) {
      auto s = network();
      s.buses = buses;
      std::vector<Message> pairs;
      for (std::uint32_t i = 0; i < m; ++i) pairs.push_back({i, i + 6});
      constexpr std::int64_t kFrames = 60;
      const auto expected =
          kLatency + Duration::picoseconds(kFrameTime.count() * kFrames * std::max(m, buses) / buses);
      CAPTURE(buses);
      CAPTURE(m);
      // The last frame starts behind those of the other messages, and then takes a whole frame's time on its
      // link.
      const auto took = finish(s, 12, pairs, kFrames);
      CHECK(took >= expected);
      CHECK(took <= expected + kFrameTime);
    }
}

TEST_CASE("buses between two halves do not affect traffic within a half") {
  auto s = network();
  s.buses = 1;
  s.halves = true;
  CHECK(finish(s, 8, {{0, 1}, {2, 3}, {4, 5}}, 20) == kLatency + kFrameTime * 20);
  CHECK(finish(s, 8, {{0, 4}, {5, 1}}, 20) == kLatency + kFrameTime * 40);
}

TEST_CASE("an all-to-all among P hosts takes P - 1 steps") {
  std::vector<Message> all;
  for (std::uint32_t step = 1; step < 8; ++step)
    for (std::uint32_t i = 0; i < 8; ++i) all.push_back({i, (i + step) % 8});
  CHECK(finish(network(), 8, all, 20) == kLatency + kFrameTime * (20 * 7));
}

TEST_CASE("frames that bypass the servers take the latency, whatever else is queued") {
  SwitchQueue queue(2, network());
  for (std::uint32_t i = 0; i < 20; ++i)
    queue.send(Time::zero(), HostId{0}, HostId{1}, Bytes{kFrame}, FrameId{i});
  queue.send_past_servers(Time::zero(), HostId{1}, FrameId{99});
  CHECK_FALSE(queue.deliver(Time::at(kLatency - Duration::picoseconds(1))));
  const auto first = queue.deliver(Time::at(kLatency));
  REQUIRE(first);
  CHECK(first->frame == FrameId{99});
}

TEST_CASE("new settings hold for frames that no server has begun with") {
  SwitchQueue queue(2, network());
  queue.send(Time::zero(), HostId{0}, HostId{1}, Bytes{kFrame}, FrameId{0});
  CHECK_FALSE(queue.deliver(Time::zero()));
  auto s = network();
  s.rate = Bandwidth::bytes_per_second(1.25e6);
  queue.set(s);
  queue.send(Time::zero(), HostId{0}, HostId{1}, Bytes{kFrame}, FrameId{1});
  CHECK(queue.deliver(Time::never())->due == Time::at(kLatency + kFrameTime));
  // Begins when the first has left, and takes ten times as long.
  CHECK(queue.deliver(Time::never())->due == Time::at(kLatency + kFrameTime * 11));
  CHECK(queue.next() == Time::never());
}

TEST_CASE("every frame arrives once, in the order of its pair, and none before its time") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    auto s = network();
    s.links = 1 + pick(3);
    if (pick(2) == 0) s.buses = 1 + pick(4);
    s.halves = pick(2) == 0;
    s.fair = pick(2) == 0;
    const std::uint32_t hosts = 2 + pick(7);
    SwitchQueue queue(hosts, s);
    struct Sent {
      Message message;
      Time at;
      Bytes bytes;
    };
    std::vector<Sent> sent;
    std::vector<int> times_delivered(300);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_of_pair;
    const auto take = [&](Time now) {
      while (const auto d = queue.deliver(now)) {
        const auto id = static_cast<std::uint32_t>(d->frame);
        const auto& frame = sent[id];
        ++times_delivered[id];
        CHECK(d->to == HostId{frame.message.to});
        CHECK(d->due >= frame.at + kLatency + frame.bytes / s.rate);
        auto& last = last_of_pair[{frame.message.from, frame.message.to}];
        CHECK(last <= id);
        last = id;
      }
    };
    Time now;
    for (std::uint32_t i = 0; i < 300; ++i) {
      now = now + Duration::picoseconds(pick(100'000'000));
      take(now);
      const Message m{pick(hosts), pick(hosts)};
      sent.push_back({m, now, Bytes{60 + pick(9000)}});
      queue.send(now, HostId{m.from}, HostId{m.to}, sent.back().bytes, FrameId{i});
    }
    take(Time::never());
    CHECK(std::count(times_delivered.begin(), times_delivered.end(), 1) == 300);
  }
}
