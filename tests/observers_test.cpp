// What observers are told, on random programs and every kind of network: each message's life in its order,
// strands' times, and events that were scheduled before they are dispatched.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/replay/observer.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

/// Follows all that it is told, and keeps the first thing that cannot be.
class Witness final : public RunObserver {
 public:
  explicit Witness(std::size_t strands) : strands_(strands) {}

  std::string wrong;
  std::uint64_t events = 0, sends = 0, receipts = 0, begins = 0, waits_in_queues = 0;

  ActivityTimes spent_by(StrandId strand) const { return strands_[strand].spent; }
  bool all_is_over() const {
    return messages_.empty() && requests_.empty() && collectives_.empty() && pending_.empty() &&
           standins_.empty() && inside_.empty();
  }

  void charged(StrandId strand, Activity next, std::int64_t when) override {
    auto& s = strand_at(strand);
    expect(when >= s.since, "a strand's clock goes back");
    s.spent[static_cast<std::size_t>(s.activity)] += when - s.since;
    s.activity = next;
    s.since = when;
  }
  void woken(StrandId strand, std::int64_t /*now*/) override {
    const auto a = strand_at(strand).activity;
    expect(a == Activity::wait || a == Activity::collective_wait || a == Activity::collective,
           "a strand is woken that is not blocked");
  }
  void works(StrandId strand, const Operation* op, std::int64_t length, std::int64_t /*now*/) override {
    const auto a = strand_at(strand).activity;
    const bool burst = op != nullptr && op->kind == OpKind::compute;
    expect(op == nullptr || a == (burst ? Activity::compute : Activity::latency), "work of another kind");
    expect(length >= 0, "work that ends before it begins");
  }
  void finished(StrandId strand, std::int64_t now) override { charged(strand, Activity::cpu_wait, now); }

  void sent(MessageId id, const Message& m, StrandId strand, std::int64_t now) override {
    expect(!m.is(Message::standin), "a stand-in is sent");
    expect(messages_.try_emplace(id, Life{.step = 1, .time = now, .strand = strand}).second,
           "an id is used twice");
    ++sends;
  }
  void matched(MessageId id, RequestId /*request*/, std::int64_t /*now*/) override {
    auto& m = life_of(id);
    expect(!m.matched, "a message is matched twice");
    m.matched = true;
  }
  void launched(MessageId id, std::int64_t now) override { step(id, 1, 2, now); }
  void queued(MessageId id, const Message& m, const ResourceId& /*place*/, std::int64_t /*now*/) override {
    if (m.is(Message::standin)) {
      expect(standins_.insert(id).second, "a stand-in queues twice");
      return;
    }
    auto& life = life_of(id);
    expect(life.step == 2 && !life.queued, "a message queues twice, or before its launch");
    life.queued = true;
    ++waits_in_queues;
  }
  void left_queue(MessageId id, const Message& m, std::int64_t /*now*/) override {
    if (m.is(Message::standin)) {
      expect(standins_.erase(id) == 1, "a stand-in leaves a queue that it is not in");
      return;
    }
    auto& life = life_of(id);
    expect(life.queued, "a message leaves a queue that it is not in");
    life.queued = false;
  }
  void began(MessageId id, const Message& /*m*/, std::int64_t alone, std::int64_t now) override {
    expect(!life_of(id).queued && alone >= 0, "a transfer begins in a queue");
    life_of(id).alone = alone;
    step(id, 2, 3, now);
    ++begins;
  }
  void ended(MessageId id, const Message& m, std::int64_t now) override {
    // A share of a link may be rounded to a picosecond less.
    expect(now - life_of(id).time >= life_of(id).alone - 1, "a transfer is quicker than alone");
    step(id, 3, 4, now);
    life_of(id).flight = m.flight;
  }
  void arrived(MessageId id, const Message& m, std::int64_t now) override {
    expect(now - life_of(id).time == m.flight, "a message flies for another time");
    step(id, 4, 5, now);
  }
  void received(MessageId id, RequestId request, std::int64_t /*now*/) override {
    const auto life = life_of(id);
    expect(life.step == 5, "a message is received that has not arrived");
    expect(life.matched == (request != kNone), "a message is received without its receive");
    messages_.erase(id);
    requests_.erase(request);
    ++receipts;
  }
  void posted(RequestId request, StrandId /*strand*/, std::int64_t /*now*/) override {
    expect(requests_.insert(request).second, "a request is posted twice");
  }

  void joined(CollectiveId id, const CollectiveInstance& c, StrandId /*strand*/, std::uint32_t /*args*/,
              RequestId /*request*/, std::int64_t /*now*/) override {
    if (!c.to_root) ++collectives_[id].members;
  }
  void collective_began(CollectiveId id, const CollectiveInstance& c, std::int64_t held, std::int64_t flight,
                        std::int64_t now) override {
    expect(collectives_[id].members == c.arrivals.size(), "a collective begins before all have come");
    collectives_[id].end = now + held + flight;
  }
  void collective_over(CollectiveId id, const CollectiveInstance& /*c*/, std::int64_t now) override {
    expect(collectives_[id].end == now, "a collective ends at another time");
    collectives_.erase(id);
  }
  void entered(StrandId strand, RankId /*rank*/, std::uint32_t /*collective*/, const CollectiveArgs& /*args*/,
               std::int64_t /*now*/) override {
    expect(inside_.insert(strand).second, "a strand is in two algorithms");
  }
  void left(StrandId strand, std::int64_t /*now*/) override {
    expect(inside_.erase(strand) == 1, "a strand leaves an algorithm that it is not in");
  }

  void scheduled(EventKind kind, EventSubject subject, std::int64_t delay, std::int64_t now) override {
    ++pending_[{kind, subject.number(), now + delay}];
  }
  void dispatched(EventKind kind, EventSubject subject, std::int64_t now) override {
    ++events;
    const auto found = pending_.find({kind, subject.number(), now});
    expect(found != pending_.end(), "an event that nobody scheduled");
    if (found != pending_.end() && --found->second == 0) pending_.erase(found);
  }

 private:
  struct StrandTimes {
    Activity activity = Activity::cpu_wait;
    std::int64_t since = 0;
    ActivityTimes spent{};
  };
  struct Life {
    int step = 0;
    std::int64_t time = 0;  // of the last step
    StrandId strand{};
    std::int64_t alone = 0, flight = 0;
    bool matched = false, queued = false;
  };
  struct Gathering {
    std::size_t members = 0;
    std::int64_t end = 0;
  };

  void expect(bool holds, const char* otherwise) {
    if (!holds && wrong.empty()) wrong = otherwise;
  }
  StrandTimes& strand_at(StrandId strand) {
    strands_.reach(strand);
    return strands_[strand];
  }
  Life& life_of(MessageId id) {
    expect(messages_.contains(id), "a message that nobody sent");
    return messages_[id];
  }
  void step(MessageId id, int from, int to, std::int64_t now) {
    auto& m = life_of(id);
    expect(m.step == from && now >= m.time, "a message's life is out of order");
    m.step = to;
    m.time = now;
  }

  IdVector<StrandId, StrandTimes> strands_;
  std::map<MessageId, Life> messages_;
  std::set<RequestId> requests_;
  std::set<MessageId> standins_;
  std::set<StrandId> inside_;
  std::map<CollectiveId, Gathering> collectives_;
  std::map<std::tuple<EventKind, std::uint32_t, std::int64_t>, std::uint64_t> pending_;
};

Expected<Result> watched_run(const Program& program, const Platform& platform, const std::string& model,
                             std::vector<RunObserver*> observers) {
  const auto placed = place_ranks(platform, program.ranks());
  if (!placed) return tl::unexpected(placed.error());
  SimulateOptions options;
  options.model = model;
  options.observers = std::move(observers);
  return simulate(program, platform, *placed, options);
}

/// True if all that was told can be, and the result is what it is without anybody watching.
bool witness_agrees(const RandomProgram& recipe, const Platform& platform, const std::string& model) {
  const auto program = random_program(recipe);
  const auto plain = simulated(program, platform, model);
  if (!plain) FAIL(to_string(plain.error()));
  Witness first(program.strands().size()), second(program.strands().size());
  const auto seen = watched_run(program, platform, model, {&first, &second});
  if (!seen) FAIL(to_string(seen.error()));
  bool good = true;
  const auto check = [&](bool holds, const char* what) {
    CHECK_MESSAGE(holds, model << ": " << what << " " << first.wrong);
    good = good && holds;
  };
  check(all_of(*plain) == all_of(*seen), "watching changes nothing");
  check(first.wrong.empty(), "what is told can be");
  check(first.all_is_over(), "nothing is left over");
  check(first.events == seen->events, "all events are told");
  check(first.sends == seen->messages + seen->collective_messages, "all messages are told");
  check(first.sends == first.receipts && first.sends == first.begins, "all that is sent is received");
  check(second.events == first.events && second.receipts == first.receipts, "two see the same");
  if (seen->collective_messages == 0)
    for (const auto s : ids<StrandId>(program.strands().size())) {
      const auto& mine = seen->ranks[program.strands()[raw(s)].rank].times;
      const auto told = rank_times(first.spent_by(s));
      check(told.compute == mine.compute && told.latency == mine.latency && told.wait == mine.wait &&
                told.collective_wait == mine.collective_wait && told.collective == mine.collective &&
                told.cpu_wait == mine.cpu_wait,
            "a strand's times are those of its rank");
    }
  return good;
}

}  // namespace

TEST_CASE("observers see every message, strand and event, on every network, and change nothing") {
  RandomProgram kind;
  kind.one_sided = true;
  kind.to_oneself = true;
  for_random_programs(kind, 8, [](const RandomProgram& recipe) {
    const auto p = random_platform(recipe.ranks, recipe.seed);
    return witness_agrees(recipe, p, "dimemas") && witness_agrees(recipe, p, "ideal") &&
           witness_agrees(recipe, p, "flow");
  });
}

TEST_CASE("observers see the messages of collectives that are algorithms") {
  for_random_programs({}, 4, [](const RandomProgram& recipe) {
    bool good = true;
    for (const auto algorithm : {Algorithm::binomial, Algorithm::ring, Algorithm::recursive_doubling}) {
      auto p = random_platform(recipe.ranks, recipe.seed);
      CollectiveCost cost;
      cost.algorithm = algorithm;
      p.mpi.collectives.fallback = {cost};
      good = good && witness_agrees(recipe, p, "dimemas");
    }
    return good;
  });
}

TEST_CASE("a message that finds its link busy is reported as queueing for it") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1}, Bytes{kMegabyte});
  b.isend_and_forget({.peer = 2}, Bytes{kMegabyte});
  for (std::uint32_t r = 1; r < 3; ++r) {
    b.begin_strand(r);
    b.recv({.peer = 0}, Bytes{kMegabyte});
  }
  auto p = machine(3);
  nodes_of(p).links = full_duplex(1);
  struct Queues : RunObserver {
    std::vector<std::pair<ResourceKind, std::uint32_t>> all;
    std::int64_t entered = 0, waited = 0;
    void queued(MessageId, const Message&, const ResourceId& place, std::int64_t now) override {
      all.emplace_back(place.kind, place.owner);
      entered = now;
    }
    void left_queue(MessageId, const Message&, std::int64_t now) override { waited = now - entered; }
  } queues;
  REQUIRE(watched_run(b.build(), p, "dimemas", {&queues}).has_value());
  // The second send acts a latency after the first; then the link is the first one's for 10 ms more less
  // that.
  CHECK(queues.all == std::vector<std::pair<ResourceKind, std::uint32_t>>{{ResourceKind::link_out, 0}});
  CHECK(Duration::picoseconds(queues.waited) == network(kMegabyte) - kLatency);
}
