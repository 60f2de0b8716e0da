// Every generator makes a valid Program that completes, both without a network model and on a slow network.
#include "workloads/generate/generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "sim/program/program_rules.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/test_network.hpp"

namespace {

using namespace busline;
using Given = std::map<std::string, std::string>;

const Generator& generator(const std::string& name) {
  const auto all = generators();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

Result run(const std::string& name, const Given& given, const TestNetwork& network = {}) {
  const auto program = generator(name).generate(given);
  REQUIRE_MESSAGE(program.has_value(), name);
  return replay(*program, nodes_for(program->ranks()), network);
}

std::string message(const std::string& name, const Given& given) {
  const auto program = generator(name).generate(given);
  return program ? std::string() : to_string(program.error());
}

}  // namespace

TEST_CASE("every generator's defaults make a Program that completes, eager or not, the same each time") {
  for (const auto& g : generators()) {
    CAPTURE(g.name);
    const auto program = g.generate({});
    REQUIRE(program);
    CHECK_FALSE(first_broken_rule(program->tables()));
    CHECK(program->operations().size() > 0);
    for (const std::uint64_t rendezvous_from : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
      const auto r = replay(*program, nodes_for(program->ranks()),
                            {.overhead = 1000, .transfer = 5000, .rendezvous_from = rendezvous_from});
      CHECK(r.status == Result::Status::complete);
    }
  }
}

TEST_CASE("a pattern sends as many messages as its parameters say") {
  const Given small{{"ranks", "6"}, {"iterations", "5"}, {"size", "100B"}};
  CHECK(run("ring", small).messages == 6 * 5);
  CHECK(run("ring", small).bytes == 6 * 5 * 100);
  auto by_messages = small;
  by_messages["by"] = "messages";
  CHECK(run("alltoall", by_messages).messages == 6 * 5 * 5);
  CHECK(run("alltoall", small).messages == 0);
  // 3 x 2: two rows of two messages to the right, three columns of one downwards.
  CHECK(run("wavefront", small).messages == 5 * (2 * 2 + 3));
  // Five workers with five pieces each: a request and an answer for each, and for each dismissal.
  CHECK(run("master-worker", small).messages == 2 * (25 + 5));
}

TEST_CASE("a sweep takes as many bursts as there are diagonals, and one more for each further sweep") {
  const auto bursts = [](const char* iterations) {
    const auto r = run("wavefront", {{"ranks", "12"}, {"iterations", iterations}, {"compute", "1us"}});
    return (r.run_time - Time::zero()).count() / 1'000'000;
  };
  CHECK(bursts("1") == 4 + 3 - 1);
  CHECK(bursts("8") == 4 + 3 - 1 + 7);
}

TEST_CASE("imbalance lengthens the longest burst, by no more than it says, and a seed says which") {
  const auto time = [](const char* imbalance, const char* seed) {
    return run("alltoall", {{"ranks", "64"}, {"iterations", "1"}, {"imbalance", imbalance}, {"seed", seed}})
        .run_time;
  };
  const auto even = time("0", "1") - Time::zero();
  const auto uneven = time("50%", "1") - Time::zero();
  CHECK(uneven.in_seconds() > 1.4 * even.in_seconds());
  CHECK(uneven.in_seconds() <= 1.5 * even.in_seconds());
  CHECK(time("50%", "1") == time("50%", "1"));
  CHECK(time("50%", "1") != time("50%", "2"));
}

TEST_CASE("a LinkTest of n ranks measures every pair in both directions") {
  const auto marks = [](const Given& given) { return run("linktest", given).marks.size(); };
  // Two marks on two ranks for each directed pair.
  CHECK(marks({{"ranks", "6"}}) == 2 * 2 * 6 * 5);
  CHECK(marks({{"ranks", "7"}}) == 2 * 2 * 7 * 6);
  CHECK(marks({{"ranks", "6"}, {"mode", "serial"}}) == 2 * 2 * 6 * 5);
  // Both ways at once: one measurement for a pair.
  CHECK(marks({{"ranks", "6"}, {"kernel", "bidirectional"}}) == 2 * 6 * 5);
  CHECK(marks({{"ranks", "6"}, {"scope", "bisection"}}) == 2 * 2 * 2 * 9);
}

TEST_CASE("a LinkTest sends equally many messages, with both directions at once or in turn") {
  const auto messages = [](const char* kernel) {
    return run("linktest", {{"ranks", "6"}, {"messages", "5"}, {"warmup", "2"}, {"kernel", kernel}}).messages;
  };
  // 15 pairs, two directions, 7 round trips.
  CHECK(messages("semidirectional") == 15 * 2 * 7 * 2);
  CHECK(messages("bidirectional") == 15 * 2 * 7 * 2);
}

TEST_CASE("an impossible value is refused by the name of its option") {
  CHECK(message("ring", {{"ranks", "0"}}) == "--ranks: '0', expected 1 to 1000000");
  CHECK(message("ring", {{"ranks", "many"}}) == "--ranks: 'many', expected 1 to 1000000");
  CHECK(message("master-worker", {{"ranks", "1"}}) == "--ranks: '1', expected 2 to 1000000");
  CHECK(message("ring", {{"seed", "-1"}}) == "--seed: '-1' is not a whole number");
  CHECK(message("ring", {{"size", "8"}}).starts_with("--size: 8: column "));
  CHECK(message("ring", {{"compute", "fast"}}).starts_with("--compute: fast: column "));
  CHECK(message("ring", {{"imbalance", "2"}}) ==
        "--imbalance: '2', expected a share from 0 to 1\n  did you mean 2%? A share above 1 is written in "
        "per cent");
  CHECK(message("alltoall", {{"by", "hand"}}) == "--by: 'hand', expected collective or messages");
  CHECK(message("skampi", {{"operation", "MPI_Sned"}})
            .starts_with("kernel MPI_Sned: there is no such operation"));
  CHECK(message("alltoall", {{"ranks", "1000000"}, {"by", "messages"}}) ==
        "the workload would have 4.0e+13 operations, expected at most 2.0e+08\n  fewer ranks or iterations");
}

TEST_CASE("docs/how-to/generate.md describes every generator and every parameter") {
  std::ifstream file(BUSLINE_SOURCE_DIR "/docs/how-to/generate.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const auto& g : generators()) {
    CHECK_MESSAGE(text.find("| `" + std::string(g.name) + "` | " + std::string(g.description) + " |") !=
                      std::string::npos,
                  g.name);
    for (const auto& p : g.parameters)
      CHECK_MESSAGE(text.find("`--" + std::string(p.name) + "`") != std::string::npos, p.name);
  }
}
