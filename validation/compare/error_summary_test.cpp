#include "validation/compare/error_summary.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::compare;

namespace {

/// Real runs of 100 ms in the median; `spread` between the shortest and the longest.
RunComparison compared_run(double predicted_ms, double spread_ms = 0, std::uint64_t runs = 3) {
  RunComparison c;
  c.predicted = Duration::seconds(predicted_ms * 1e-3);
  c.measured = {Duration::seconds(0.1), Duration::seconds(0.1), Duration::seconds((100 + spread_ms) * 1e-3)};
  c.runs = runs;
  return c;
}

}  // namespace

TEST_CASE("a prediction that is too long has an error above 0") {
  CHECK(compared_run(103).error() == doctest::Approx(0.03));
  CHECK(compared_run(96).error() == doctest::Approx(-0.04));
}

TEST_CASE("median, 90th percentile and worst are of the errors' sizes") {
  // 1, 2, 3, 4, 10 %: the median is 3; place 0.9 x 4 = 3.6 lies 0.6 of the way from 4 to 10.
  const std::vector runs{compared_run(99), compared_run(102), compared_run(90), compared_run(97),
                         compared_run(104)};
  const auto s = summarise_errors(runs, judge(runs));
  REQUIRE(s);
  CHECK(s->median == doctest::Approx(0.03));
  CHECK(s->p90 == doctest::Approx(0.076));
  CHECK(s->worst == doctest::Approx(0.1));
  CHECK(s->worst_run == 2);
}

TEST_CASE("runs that scatter more than the limit are set apart, and so are replays that did not end") {
  std::vector runs{compared_run(100, 6), compared_run(120), compared_run(100, 4)};
  runs[1].status = Result::Status::deadlock;
  const auto judged = judge(runs);
  CHECK(judged.scattered == std::vector<std::size_t>{0});
  CHECK(judged.unpredicted == std::vector<std::size_t>{1});
  CHECK(judged.counted == std::vector<std::size_t>{2});
  CHECK(judge(runs, 0.1).counted.size() == 2);
}

TEST_CASE("a single run has no spread and counts") {
  const std::vector runs{compared_run(101, 50, 1)};
  CHECK_FALSE(runs[0].spread());
  CHECK(judge(runs).counted.size() == 1);
}

TEST_CASE("without a run that counts there are no figures") {
  const std::vector runs{compared_run(101, 50)};
  CHECK_FALSE(summarise_errors(runs, judge(runs)));
}
