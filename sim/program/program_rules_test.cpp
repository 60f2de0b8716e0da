#include "sim/program/program_rules.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

// The tables of a Program, to be changed.
struct Tables {
  explicit Tables(const Program& p)
      : strands(p.strands().begin(), p.strands().end()),
        operations(p.operations().begin(), p.operations().end()),
        channels(p.channels().begin(), p.channels().end()),
        wildcards(p.wildcards().begin(), p.wildcards().end()),
        communicators(p.communicators().begin(), p.communicators().end()),
        collectives(p.collectives().begin(), p.collectives().end()),
        list_ends(p.block_lists().ends.begin(), p.block_lists().ends.end()),
        list_bytes(p.block_lists().bytes.begin(), p.block_lists().bytes.end()),
        call_names(p.call_names().begin(), p.call_names().end()),
        event_labels(p.event_labels().begin(), p.event_labels().end()),
        request_slots(p.request_slots().begin(), p.request_slots().end()),
        traced_run_time(p.traced_run_time()) {}

  std::string first_broken() const {
    const auto wrong = first_broken_rule({strands,
                                          operations,
                                          channels,
                                          wildcards,
                                          communicators,
                                          collectives,
                                          {list_ends, list_bytes},
                                          call_names,
                                          event_labels,
                                          request_slots,
                                          traced_run_time});
    return wrong ? std::string(wrong->table) + " " + std::to_string(wrong->entry) + " " + wrong->message : "";
  }

  std::vector<Strand> strands;
  std::vector<Operation> operations;
  std::vector<Channel> channels;
  std::vector<Wildcard> wildcards;
  std::vector<Communicator> communicators;
  std::vector<CollectiveArgs> collectives;
  std::vector<std::uint64_t> list_ends, list_bytes;
  std::vector<std::string> call_names;
  std::vector<EventLabel> event_labels;
  std::vector<std::uint32_t> request_slots;
  std::optional<Duration> traced_run_time;
};

constexpr CollectiveArgs kReduce{.kind = CollectiveKind::reduce,
                                 .sync = CollectiveArgs::Sync::root_synchronised,
                                 .communicator = 1,
                                 .root = 2};
constexpr CollectiveArgs kStart{.kind = CollectiveKind::bcast, .sync = CollectiveArgs::Sync::nonblocking};

// Every kind of operation. Rank 1 has two strands; the first waits for an operation of the second.
Program everything() {
  ProgramBuilder b(3);
  b.add_communicator({2, 0});
  b.label_event(7, 1, "solve");
  b.label_event(7, 2, "check");
  b.set_traced_run_time(Duration::picoseconds(50));
  b.begin_strand(0);
  b.compute(Duration::picoseconds(10));  // 0
  b.begin_call(b.call_name("MPI_Send"));
  b.send({.peer = 1, .tag = 4}, Bytes{8}, SendMode::synchronous);                      // 1
  b.wait(b.isend({.peer = 1, .tag = 5}, Bytes{8}));                                    // 2, 3
  b.recv({.peer = 1, .tag = 4}, Bytes{8});                                             // 4
  b.wait(b.irecv({.peer = kAnySource, .tag = kAnyTag, .communicator = 1}, Bytes{8}));  // 5, 6
  b.probe({.peer = 1, .tag = 4});                                                      // 7
  b.collective(kReduce);                                                               // 8
  b.wait(b.collective_start(kStart));                                                  // 9, 10
  b.event(7, 1);                                                                       // 11
  b.begin_strand(1, false);
  const auto place = b.wait_later();  // 12
  b.begin_strand(1, false);
  b.fill_wait(place, b.irecv({.peer = 0, .tag = 4}, Bytes{8}));  // 13
  b.begin_strand(2);
  b.noop();                                        // 14
  b.wait(b.put({.peer = 1, .tag = 9}, Bytes{8}));  // 15, 16
  b.wait(b.get({.peer = 1, .tag = 9}, Bytes{8}));  // 17, 18
  b.begin_call(1);
  b.elapse(Duration::picoseconds(3));  // 19
  return b.build();
}

// A master that answers the rank that asks, and a worker that continues until it is told to stop.
Program master_and_worker() {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.recv({.peer = kAnySource, .tag = 1}, Bytes{0});  // 0
  b.send_to_last_source({.tag = 2}, Bytes{8});       // 1
  b.mark(3);                                         // 2
  b.begin_strand(1);                                 // its operations:
  b.local(Bytes{8});                                 // 3
  b.wait(b.isend({.peer = 0, .tag = 1}, Bytes{0}));  // 4, 5
  b.recv({.peer = 0, .tag = kAnyTag}, Bytes{8});     // 6
  b.wait(b.isend({.peer = 0, .tag = 9}, Bytes{0}));  // 7, 8
  b.repeat_until(b.position() - 5, 2, 0, 10);        // 9: 4 to 8 again
  return b.build();
}

struct Case {
  const char* what;
  std::function<void(Tables&)> change;
  std::string expected;
};

void check(const std::vector<Case>& cases, const Program& whole) {
  for (const auto& c : cases) {
    CAPTURE(c.what);
    Tables t(whole);
    c.change(t);
    const auto found = t.first_broken();
    CHECK(found == c.expected);
  }
}

}  // namespace

TEST_CASE("Programs of ProgramBuilder keep all rules") {
  CHECK(Tables(everything()).first_broken().empty());
}

TEST_CASE("an erased operation leaves an unused slot, which breaks no rule") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  const auto at = b.position();
  const auto slot = b.irecv({.peer = 1}, Bytes{8});
  b.erase(at);
  b.wait(slot);
  CHECK(Tables(b.build()).first_broken().empty());
}

TEST_CASE("each broken rule is found and named") {
  const std::vector<Case> cases{
      {"no ranks", [](Tables& t) { t.request_slots.clear(); },
       "ranks 0 there are 0, expected 1 to 2147483647"},
      {"no names", [](Tables& t) { t.call_names.clear(); }, "call names 0 there are 0, expected 1 to 65536"},
      {"first name", [](Tables& t) { t.call_names[0] = "x"; }, "call names 0 is 'x', expected 'compute'"},
      {"same names", [](Tables& t) { t.call_names.push_back("MPI_Send"); },
       "call names 2 is the same as entry 1"},
      {"same labels", [](Tables& t) { t.event_labels[1].value = 1; },
       "event labels 1 is the same as entry 0"},
      {"run time", [](Tables& t) { t.traced_run_time = Duration::picoseconds(-1); },
       "traced run time 0 is negative"},
      {"too many slots", [](Tables& t) { t.request_slots.assign(3, 0x7fff'ffff); },
       "request slots 0 6442450945 in all are too many"},
      {"slots without operations", [](Tables& t) { t.request_slots[2] = 7; },
       "request slots 2 is 7, but the rank has 6 operations"},
      {"strand's rank", [](Tables& t) { t.strands[3].rank = 3; }, "strands 3 rank is 3, expected 0 to 2"},
      {"order of strands", [](Tables& t) { t.strands[3].rank = 0; }, "strands 3 rank 0 comes after 1"},
      {"gap between strands", [](Tables& t) { ++t.strands[1].begin; }, "strands 1 begins at 13, expected 12"},
      {"strand's end", [](Tables& t) { t.strands[3].end = 21; }, "strands 3 ends at 21, expected 14 to 20"},
      {"negative strand", [](Tables& t) { t.strands[0].end = ~std::uint64_t{0}; },
       "strands 0 ends at 18446744073709551615, expected 0 to 20"},
      {"operations left", [](Tables& t) { --t.strands[3].end; },
       "strands 4 operations from 19 on belong to no strand"},
      {"everybody", [](Tables& t) { t.communicators[0].members.pop_back(); },
       "communicators 0 must hold all 3 ranks"},
      {"order of everybody",
       [](Tables& t) { std::swap(t.communicators[0].members[0], t.communicators[0].members[1]); },
       "communicators 0 rank 1 is out of order"},
      {"member", [](Tables& t) { t.communicators[1].members[0] = 3; },
       "communicators 1 a member is 3, expected 0 to 2"},
      {"member twice", [](Tables& t) { t.communicators[1].members[0] = 0; },
       "communicators 1 holds rank 0 twice"},
      {"channel's source", [](Tables& t) { t.channels[0].source = 3; },
       "channels 0 source is 3, expected 0 to 2"},
      {"channel's destination", [](Tables& t) { t.channels[0].destination = 3; },
       "channels 0 destination is 3, expected 0 to 2"},
      {"channel's communicator", [](Tables& t) { t.channels[0].communicator = 2; },
       "channels 0 communicator is 2, expected 0 to 1"},
      {"channel's tag", [](Tables& t) { t.channels[0].tag = -1; }, "channels 0 its tag is any"},
      {"same channels", [](Tables& t) { t.channels[1].tag = 4; }, "channels 1 is the same as entry 0"},
      {"wildcard's source", [](Tables& t) { t.wildcards[0].source = 3; },
       "wildcards 0 source is 3, expected 0 to 2"},
      {"wildcard's destination", [](Tables& t) { t.wildcards[0].destination = 3; },
       "wildcards 0 destination is 3, expected 0 to 2"},
      {"wildcard's communicator", [](Tables& t) { t.wildcards[0].communicator = 9; },
       "wildcards 0 communicator is 9, expected 0 to 1"},
      {"closed wildcard",
       [](Tables& t) {
         t.wildcards[0] = {1, 0, 1, 4};
       },
       "wildcards 0 leaves nothing open"},
      {"collective's kind", [](Tables& t) { t.collectives[0].kind = CollectiveKind{200}; },
       "collectives 0 kind is 200, expected 0 to 29"},
      {"sync", [](Tables& t) { t.collectives[0].sync = CollectiveArgs::Sync{3}; },
       "collectives 0 sync is 3, expected 0 to 2"},
      {"collective's communicator", [](Tables& t) { t.collectives[0].communicator = 2; },
       "collectives 0 communicator is 2, expected 0 to 1"},
      {"root", [](Tables& t) { t.collectives[0].root = 1; }, "collectives 0 root is 1, expected a member"},
      {"root beyond", [](Tables& t) { t.collectives[0].root = 3; },
       "collectives 0 root is 3, expected a member"},
      {"root of a Bcast", [](Tables& t) { t.collectives[1].root = 1; },
       "collectives 1 names a root although it has none"},
      {"a Scan with a root", [](Tables& t) { t.collectives[0].kind = CollectiveKind::scan; },
       "collectives 0 is synchronised at its root, but is not an MPI_Reduce"},
      {"collective's size", [](Tables& t) { t.collectives[0].recv_bytes = ~std::uint64_t{0}; },
       "collectives 0 a size is above 9223372036854775807"},
      {"same collectives", [](Tables& t) { t.collectives.push_back(t.collectives[0]); },
       "collectives 2 is the same as entry 0"},
      {"kind", [](Tables& t) { t.operations[0].kind = OpKind{20}; },
       "operations 0 kind is 20, expected 0 to 19"},
      {"flags", [](Tables& t) { t.operations[4].flags = Operation::synchronous; },
       "operations 4 flags are 2, which its kind does not have"},
      {"both modes", [](Tables& t) { t.operations[1].flags = 6; },
       "operations 1 flags are 6, which its kind does not have"},
      {"unknown flag", [](Tables& t) { t.operations[1].flags = 32; },
       "operations 1 flags are 32, which its kind does not have"},
      {"call", [](Tables& t) { t.operations[1].call = 2; }, "operations 1 call is 2, expected 0 to 1"},
      {"call of a computation", [](Tables& t) { t.operations[0].call = 1; },
       "operations 0 call is 1, expected 0 for a computation"},
      {"a mode of a computation", [](Tables& t) { t.operations[0].flags = Operation::synchronous; },
       "operations 0 flags are 2, which its kind does not have"},
      {"a Send that elapses", [](Tables& t) { t.operations[1].flags = Operation::elapsed; },
       "operations 1 flags are 8, which its kind does not have"},
      {"negative computation", [](Tables& t) { t.operations[0].amount = -1; },
       "operations 0 amount is -1, expected 0 or more"},
      {"negative size", [](Tables& t) { t.operations[1].amount = -1; },
       "operations 1 amount is -1, expected 0 or more"},
      {"amount of a noop", [](Tables& t) { t.operations[14].amount = 1; },
       "operations 14 a field that its kind does not have is not 0"},
      {"peer of a computation", [](Tables& t) { t.operations[0].peer = 1; },
       "operations 0 a field that its kind does not have is not 0"},
      {"detail of a computation", [](Tables& t) { t.operations[0].detail = 1; },
       "operations 0 a field that its kind does not have is not 0"},
      {"request of a Send", [](Tables& t) { t.operations[1].request = 0; }, "operations 1 has a request"},
      {"Irecv without a request", [](Tables& t) { t.operations[5].request = kNoRequest; },
       "operations 5 has no request"},
      {"request beyond", [](Tables& t) { t.operations[2].request = 1; },
       "operations 2 request is 1, but rank 0 has 1"},
      {"peer", [](Tables& t) { t.operations[1].peer = 2; },
       "operations 1 rank 0 and peer 2 are not the ends of its channel, 0 to 1"},
      {"peer beyond", [](Tables& t) { t.operations[1].peer = 77; },
       "operations 1 rank 0 and peer 77 are not the ends of its channel, 0 to 1"},
      {"someone else's channel", [](Tables& t) { t.operations[1].detail = 2; },
       "operations 1 rank 0 and peer 1 are not the ends of its channel, 1 to 0"},
      {"channel", [](Tables& t) { t.operations[1].detail = 9; },
       "operations 1 channel is 9, but there are 5"},
      {"an open send", [](Tables& t) { t.operations[1].detail = kAnyChannel; },
       "operations 1 channel is 2147483648, but there are 5"},
      {"wildcard", [](Tables& t) { t.operations[5].detail = kAnyChannel | 1; },
       "operations 5 wildcard is 1, but there are 1"},
      {"open peer", [](Tables& t) { t.operations[5].peer = 1; },
       "operations 5 rank 0 and peer 1 are not the ends of its wildcard, 4294967295 to 0"},
      {"collective", [](Tables& t) { t.operations[8].detail = 2; },
       "operations 8 collective is 2, but there are 2"},
      {"blocking start", [](Tables& t) { t.operations[9].detail = 0; },
       "operations 9 the collective blocks and the operation does not, or the other way round"},
      {"no member",
       [](Tables& t) {
         t.operations[14] = t.operations[8], t.communicators[1].members = {0}, t.collectives[0].root = 0,
         t.collectives[0].is_root = true;
       },
       "operations 14 rank 2 is not a member of communicator 1"},
      {"not the root", [](Tables& t) { t.collectives[0].is_root = true; },
       "operations 8 rank 0 is the root, but its collective names rank 2"},
      {"not the root for itself", [](Tables& t) { t.operations[14] = t.operations[8]; },
       "operations 14 rank 2 is not the root, but its collective names it"},
      {"begun twice", [](Tables& t) { t.operations[3] = t.operations[2]; },
       "operations 3 request 0 is already open"},
      {"not begun", [](Tables& t) { t.operations[2].request = kNoRequest; },
       "operations 3 waits for request 0, which is not open"},
      {"waited for twice", [](Tables& t) { t.operations[4] = t.operations[3]; },
       "operations 4 waits for request 0, which is not open"},
      {"another's wait", [](Tables& t) { t.operations[6].kind = OpKind::wait_send; },
       "operations 6 waits for request 0, which another operation began"},
      {"a put into the wrong channel", [](Tables& t) { t.operations[15].detail = t.operations[17].detail; },
       "operations 15 rank 2 and peer 1 are not the ends of its channel, 1 to 2"},
      {"an open get", [](Tables& t) { t.operations[17].detail = kAnyChannel; },
       "operations 17 channel is 2147483648, but there are 5"},
      {"another's size", [](Tables& t) { t.operations[6].amount = 9; },
       "operations 6 waits for request 0, which another operation began"},
      {"not begun by another strand", [](Tables& t) { t.operations[13] = Operation{}; },
       "operations 12 waits for request 0, which is not open"},
  };
  check(cases, everything());
}

TEST_CASE("a block list has a size for each member of a call that may have one") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  const std::vector<std::uint64_t> sizes{1, 2, 3}, others{1, 2, 4}, equal(3, 7);
  const auto list = b.block_list(sizes);
  CHECK(b.block_list(others) == list + 1);
  CHECK(b.block_list(sizes) == list);
  CHECK(b.block_list(equal) == 0);
  b.collective({.kind = CollectiveKind::alltoallv, .block_list = list, .send_bytes = 2, .recv_bytes = 2});
  const auto program = b.build();
  CHECK(std::ranges::equal(program.block_lists().list(list + 1), others));
  const std::vector<Case> cases{
      {"kind", [](Tables& t) { t.collectives[0].kind = CollectiveKind::alltoall; },
       "collectives 0 has a block list, which it cannot use"},
      {"leaf", [](Tables& t) { t.collectives[0].kind = CollectiveKind::gatherv; },
       "collectives 0 has a block list, which it cannot use"},
      {"number", [](Tables& t) { t.collectives[0].block_list = 3; },
       "collectives 0 block list is 3, expected 0 to 2"},
      {"members", [](Tables& t) { --t.list_ends[0]; }, "collectives 0 has 2 block sizes, expected 3"},
      {"order", [](Tables& t) { t.list_ends[0] = 7; }, "block lists 0 ends at 7, expected 0 to 6"},
      {"left over", [](Tables& t) { t.list_bytes.push_back(1); },
       "block lists 2 sizes from 6 on belong to no list"},
      {"sum", [](Tables& t) { t.list_bytes[4] = ~std::uint64_t{0} >> 1U; },
       "block lists 1 its sizes add up to more than 9223372036854775807"},
  };
  check(cases, program);
}

TEST_CASE("channels and wildcards are fewer than their numbers have room for") {
  const Tables t(everything());
  constexpr std::size_t kTooMany = std::size_t{kAnyChannel} + 1;  // sizes are checked before any entry
  const auto broken = [&](std::span<const Channel> channels, std::span<const Wildcard> wildcards) {
    const auto wrong = first_broken_rule({t.strands,
                                          t.operations,
                                          channels,
                                          wildcards,
                                          t.communicators,
                                          t.collectives,
                                          {},
                                          t.call_names,
                                          t.event_labels,
                                          t.request_slots,
                                          t.traced_run_time});
    REQUIRE(wrong);
    return std::string(wrong->table) + ": " + wrong->message;
  };
  CHECK(broken({t.channels.data(), kTooMany}, t.wildcards) ==
        "channels: there are 2147483649, more than 2147483648");
  CHECK(broken(t.channels, {t.wildcards.data(), kTooMany}) ==
        "wildcards: there are 2147483649, more than 2147483648");
}

TEST_CASE("each broken rule of a start and of a job that begins again is found and named") {
  // Rank 0: start, isend, its wait, again; rank 1: recv, again.
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(5));
  b.wait(b.isend({.peer = 1}, Bytes{8}));
  b.noop();
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{8});
  b.noop();
  b.begin_strand(1);
  const auto program = b.build();
  const auto jobs = [](Tables& t) {
    t.operations[0].kind = OpKind::start;
    t.operations[3].kind = t.operations[5].kind = OpKind::again;
    t.strands.pop_back();
    t.request_slots.push_back(0);
    t.communicators[0].members.push_back(2);
    t.strands.push_back({2, 6, 6});
  };
  const auto broken = [&](void (*change)(Tables&)) {
    Tables t(program);
    jobs(t);
    change(t);
    return t.first_broken();
  };
  CHECK(broken([](Tables&) {}).empty());
  CHECK(broken([](Tables& t) { std::swap(t.operations[0], t.operations[4]); }) != "");
  CHECK(broken([](Tables& t) {
          t.operations[3] = {OpKind::start, 0, 0, 0, 7};
        }) == "operations 3 is not the first operation of its strand");
  CHECK(broken([](Tables& t) { t.operations[0].amount = -1; }) ==
        "operations 0 amount is -1, expected 0 or more");
  CHECK(broken([](Tables& t) { t.operations[0] = t.operations[3]; }) ==
        "operations 0 is not the last operation of its strand");
  CHECK(broken([](Tables& t) { t.operations[3].detail = 7; }) ==
        "operations 3 rank 0 is not a member of communicator 7");
  CHECK(broken([](Tables& t) { t.operations[2] = {}; }) ==
        "operations 3 begins again with requests that it has not waited for");
  CHECK(broken([](Tables& t) { t.strands.pop_back(); }) ==
        "strands 0 all begin again, so that no run would end");
  CHECK(broken([](Tables& t) { t.strands.back().rank = 1; }) ==
        "operations 5 is in a rank of several strands");
}

TEST_CASE("each broken rule of a benchmark's operations is found and named") {
  CHECK(Tables(master_and_worker()).first_broken().empty());
  const std::vector<Case> cases{
      {"a mark's amount", [](Tables& t) { t.operations[2].amount = 1; },
       "operations 2 a field that its kind does not have is not 0"},
      {"a local call's size", [](Tables& t) { t.operations[3].amount = -1; },
       "operations 3 amount is -1, expected 0 or more"},
      {"an answer's peer", [](Tables& t) { t.operations[1].peer = 1; },
       "operations 1 is an answer, and its channel does not lead from the rank to itself"},
      {"an answer's channel", [](Tables& t) { t.operations[1].detail = t.operations[4].detail; },
       "operations 1 is an answer, and its channel does not lead from the rank to itself"},
      {"an answer's channel beyond", [](Tables& t) { t.operations[1].detail = 99; },
       "operations 1 channel is 99, but there are 5"},
      {"an answer that is waited for",
       [](Tables& t) {
         t.operations[1].kind = OpKind::isend;
         t.operations[1].request = 0;
         t.request_slots[0] = 1;
       },
       "operations 1 is an answer that is waited for"},
      {"back by nothing", [](Tables& t) { t.operations[9].amount = 0; },
       "operations 9 goes back 0 operations, expected 1 to 6"},
      {"back into another rank", [](Tables& t) { t.operations[9].amount = 7; },
       "operations 9 goes back 7 operations, expected 1 to 6"},
      {"a repeat's channel", [](Tables& t) { t.operations[9].detail = 99; },
       "operations 9 channel is 99, but there are 5"},
      {"a repeat in a repeat",
       [](Tables& t) {
         t.operations[7] = t.operations[9];
         t.operations[7].amount = 4;
         t.operations[8] = t.operations[3];
       },
       "operations 9 holds another repeat"},
      {"a repeat without a receive", [](Tables& t) { t.operations[9].amount = 2; },
       "operations 9 holds no receive from any source or with any tag"},
      {"a wait alone", [](Tables& t) { t.operations[9].amount = 4; },
       "operations 9 holds the wait for request 0, which began before it"},
      {"no wait", [](Tables& t) { t.operations[8] = t.operations[3]; },
       "operations 9 does not hold the wait for request 0"},
      {"two strands",
       [](Tables& t) {
         t.operations[7] = t.operations[8] = t.operations[3];
         t.strands[1].end = 4;
         t.strands.push_back({1, 4, 10});
       },
       "operations 9 is in a rank of several strands"},
  };
  check(cases, master_and_worker());
}
