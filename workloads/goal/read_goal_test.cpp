#include "workloads/goal/read_goal.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "workloads/goal/binary_layout.hpp"

using namespace busline;

namespace {

/// An operation in a few words: "isend 8 to 1 tag 7 [0]" with its request in brackets.
std::string shown(const Program& p, const Operation& op) {
  const auto message = [&](const char* name, const char* way) {
    const auto tag = (op.detail & kAnyChannel) != 0 ? p.wildcards()[op.detail & ~kAnyChannel].tag
                                                    : p.channels()[op.detail].tag;
    const auto peer = op.peer == kAnySource ? std::string("any") : std::to_string(op.peer);
    const auto request = op.request == kNoRequest ? std::string() : fmt::format(" [{}]", op.request);
    return fmt::format("{} {} {} {} tag {}{}", name, op.amount, way, peer, tag, request);
  };
  switch (op.kind) {
    case OpKind::compute:
      return fmt::format("compute {}", op.amount);
    case OpKind::send:
      return message("send", "to");
    case OpKind::isend:
      return message("isend", "to");
    case OpKind::recv:
      return message("recv", "from");
    case OpKind::irecv:
      return message("irecv", "from");
    case OpKind::wait_send:
    case OpKind::wait_recv:
      return fmt::format("wait [{}]", op.request);
    default:
      return "another operation";
  }
}

using GoalLines = std::vector<std::string>;

/// The operations of each strand.
std::vector<GoalLines> strands_of(const Program& program) {
  std::vector<GoalLines> all;
  for (const auto& s : program.strands()) {
    auto& lines = all.emplace_back();
    for (const auto& op : program.operations(s)) lines.push_back(shown(program, op));
  }
  return all;
}

Diagnostics goal_news;

std::vector<GoalLines> goal_strands(const std::string& text, const GoalOptions& options = {}) {
  goal_news.clear();
  const auto program = read_goal_content(text, "x.goal", options, goal_news);
  if (!program) FAIL(to_string(program.error()));
  return strands_of(*program);
}

std::string goal_refusal(std::string_view content) {
  Diagnostics diagnostics;
  const auto program = read_goal_content(content, "x.goal", {}, diagnostics);
  REQUIRE_FALSE(program);
  return to_string(program.error());
}

const std::string kTwoRanks = "num_ranks 2\nrank 0 {\n}\nrank 1 {\n";

}  // namespace

TEST_CASE("a message that the next operation requires is a blocking call") {
  // l1 and l3 are required by the node behind them, and the last one by nothing.
  const auto strands = goal_strands(
      "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 7\nl2: calc 3\nl2 requires l1\nl3: recv 9b from 1\n"
      "l3 requires l2\nl4: send 1b to 1\nl4 requires l3\n}\nrank 1 {\nl1: recv 8b from 0 tag 7\n"
      "l2: send 9b to 0\nl2 requires l1\nl3: recv 1b from 0\nl3 requires l2\n}\n");
  CHECK(strands == std::vector<GoalLines>{
                       {"send 8 to 1 tag 7", "compute 3000", "recv 9 from 1 tag 0", "send 1 to 1 tag 0"},
                       {"recv 8 from 0 tag 7", "send 9 to 0 tag 0", "recv 1 from 0 tag 0"}});
  CHECK(goal_news.empty());
}

TEST_CASE("other messages are started, and waited for where they are first required") {
  const auto strands = goal_strands(
      kTwoRanks +
      "r: recv 8b from 0 tag 1\ns: send 9b to 0 tag 2\ns irequires r\nc: calc 5\nc irequires s\n"
      "w: calc 0\nw requires r\nw requires s\nw requires c\ne: calc 6\ne requires w\ne requires r\n}\n");
  CHECK(strands[1] == GoalLines{"irecv 8 from 0 tag 1 [0]", "isend 9 to 0 tag 2 [1]", "compute 5000",
                                "wait [0]", "wait [1]", "compute 6000"});
}

TEST_CASE("a send that nothing requires is not waited for, a receive is at the end") {
  const auto strands = goal_strands(kTwoRanks + "send 8b to 0\nrecv 9b from 0\ncalc 5\n}\n");
  CHECK(strands[1] ==
        GoalLines{"isend 8 to 0 tag 0", "irecv 9 from 0 tag 0 [0]", "compute 5000", "wait [0]"});
}

TEST_CASE("operations follow their dependences, and otherwise the file") {
  // d first, since a and b depend on it; a before b.
  const auto strands =
      goal_strands(kTwoRanks + "a: calc 1\nb: calc 2\nd: calc 3\nb requires d\na irequires d\n}\n");
  CHECK(strands[1] == GoalLines{"compute 3000", "compute 1000", "compute 2000"});
  CHECK(goal_news.empty());
}

TEST_CASE("an operation that a sequence may hold back is told once") {
  // c and e could run while b waits for the message.
  goal_strands(kTwoRanks + "a: recv 8b from 0\nb: calc 2\nb requires a\nc: calc 3\ne: calc 4\n}\n");
  REQUIRE(goal_news.size() == 1);
  CHECK(goal_news[0].code == "goal-order");
  CHECK(goal_news[0].line == 8);
  CHECK(goal_news[0].message ==
        "rank 1, node 2: its dependences let it start earlier than node 0, behind which it stands here, "
        "since a "
        "cpu's operations are one sequence");
}

TEST_CASE("each cpu of a rank is a strand, and one may wait for a message of another") {
  const auto strands =
      goal_strands(kTwoRanks +
                   "a: calc 1 cpu 3\nb: recv 8b from 0 cpu 1\nc: calc 2 cpu 3\nc requires a\nc requires b\n"
                   "d: send 4b to 0\ne: calc 5 cpu 1\ne requires d\n}\n");
  REQUIRE(strands.size() == 4);
  CHECK(strands[1] == GoalLines{"isend 4 to 0 tag 0 [0]"});
  CHECK(strands[2] == GoalLines{"irecv 8 from 0 tag 0 [1]", "wait [0]", "compute 5000"});
  CHECK(strands[3] == GoalLines{"compute 1000", "wait [1]", "compute 2000"});
  // The strand that waits may stand first.
  const auto early = goal_strands(kTwoRanks + "b: recv 8b from 0 cpu 1\nc: calc 2\nc requires b\n}\n");
  CHECK(early[1] == GoalLines{"wait [0]", "compute 2000"});
  CHECK(early[2] == GoalLines{"irecv 8 from 0 tag 0 [0]"});
}

TEST_CASE("what strands cannot say of one another is refused by its line") {
  CHECK(goal_refusal(kTwoRanks + "a: calc 1 cpu 1\nb: calc 2\nb requires a\n}\n") ==
        "x.goal:6: rank 1, node 1: cpu 0 depends on node 0 of cpu 1, a calculation\n"
        "  between the cpus of a rank, one cpu can wait for a send or receive of another; "
        "docs/reference/goal.md");
  CHECK(goal_refusal(kTwoRanks + "a: send 1b to 0 cpu 1\nb: calc 2\nb irequires a\n}\n")
            .find("cpu 0 depends on node 0 of cpu 1, on its start") != std::string::npos);
  CHECK(goal_refusal(kTwoRanks +
                     "a: send 1b to 0 cpu 1\nb: calc 2\nb requires a\nc: calc 2 cpu 2\nc requires a\n}\n")
            .find("for which two cpus wait") != std::string::npos);
}

TEST_CASE("comments, blanks, line ends and any source and tag are read; nics are told") {
  const auto strands = goal_strands(
      "/* made\n by hand */ num_ranks 1 // one\r\n\r\nrank 0 {\r\n  recv 8 b from -1 tag -1 nic 2\r\n\tl: "
      "calc "
      "7 // last\n}\n",
      {.unit = Duration::picoseconds(10)});
  CHECK(strands[0] == GoalLines{"irecv 8 from any tag -1 [0]", "compute 70", "wait [0]"});
  REQUIRE(goal_news.size() == 1);
  CHECK(goal_news[0].code == "goal-nic");
}

TEST_CASE("a text that is not a schedule is refused by line") {
  CHECK(goal_refusal("num_ranks 0\n") ==
        "x.goal:1: expected a number of ranks a whole number from 1 to 2147483647, found '0'");
  CHECK(goal_refusal("num_ranks 1\nrank 1 {\n}\n").find("x.goal:2: expected the ranks in ascending order,") ==
        0);
  CHECK(goal_refusal("num_ranks 1\nrank 0 {\n") == "x.goal:3: block of rank 0 of 1: has no end, expected }");
  CHECK(goal_refusal("num_ranks 1\nrank 0 {\n/* }\n") == "x.goal:4: a comment has no end, expected */");
  CHECK(goal_refusal("num_ranks 2\nrank 0 {\n}\n") == "x.goal:4: block of rank 1 of 2: missing");
  CHECK(goal_refusal("num_ranks 2000\nrank 0 {\n}\n") ==
        "x.goal: says that it has 2000 ranks, for which it is too short");
  CHECK(goal_refusal("num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n") ==
        "x.goal:4: expected the end of the file after 1 ranks, found 'rank'");
  CHECK(goal_refusal(kTwoRanks + "a: calc 1\na: calc 2\n}\n") == "x.goal:6: label a is used twice");
  CHECK(goal_refusal(kTwoRanks + "a: calc 1\na requires b\n}\n") ==
        "x.goal:6: label b does not stand before an operation above");
  CHECK(goal_refusal(kTwoRanks + "a: calc x\n}\n") ==
        "x.goal:5: expected a length, a whole number from 0 to 18446744073709551615, found 'x'");
  CHECK(goal_refusal(kTwoRanks + "send 4b from 0\n}\n") == "x.goal:5: expected 'to', found 'from'");
  CHECK(goal_refusal(kTwoRanks + "send 4b to 2\n}\n") ==
        "x.goal:5: rank 1, node 0: peer is 2, expected a rank, 0 to 1");
  CHECK(goal_refusal(kTwoRanks + "send 4b to 0 tag 3000000000\n}\n") ==
        "x.goal:5: rank 1, node 0: tag is 3000000000, expected 0 to 2147483647");
  CHECK(goal_refusal(kTwoRanks + "calc 18446744073709551615\n}\n") ==
        "x.goal:5: rank 1, node 0: a calculation that does not fit in a run's time");
  CHECK(
      goal_refusal(kTwoRanks + "a: calc 1\nb: calc 1\na requires b\nb irequires a\n}\n") ==
      "x.goal:5: rank 1, node 0: never starts: 2 nodes depend on one another in a circle, or on such nodes");
}

TEST_CASE("a binary schedule as txt2bin lays it out is read") {
  // One rank: a calc of 5, and a send of 9 bytes to rank 0 with tag 7 that requires it.
  std::string bytes;
  const auto put = [&](auto value) { goal::store(bytes, value); };
  using U8 = std::uint8_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  put(U64{4223});
  put(U32{1});
  put(U8{0});
  put(U8{0});
  put(U64{6 + 16});
  put(U64{6 + 16 + 8 + 4 + 2 * 39 + 4});
  put(U32{2});  // nodes
  put(U32{1});  // roots
  put(U32{0});
  const auto node = [&](U32 dependences, U8 type, U32 peer, U64 size, U32 tag, U32 requiring, U32 first) {
    put(dependences);
    put(type);
    put(peer);
    put(size);
    put(tag);
    put(U8{0});
    put(U8{0});
    put(requiring);
    put(first);
    put(U32{0});
    put(requiring + first);
  };
  node(0, 3, 0, 5, 0, 1, 0);
  node(1, 1, 0, 9, 7, 0, 1);
  put(U32{1});
  CHECK(goal_strands(bytes) == std::vector<GoalLines>{{"compute 5000", "send 9 to 0 tag 7"}});
  CHECK(looks_like_goal_binary(bytes));

  // Each field that the rest contradicts is refused at its place.
  const auto changed = [&](std::size_t at, char to) {
    auto copy = bytes;
    copy[at] = to;
    return goal_refusal(copy);
  };
  CHECK(changed(0, 1) == "x.goal:1: expected 'num_ranks', found '\\x01'");
  CHECK(changed(8, 5) == "x.goal:+8: 5 ranks, expected 1 to 4 in a file of this size");
  CHECK(changed(14, 21).find("x.goal:+14: rank 0 from 21 to") == 0);
  CHECK(changed(22, 117).find("x.goal:+14: rank 0 from 22 to 117, expected a place between 22 and 116") == 0);
  CHECK(changed(30, 3).find("x.goal:+30: rank 0: 3 operations") == 0);
  CHECK(changed(38, 1).find("x.goal:+38: rank 0: operation 1 has dependences or does not exist") == 0);
  CHECK(changed(42, 1).find("x.goal:+38: rank 0: operation 0 has dependences") == 0);
  CHECK(changed(46, 4).find("x.goal:+42: rank 0, node 0: an operation of type 4") == 0);
  CHECK(changed(42 + 23, 2).find("x.goal:+42: rank 0, node 0: lists dependent operations") == 0);
  CHECK(changed(42 + 39, 2).find("x.goal:+42: rank 0: its operations do not have 1 dependences") == 0);
  CHECK(changed(42 + 78, 2).find("x.goal:+42: rank 0, node 0: lists dependent operations") == 0);
  CHECK(changed(42 + 78, 0).find("x.goal:+42: rank 0: ") == 0);
  for (std::size_t size = 8; size < bytes.size(); ++size) goal_refusal(bytes.substr(0, size));
  CHECK(goal_refusal(std::string("\x26\x09\0\0\0\0\0\0", 8) + bytes.substr(8)).find("--save-mem") !=
        std::string::npos);
}
