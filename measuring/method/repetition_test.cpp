#include "measuring/method/repetition.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "measuring/method/test_vectors.hpp"
#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

// Feeds samples until it is told to stop. The time that passes is the sum of the samples.
struct Fed {
  std::optional<Stop> stop;
  Repeated outcome;
  std::size_t count = 0;
};

Fed feed(const RepetitionRules& rules, const std::vector<std::int64_t>& stream) {
  RepetitionControl control(rules);
  Fed fed;
  Duration elapsed;
  for (const auto sample : stream) {
    elapsed += ps(sample);
    fed.stop = control.add(ps(sample), elapsed);
    ++fed.count;
    if (!fed.stop) continue;
    fed.outcome = control.outcome();
    break;
  }
  CHECK(control.samples().size() == fed.count);
  return fed;
}

std::string name_of(Stop stop) {
  return stop == Stop::precision ? "standard_error" : stop == Stop::time_limit ? "time_limit" : "max_rep";
}

}  // namespace

TEST_CASE("ASEC stops after as many samples, and for the reason, that the vectors say") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "asec_stop")) {
    CAPTURE(v.dump());
    RepetitionRules rules;
    rules.precision = v.at("rel_standard_error").get<double>();
    rules.min_repetitions = v.at("min_rep").get<std::uint32_t>();
    rules.max_repetitions = v.at("max_rep").get<std::uint32_t>();
    if (!v.at("time_limit").is_null())
      rules.time_limit = Duration::from_double(v.at("time_limit").get<double>());
    const auto fed = feed(rules, v.at("stream").get<std::vector<std::int64_t>>());
    REQUIRE(fed.stop);
    CHECK(fed.count == v.at("n").get<std::size_t>());
    CHECK(name_of(*fed.stop) == v.at("stop").get<std::string>());
  }
}

TEST_CASE("equal samples stop at the minimum of repetitions, even if they are all 0") {
  for (const std::int64_t value : {0, 1, 1'000'000'000}) {
    const auto fed = feed({.precision = 0, .min_repetitions = 8}, std::vector<std::int64_t>(20, value));
    CHECK(fed.count == 8);
    CHECK(fed.outcome.settled);
    CHECK(fed.outcome.result == Estimate{static_cast<double>(value), 0});
  }
}

TEST_CASE("the largest number of repetitions is kept even if it is below the smallest") {
  const auto fed = feed({.min_repetitions = 10, .max_repetitions = 3}, {5, 5, 5, 5});
  CHECK(fed.count == 3);
  CHECK(fed.stop == Stop::max_repetitions);
  CHECK(fed.outcome.settled);
  CHECK_FALSE(feed({.min_repetitions = 1, .max_repetitions = 1}, {5}).outcome.settled);
}

TEST_CASE("a result that is not precise enough says so") {
  const auto fed = feed({.max_repetitions = 6}, {100, 300, 100, 300, 100, 300});
  CHECK(fed.stop == Stop::max_repetitions);
  CHECK_FALSE(fed.outcome.settled);
  CHECK(fed.outcome.summary.count == 6);
  CHECK(fed.outcome.count == 4);  // floor(0.25 * 6) = 1 is cut off at each end
  CHECK(fed.outcome.result.value == 200);
}

TEST_CASE("the time limit is exceeded only after it has passed") {
  RepetitionControl control({.precision = 0, .min_repetitions = 2, .time_limit = ps(100)});
  CHECK_FALSE(control.add(ps(1), ps(99)));
  CHECK_FALSE(control.add(ps(2), ps(100)));
  CHECK(control.add(ps(3), ps(101)) == Stop::time_limit);
}

TEST_CASE("the interval of the median stops where outliers keep the standard error from it") {
  // Each tenth sample is a time slice of 4 ms in 400 ns: the mean is hopeless, the median is 400 to 404 ns.
  std::vector<std::int64_t> stream;
  for (std::int64_t i = 0; i < 1000; ++i)
    stream.push_back(i % 10 == 2 ? 4'000'000'000 : 400'000 + i % 5 * 1000);
  RepetitionRules rules{
      .rule = StopRule::median_interval, .precision = kMedianInterval, .max_repetitions = 1000};
  const auto by_median = feed(rules, stream);
  CHECK(by_median.stop == Stop::precision);
  CHECK(by_median.count < 20);
  CHECK(by_median.outcome.summary.median == doctest::Approx(402'000).epsilon(0.005));
  rules.rule = StopRule::standard_error;
  CHECK(feed(rules, stream).stop == Stop::max_repetitions);
}

TEST_CASE("the interval of the median needs six samples, and then may have no width") {
  const RepetitionRules rules{.rule = StopRule::median_interval, .precision = 0, .min_repetitions = 1};
  CHECK(feed(rules, {7, 7, 7, 7, 7, 7, 7}).count == 6);
}

TEST_CASE("the rule of the median says the same as the interval of its sorted samples") {
  Scatter scatter(7);
  RepetitionControl control({.rule = StopRule::median_interval, .precision = 0.05, .max_repetitions = 300});
  std::vector<Duration> all;
  for (std::optional<Stop> stop; !stop;) {
    all.push_back(ps(static_cast<std::int64_t>(1000 + scatter.below(4000))));
    stop = control.add(all.back(), Duration());
    const auto s = summarise(all);
    const bool small =
        s.median_interval && s.median_interval->high - s.median_interval->low <= 0.1 * s.median;
    CHECK(control.settled() == small);
    CHECK(stop.has_value() == (small || all.size() == 300));
  }
}

TEST_CASE("never more than the largest number of repetitions, whatever the samples") {
  Scatter scatter(3);
  for (int trial = 0; trial < 300; ++trial) {
    RepetitionRules rules{.rule = trial % 2 == 0 ? StopRule::standard_error : StopRule::median_interval,
                          .precision = scatter.share() * 0.2,
                          .min_repetitions = static_cast<std::uint32_t>(scatter.below(12)),
                          .max_repetitions = static_cast<std::uint32_t>(1 + scatter.below(40))};
    std::vector<std::int64_t> stream(50);
    for (auto& x : stream)
      x = static_cast<std::int64_t>(scatter.below(std::uint64_t{1} << scatter.below(40)));
    const auto fed = feed(rules, stream);
    REQUIRE(fed.stop);
    CHECK(fed.count <= rules.max_repetitions);
    CHECK(fed.count >= std::min(rules.min_repetitions, rules.max_repetitions));
    CHECK(feed(rules, stream).outcome == fed.outcome);
  }
}

TEST_CASE("overhead is subtracted with its error, and not below 0") {
  CHECK(without_overhead({100, 3}, {20, 4}) == Estimate{80, 5});
  CHECK(without_overhead({100, 3}, {120, 4}) == Estimate{0, 5});
  CHECK(without_overhead({100, 3}, {}) == Estimate{100, 3});
}

TEST_CASE("rules that cannot be followed are refused") {
  CHECK(validate({}));
  CHECK(validate({.precision = 0, .cut_quantile = 0.49}));
  CHECK(to_string(validate({.precision = std::nan("")}).error()) ==
        "the precision is nan, expected 0 or more");
  CHECK(to_string(validate({.max_repetitions = 0}).error()) ==
        "the largest number of repetitions is 0, expected 1 to 10000000");
  CHECK(to_string(validate({.cut_quantile = 0.5}).error()) ==
        "the cut quantile is 0.5, expected 0 or more and less than 0.5");
}
