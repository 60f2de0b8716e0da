#include "sim/replay/open_matching.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

constexpr std::uint32_t kSenders = 3, kTags = 2;

/// Messages with two tags from each sender to rank 0, which has open receives: channel s * kTags + tag.
Program all_to_first() {
  ProgramBuilder b(kSenders + 1);
  b.begin_strand(0);
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{1});
  for (std::uint32_t s = 1; s <= kSenders; ++s) {
    b.begin_strand(s);
    for (std::int32_t tag = 0; tag < static_cast<std::int32_t>(kTags); ++tag)
      b.isend_and_forget({.peer = 0, .tag = tag}, Bytes{1});
  }
  return b.build();
}

MessageId add(MessagePool& pool, const Program& p, std::uint32_t channel, bool rendezvous) {
  const auto id = pool.take();
  pool[id].channel = ChannelId{channel};
  pool[id].source = RankId{p.channels()[channel].source};
  pool[id].flags = rendezvous ? Message::rendezvous : 0;
  return id;
}

/// By the rule: the first message in the order of the sends that may be received and that no earlier one of
/// its source holds up.
MessageId first_in_order(std::vector<MessageId>& underway, const MessagePool& pool) {
  for (auto i = underway.begin(); i != underway.end(); ++i) {
    const bool held_up = std::any_of(
        underway.begin(), i, [&](MessageId earlier) { return pool[earlier].source == pool[*i].source; });
    if (held_up || (!pool[*i].is(Message::arrived) && !pool[*i].is(Message::rendezvous))) continue;
    const auto found = *i;
    underway.erase(i);
    return found;
  }
  return kNone;
}

}  // namespace

TEST_CASE("messages become receivable in the order of the sends of each source, whatever arrives first") {
  const auto p = all_to_first();
  Random random(20261125);
  MessagePool pool;
  OpenMatching open;
  std::vector<MessageId> underway, in_flight;
  for (int step = 0; step < 20'000; ++step) {
    if (in_flight.empty() || random.below(100) < 49) {
      const auto id = add(pool, p, random.below(kSenders * kTags), random.one_in(4));
      open.sent(id, p, pool);
      underway.push_back(id);
      if (!pool[id].is(Message::rendezvous)) in_flight.push_back(id);
    } else {
      const auto which = in_flight.begin() + random.below(static_cast<std::uint32_t>(in_flight.size()));
      pool[*which].flags |= Message::arrived;
      open.arrived(*which, p, pool);
      in_flight.erase(which);
    }
    for (bool more = true; more;) {
      const auto expected = first_in_order(underway, pool);
      CHECK(open.next_in_order(pool) == expected);
      more = expected != kNone;
      if (more) pool.give_back(expected);
    }
  }
}

TEST_CASE("a line keeps its order when elements leave from anywhere") {
  Random random(20261126);
  WaitingLine<int> line;
  std::vector<int> expected;
  for (int step = 0; step < 20'000; ++step) {
    if (expected.empty() || random.below(100) < 52) {
      line.push_back(step);
      expected.push_back(step);
    } else {
      const auto size = static_cast<std::uint32_t>(expected.size());
      const auto place = random.one_in(3) ? random.below(size) : 0;
      line.erase(line.begin() + place);
      expected.erase(expected.begin() + place);
    }
    REQUIRE(line.empty() == expected.empty());
    if (!expected.empty()) CHECK(line.front() == expected.front());
    if (step % 100 == 0) CHECK(std::equal(line.begin(), line.end(), expected.begin(), expected.end()));
  }
}
