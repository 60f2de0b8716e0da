#include "measuring/linktest/run_linktest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "measuring/linktest/read_linktest.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::linktest;

namespace {

// Two ranks a node. A repetition of a kernel takes 1 us within a node and 3 us between nodes on all ranks,
// and while other pairs are active 1 us more; from rank 3 to rank 0 it is ten times as long.
class KnownTestbed : public measure::Testbed {
 public:
  explicit KnownTestbed(std::uint32_t ranks) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      places_.push_back({"node" + std::to_string(rank / 2), rank / 2, static_cast<std::int32_t>(rank % 2)});
  }

  measure::TestbedKind kind() const override { return measure::TestbedKind::simulated; }
  const std::vector<measure::RankPlace>& placement() const override { return places_; }
  measure::MeasuredMachine machine() const override { return {}; }
  measure::MeasuringClock clock() const override { return {}; }
  Duration elapsed() const override { return elapsed_; }
  Expected<measure::KernelSamples> run(const Kernel& kernel, const measure::RunPlan& plan) override {
    runs.push_back(kernel);
    plans.push_back(plan);
    measure::KernelSamples samples;
    Duration longest;
    for (std::size_t i = 0; i < kernel.ranks.size(); ++i) {
      const auto first = kernel.ranks[i - i % 2];
      const auto second = kernel.ranks[std::min(i - i % 2 + 1, kernel.ranks.size() - 1)];
      const auto us = (first / 2 == second / 2 ? 1 : 3) + (kernel.ranks.size() > 2 ? 1 : 0);
      const auto length =
          Duration::picoseconds(us * 1'000'000) * kernel.messages * (first == 3 && second == 0 ? 10 : 1);
      samples.push_back({{Duration(), length}});
      longest = std::max(longest, length);
    }
    elapsed_ += longest;
    return samples;
  }

  std::vector<Kernel> runs;
  std::vector<measure::RunPlan> plans;

 private:
  std::vector<measure::RankPlace> places_;
  Duration elapsed_;
};

// Without retests.
RunOptions few_messages() {
  RunOptions options;
  options.message_bytes = 1000;
  options.messages = 4;
  options.warmup = 2;
  options.retests = 0;
  return options;
}

LinkTestResult whole_run(KnownTestbed& testbed, const RunOptions& options, const Progress& progress = {}) {
  auto result = run_linktest(testbed, options, progress);
  REQUIRE(result);
  return *std::move(result);
}

std::uint64_t measured_messages(const Iteration& i) {
  std::uint64_t n = 0;
  for (std::uint32_t a = 0; a < i.step.ranks(); ++a)
    for (std::uint32_t b = 0; b < i.step.ranks(); ++b) n += i.step(a, b) != 0;
  return n;
}

using RankList = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("all pairs of a step ping-pong at once, first in one direction and then in the other") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.retests = 2;
  const auto result = whole_run(testbed, options);
  REQUIRE(testbed.runs.size() == 3 * 2 + 2);
  CHECK(testbed.runs[0].operation == "MPI_Send-MPI_Recv");
  CHECK(testbed.runs[0].ranks == RankList{0, 3, 1, 2});
  CHECK(testbed.runs[1].ranks == RankList{3, 0, 2, 1});
  CHECK(testbed.runs[2].ranks == RankList{0, 2, 3, 1});
  CHECK(testbed.runs[4].ranks == RankList{0, 1, 2, 3});
  CHECK(testbed.runs[0].messages == 4);
  CHECK(testbed.runs[0].bytes == 1000);
  CHECK(testbed.plans[0].warmup == 2);
  CHECK(testbed.plans[0].samples == 1);

  REQUIRE(result.iterations.size() == 1);
  const auto& i = result.iterations[0];
  // A round trip between nodes takes 3 + 1 us: half of that is the time of a message.
  CHECK(i.seconds(0, 3) == doctest::Approx(2e-6));
  CHECK(i.seconds(3, 0) == doctest::Approx(20e-6));
  CHECK(i.seconds(0, 1) == doctest::Approx(1e-6));
  CHECK(i.step(0, 3) == 1);
  CHECK(i.step(1, 0) == 3);
  CHECK(i.summary.max == i.seconds(3, 0));
  CHECK(i.summary.min == i.seconds(0, 1));
  CHECK(i.start_time == "simulated 0.000000000 s");
  // The slowest again, alone: 1 us less a round trip.
  REQUIRE(i.retests.size() == 2);
  CHECK(i.retests[0] == Retest{3, 0, i.seconds(3, 0), i.retests[0].second});
  CHECK(i.retests[0].second == doctest::Approx(15e-6));
  CHECK(testbed.runs[6].ranks == RankList{3, 0});
  CHECK(i.retests[1].initiator == 0);
  CHECK(i.retests[1].responder == 2);

  CHECK(result.settings.mode == "simulation");
  CHECK(result.settings.messages == 4);
  CHECK(result.settings.warmup_messages == 2);
  CHECK(result.places[3] == Place{"node1", 1, {}});
}

TEST_CASE("the bidirectional kernel measures both directions in one run of twice as many exchanges") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.kernel = KernelKind::bidirectional;
  options.retests = 10;
  const auto result = whole_run(testbed, options);
  const auto& i = result.iterations[0];
  REQUIRE(testbed.runs.size() == 3 + 6);  // there are six pairs to be measured again
  CHECK(testbed.runs[0].operation == "exchange");
  CHECK(testbed.runs[0].messages == 8);
  CHECK(testbed.plans[0].warmup == 4);
  CHECK(i.seconds(0, 3) == doctest::Approx(4e-6));
  CHECK(i.seconds(3, 0) == doctest::Approx(4e-6));
  CHECK(i.retests.size() == 6);
  CHECK(result.settings.retests == 6);
}

TEST_CASE("the unidirectional kernel's time is that of one message of the stream") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.kernel = KernelKind::unidirectional;
  const auto result = whole_run(testbed, options);
  REQUIRE(testbed.runs.size() == 6);
  CHECK(testbed.runs[1].operation == "stream");
  CHECK(testbed.runs[1].ranks == RankList{3, 0, 2, 1});
  CHECK(result.iterations[0].seconds(0, 3) == doctest::Approx(4e-6));
}

TEST_CASE("a serial run measures one direction at a time, or one exchange") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.serial = true;
  auto result = whole_run(testbed, options);
  REQUIRE(testbed.runs.size() == 12);
  CHECK(testbed.runs[0].ranks == RankList{0, 3});
  CHECK(testbed.runs[1].ranks == RankList{1, 2});
  CHECK(testbed.runs[3].ranks == RankList{3, 0});
  CHECK(result.iterations[0].seconds(0, 3) == doctest::Approx(1.5e-6));
  CHECK(result.settings.flags[kSerial] == 1);
  testbed.runs.clear();
  options.kernel = KernelKind::bidirectional;
  result = whole_run(testbed, options);
  CHECK(testbed.runs.size() == 6);
  CHECK(measured_messages(result.iterations[0]) == 12);
}

TEST_CASE("a bisection measures each rank of one half with each rank of the other") {
  KnownTestbed testbed(8);
  auto options = few_messages();
  options.scope = Scope::bisection;
  const auto result = whole_run(testbed, options);
  CHECK(testbed.runs.size() == 4 * 2);
  CHECK(measured_messages(result.iterations[0]) == 2 * 4 * 4);
  CHECK(result.iterations[0].step(0, 3) == 0);
  CHECK(result.settings.bisection);
}

TEST_CASE("with an odd number of ranks one pauses in each step") {
  KnownTestbed testbed(5);
  const auto result = whole_run(testbed, few_messages());
  CHECK(testbed.runs.size() == 5 * 2);
  CHECK(testbed.runs[0].ranks.size() == 4);
  CHECK(measured_messages(result.iterations[0]) == 20);
}

TEST_CASE("an all-to-all of one byte goes before each step") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.all_to_all = true;
  const auto result = whole_run(testbed, options);
  REQUIRE(testbed.runs.size() == 3 * 3);
  for (std::size_t n = 0; n < 9; n += 3) {
    CHECK(testbed.runs[n].operation == "MPI_Alltoall");
    CHECK(testbed.runs[n].bytes == 1);
    CHECK(testbed.runs[n].ranks == RankList{0, 1, 2, 3});
  }
  // The testbed takes ranks 0, 1 and 2, 3 for pairs of neighbours: 2 us.
  const auto& i = result.iterations[0];
  REQUIRE(i.all_to_all.size() == 4);
  CHECK(i.all_to_all[3] == doctest::Approx(2e-6));
  CHECK(i.all_to_all_summary->min == doctest::Approx(2e-6));
  CHECK(i.all_to_all_summary->avg == doctest::Approx(2e-6));
}

TEST_CASE("each iteration has another order, and the seed decides which") {
  auto options = few_messages();
  options.order = OrderKind::shuffled;
  options.shuffled_steps = true;
  options.iterations = 3;
  options.seed = 7;
  KnownTestbed testbed(8), again(8), other(8);
  const auto result = whole_run(testbed, options);
  CHECK(result.iterations.size() == 3);
  CHECK(result.settings.shuffled_orders == 3);
  CHECK(result.settings.order_seed == 7);
  CHECK(result.iterations[0].step != result.iterations[1].step);
  CHECK(whole_run(again, options).iterations[2].step == result.iterations[2].step);
  options.seed = 8;
  CHECK(whole_run(other, options).iterations[0].step != result.iterations[0].step);
}

TEST_CASE("LinkTest 1.2's mixed order can be had") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.order = OrderKind::mixed;
  CHECK(whole_run(testbed, options).settings.mixed_order);
  CHECK(testbed.runs[0].ranks == RankList{3, 2, 1, 0});  // order 3 1 0 2
}

TEST_CASE("no two runs are the same repetition of the same measurement") {
  KnownTestbed testbed(4);
  auto options = few_messages();
  options.retests = 3;
  whole_run(testbed, options);
  std::set<std::uint64_t> repetitions;
  for (const auto& plan : testbed.plans) repetitions.insert(plan.first_repetition);
  CHECK(repetitions.size() == testbed.plans.size());
}

TEST_CASE("what was measured before a run was stopped is kept") {
  KnownTestbed testbed(6);
  auto options = few_messages();
  options.order = OrderKind::shuffled;
  options.iterations = 2;
  options.retests = 5;
  double last = -1;
  int asked = 0;
  const auto result = whole_run(testbed, options, [&](double share) {
    CHECK(share > last);
    CHECK(share <= 1);
    last = share;
    return ++asked <= 3;
  });
  CHECK(testbed.runs.size() == 3);
  REQUIRE(result.iterations.size() == 1);
  CHECK(measured_messages(result.iterations[0]) == 9);  // a whole step and half of the next
  CHECK(result.iterations[0].retests.empty());
  CHECK(result.iterations[0].summary.min > 0);
}

TEST_CASE("the result of a run is the same when it is written and read") {
  const TestFolder folder;
  auto options = few_messages();
  options.retests = 4;
  options.buffers = 3;
  options.random_buffers = true;
  options.buffer_seed = 11;
  options.all_to_all = true;
  for (const std::uint32_t ranks : {2U, 5U, 8U})
    for (const auto scope : {Scope::all_pairs, Scope::bisection}) {
      CAPTURE(ranks);
      CAPTURE(scope == Scope::bisection);
      options.scope = scope;
      KnownTestbed testbed(ranks);
      auto result = whole_run(testbed, options);
      const auto path = folder.new_file("run.sion");
      REQUIRE(write_version2(path, result));
      Diagnostics diagnostics;
      auto read = read_linktest(path, diagnostics);
      REQUIRE(read);
      CHECK(diagnostics.empty());
      read->iterations[0].access = result.iterations[0].access;
      CHECK(*read == result);
    }
}

TEST_CASE("nonsensical options are refused") {
  const auto message = [](std::uint32_t ranks, const RunOptions& options) {
    KnownTestbed testbed(ranks);
    const auto result = run_linktest(testbed, options);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == Error::Kind::bad_option);
    return result.error().message;
  };
  auto options = few_messages();
  CHECK(message(1, options) == "the job has 1 rank, expected 2 or more");
  options.messages = 0;
  CHECK(message(4, options) == "the number of messages is 0, expected 1 or more");
  options.messages = 0xffff'ffff;
  CHECK(message(4, options).starts_with("expected at most "));
  options = few_messages();
  options.iterations = 0;
  CHECK(message(4, options) == "the number of iterations is 0, expected 1 or more");
  options = few_messages();
  options.buffers = 0;
  CHECK(message(4, options) == "the number of buffers is 0, expected 1 or more");
  options = few_messages();
  options.iterations = 2;
  CHECK(message(4, options) == "all iterations would measure the same");
}
