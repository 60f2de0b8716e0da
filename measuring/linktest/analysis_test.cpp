#include "measuring/linktest/analysis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "measuring/linktest/read_linktest.hpp"
#include "measuring/linktest/test_result.hpp"

using namespace busline;
using namespace busline::linktest;

namespace {

const std::filesystem::path kReal =
    std::filesystem::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest/real_1.2p1";
constexpr const char* kRuns[] = {"np4_512k",      "np4_a2a",    "np4_default", "np4_z2",
                                 "np6_mix_small", "np6_serial", "np8_default"};

LinkTestResult real(const std::string& name) {
  Diagnostics diagnostics;
  auto result = read_linktest((kReal / (name + ".sion")).string(), diagnostics);
  REQUIRE(result);
  return std::move(*result);
}

// 1 us within a node, 2 us between nodes, for test_result's two ranks a node.
LinkTestResult even_result(std::uint32_t ranks) {
  auto r = test_result(ranks);
  auto& i = r.iterations[0];
  i.retests.clear();
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = 0; b < ranks; ++b)
      if (a != b) i.seconds(a, b) = a / 2 == b / 2 ? 1e-6 : 2e-6;
  return r;
}

Analysis analyse(const LinkTestResult& result) {
  return analyse(result, result.iterations[0]);
}

}  // namespace

TEST_CASE("the steps have the times that LinkTest printed") {
  // " Parallel PingPong for step     1:   avg=    71.428us (...) min=    31.888us (...) max=   131.412us ..."
  std::size_t checked = 0;
  for (const auto* name : kRuns) {
    CAPTURE(name);
    const auto a = analyse(real(name));
    std::ifstream in(kReal / (std::string(name) + ".stdout.txt"));
    std::size_t step = 0;
    for (std::string line; std::getline(in, line);) {
      const auto avg = line.find("avg="), min = line.find("min="), max = line.find("max=");
      if (avg == line.npos || min == line.npos || max == line.npos) continue;
      REQUIRE(step < a.steps.size());
      const auto& s = a.steps[step++];
      CHECK(s.step == step);
      CHECK(s.mean * 1e6 == doctest::Approx(std::stod(line.substr(avg + 4))).epsilon(1e-3));
      CHECK(s.min * 1e6 == doctest::Approx(std::stod(line.substr(min + 4))).epsilon(1e-3));
      CHECK(s.max * 1e6 == doctest::Approx(std::stod(line.substr(max + 4))).epsilon(1e-3));
      ++checked;
    }
  }
  CHECK(checked == 4 * 3 + 2 * 5 + 7);
}

TEST_CASE("the ranks have the bandwidths that LinkTest's analysis tool found") {
  // Number, host, average as initiator and as responder, least as initiator and as responder; 2^20 bytes/s.
  for (const auto* name : kRuns) {
    CAPTURE(name);
    const auto result = real(name);
    const auto a = analyse(result);
    std::ifstream in(kReal / "analysis" / (std::string(name) + ".nodelist.dat"));
    std::string line;
    std::getline(in, line);
    const auto check = [&](double found, double expected) {
      CHECK(bandwidth_of(result.settings, found).in_bytes_per_second() / 1048576 ==
            doctest::Approx(expected).epsilon(1e-9));
    };
    std::size_t rank = 0;
    for (; std::getline(in, line); ++rank) {
      std::istringstream words(line);
      std::string number, host;
      double from_avg = 0, to_avg = 0, from_min = 0, to_min = 0;
      words >> number >> host >> from_avg >> to_avg >> from_min >> to_min;
      check(a.ranks[rank].initiator.mean, from_avg);
      check(a.ranks[rank].responder.mean, to_avg);
      check(a.ranks[rank].initiator.max, from_min);
      check(a.ranks[rank].responder.max, to_min);
    }
    CHECK(rank == result.ranks());
  }
}

TEST_CASE("the slow pairs are those that LinkTest's analysis tool lists") {
  for (const auto* name : kRuns) {
    CAPTURE(name);
    const auto a = analyse(real(name));
    std::ifstream in(kReal / "analysis" / (std::string(name) + ".bad_links.dat"));
    std::string line;
    std::getline(in, line);
    std::size_t n = 0;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      std::uint32_t number = 0, from = 0, to = 0;
      double first = 0, first_bandwidth = 0, second = 0;
      words >> number >> from >> to >> first >> first_bandwidth >> second;
      if (from == to) continue;  // a slot that was not used
      REQUIRE(n < a.slow.size());
      CHECK(a.slow[n].initiator == from);
      CHECK(a.slow[n].responder == to);
      CHECK(a.slow[n].first == doctest::Approx(first).epsilon(1e-8));
      CHECK(*a.slow[n].second == doctest::Approx(second).epsilon(1e-8));
      ++n;
    }
    CHECK(n == a.slow.size());
  }
}

TEST_CASE("times within a node and between nodes are distinguished") {
  // 8 ranks on 4 nodes: 8 directed pairs within a node, 48 between.
  const auto a = analyse(even_result(8));
  CHECK(a.classes[0].count == 8);
  CHECK(a.classes[0].median == 1e-6);
  CHECK(a.classes[1].count == 48);
  CHECK(a.classes[1].mean == doctest::Approx(2e-6));
  CHECK(a.all.count == 56);
  CHECK(a.all.mean == doctest::Approx((8 * 1e-6 + 48 * 2e-6) / 56));
  CHECK(a.all.min == 1e-6);
  CHECK(a.all.max == 2e-6);
  CHECK(a.left_out == 0);
}

TEST_CASE("the histogram has every pair once, by bins of equal ratio") {
  const auto a = analyse(even_result(8));
  REQUIRE(a.histogram.bins.size() == 16);
  CHECK(a.histogram.bins.front().pairs[0] == 8);
  CHECK(a.histogram.bins.back().pairs[1] == 48);
  CHECK(a.histogram.bins.back().to == 2e-6);
  CHECK(a.histogram.bins[8].from == doctest::Approx(1e-6 * std::sqrt(2)));

  const auto random = analyse(test_result(16));
  std::uint64_t pairs = 0;
  for (const auto& bin : random.histogram.bins) pairs += bin.pairs[0] + bin.pairs[1];
  CHECK(pairs == 16 * 15);
}

TEST_CASE("the bisection bandwidth of a step is the sum over its pairs, each the mean of both directions") {
  // LinkTest 2 prints, for 4 pairs of 11.68455 us and 20.8943 GiB/s on average, 83.5783 GiB/s.
  auto r = even_result(4);
  auto& i = r.iterations[0];
  i.seconds(0, 3) = 1e-6;  // the first step has the pairs 0-3 and 1-2
  i.seconds(3, 0) = 4e-6;
  const auto per_pair = [](double seconds) { return 65536 / seconds; };
  const auto expected = (per_pair(1e-6) + per_pair(4e-6)) / 2 + per_pair(2e-6);
  CHECK(analyse(r).steps[0].bisection->in_bytes_per_second() == doctest::Approx(expected));
  i.step(3, 0) = 0;  // measured in one direction only
  CHECK(analyse(r).steps[0].bisection->in_bytes_per_second() ==
        doctest::Approx(per_pair(1e-6) + per_pair(2e-6)));
  r.settings.kernel = KernelKind::bidirectional;  // two messages at a time
  CHECK(analyse(r).steps[0].bisection->in_bytes_per_second() ==
        doctest::Approx(2 * (per_pair(1e-6) + per_pair(2e-6))));
  r.settings.flags[kSerial] = 1;  // one pair at a time
  CHECK_FALSE(analyse(r).steps[0].bisection);
}

TEST_CASE("a slow pair is reproducible if it is slow alone, too") {
  auto r = even_result(8);
  r.iterations[0].retests = {
      {0, 2, 5e-6, 4e-6}, {0, 4, 5e-6, 2.1e-6}, {0, 6, 2.1e-6, 9e-6}, {0, 1, 2e-6, 2e-6}};
  const auto a = analyse(r);
  REQUIRE(a.slow.size() == 4);
  CHECK(a.slow[0].verdict == Verdict::reproducible);
  CHECK(a.slow[1].verdict == Verdict::transient);
  CHECK(a.slow[2].verdict == Verdict::ordinary);      // 5 % above the median of 2 us
  CHECK(a.slow[3].verdict == Verdict::reproducible);  // within a node the median is 1 us
  CHECK(a.slow[3].kind == PairClass::within_node);
}

TEST_CASE("without retests the slowest pairs are named, the first of equal ones first") {
  auto r = even_result(8);
  r.iterations[0].seconds(7, 2) = 9e-6;
  const auto a = analyse(r);
  REQUIRE(a.slow.size() == 10);
  CHECK(a.slow[0].initiator == 7);
  CHECK(a.slow[0].verdict == Verdict::not_retested);
  CHECK(a.slow[1].initiator == 0);
  CHECK(a.slow[1].responder == 2);
  CHECK(a.slow[1].verdict == Verdict::ordinary);
  CHECK(a.ranks[7].initiator.slowest_partner == 2);
  CHECK(a.ranks[2].responder.slowest_partner == 7);
}

TEST_CASE("times that cannot be are left out") {
  auto r = even_result(4);
  r.iterations[0].seconds(0, 1) = std::nan("");
  r.iterations[0].seconds(1, 0) = -1;
  r.iterations[0].seconds(2, 3) = HUGE_VAL;
  r.iterations[0].seconds(3, 2) = 0;
  const auto a = analyse(r);
  CHECK(a.left_out == 4);
  CHECK(a.classes[0].count == 0);
  CHECK(a.all.count == 8);
  CHECK(a.histogram.bins.size() == 1);
  CHECK(a.steps.size() == 2);  // 0-1 and 2-3 were the third step
}

TEST_CASE("a run without any time has no figures") {
  auto r = test_result(2);
  r.iterations[0].seconds = PairMatrix<double>(2);
  const auto a = analyse(r);
  CHECK(a.left_out == 2);
  CHECK(a.all.count == 0);
  CHECK(a.histogram.bins.empty());
  CHECK(a.steps.empty());
  CHECK(a.slow.size() == 2);  // the file still lists the retests
}
