#include "measuring/method/refinement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "measuring/method/test_vectors.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

using Arguments = std::vector<std::uint64_t>;
using Curve = std::function<double(std::uint64_t)>;

Scale scale_of(const std::string& name) {
  const std::vector<std::string> names{"Fixed_linear", "Fixed_log", "Dynamic_linear", "Dynamic_log"};
  return static_cast<Scale>(std::find(names.begin(), names.end(), name) - names.begin());
}

ArgumentRange range_of(const nlohmann::json& v) {
  return {scale_of(v.at("scale")), v.at("start"), v.at("end"), v.at("stepwidth"),
          v.value("multiple_of", std::uint64_t{1})};
}

Refinement refine(const ArgumentRange& range, const RefinementLimits& limits, const Curve& curve) {
  auto refinement = Refinement::create(range, limits);
  if (!refinement) FAIL(to_string(refinement.error()));
  while (const auto argument = refinement->next(Duration())) refinement->add(curve(*argument));
  return *std::move(refinement);
}

Arguments refined(const Refinement& r) {
  Arguments at;
  for (const auto& step : r.steps())
    if (step.refined) at.push_back(step.point.argument);
  return at;
}

double rising(std::uint64_t m) {
  return 10 + 0.01 * static_cast<double>(m);
}

// The functions that the vectors name in words.
Curve curve_of(const std::string& run) {
  if (run == "line") return rising;
  if (run == "two")
    return [](std::uint64_t m) { return rising(m) + (m >= 300 ? 30 : 0) + (m >= 20000 ? 200 : 0); };
  if (run == "linjump") return [](std::uint64_t m) { return m < 100 ? 10.0 : 40.0; };
  return [](std::uint64_t m) { return rising(m) + (m >= 1024 ? 50 : 0); };
}

std::string range_refusal(const ArgumentRange& range, const RefinementLimits& limits = {}) {
  const auto r = Refinement::create(range, limits);
  return r ? "" : to_string(r.error());
}

}  // namespace

TEST_CASE("the grids of all scales have the arguments of the vectors") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "initial_grid")) {
    CAPTURE(v.dump());
    CHECK(initial_grid(range_of(v)) == v.at("args").get<Arguments>());
  }
}

TEST_CASE("grids of narrow ranges have their ends") {
  CHECK(initial_grid({Scale::fixed_log, 0, 0}) == Arguments{0});
  CHECK(initial_grid({Scale::fixed_log, 0, 1}) == Arguments{0, 1});
  CHECK(initial_grid({Scale::fixed_log, 7, 7}) == Arguments{7});
  CHECK(initial_grid({Scale::fixed_linear, 7, 8, 100}) == Arguments{7, 8});
  CHECK(initial_grid({Scale::fixed_linear, 0, 100, 49.8, 8}) == Arguments{0, 48, 96});
}

TEST_CASE("grids ascend without repeats, within the range except for rounding to multiples") {
  Scatter scatter(5);
  for (int trial = 0; trial < 2000; ++trial) {
    ArgumentRange r;
    r.scale = static_cast<Scale>(scatter.below(4));
    r.start = scatter.below(std::uint64_t{1} << scatter.below(30));
    r.end = r.start + scatter.below(std::uint64_t{1} << scatter.below(30));
    r.multiple_of = 1 + scatter.below(100);
    r.step = is_log(r.scale) ? 1.01 + scatter.share()
                             : (static_cast<double>(r.end - r.start) + 1) * (0.001 + scatter.share());
    CAPTURE(trial);
    const auto grid = initial_grid(r);
    REQUIRE(grid);
    REQUIRE_FALSE(grid->empty());
    CHECK(std::adjacent_find(grid->begin(), grid->end(), std::greater_equal<>()) == grid->end());
    CHECK(grid->back() == r.end / r.multiple_of * r.multiple_of);
    CHECK(grid->front() + r.multiple_of / 2 >= std::min(r.start, grid->back()));
    CHECK(std::all_of(grid->begin(), grid->end(), [&](auto m) { return m % r.multiple_of == 0; }));
  }
}

TEST_CASE("ranges and limits that cannot be followed are refused") {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(range_refusal({Scale::fixed_log, 2, 1}) ==
        "the range is 2 to 1, expected an end at or after the start and at most 9007199254740992");
  CHECK(range_refusal({Scale::fixed_log, 1, 8, 1}) ==
        "the step of a logarithmic scale is 1, expected more than 1");
  CHECK(range_refusal({Scale::fixed_linear, 1, 8, nan}) ==
        "the step of a linear scale is nan, expected more than 0");
  CHECK(range_refusal({Scale::fixed_linear, 0, 8, 1, 0}) ==
        "arguments must be multiples of 0, expected 1 to 9007199254740992");
  CHECK(range_refusal({Scale::fixed_linear, 0, kLargestArgument, 1}) ==
        "0 to 9007199254740992 in steps of 1 gives more than 1000000 arguments");
  CHECK(range_refusal({Scale::dynamic_log, 1, 2, 1 + 1e-15}) ==
        "1 to 2 in steps of 1.000000000000001 gives more than 1000000 arguments");
  CHECK(range_refusal({Scale::dynamic_log, 1, 8}, {.max_steps = 0}) ==
        "at most 0 measurements are allowed, expected 1 or more");
  CHECK(range_refusal({Scale::dynamic_log, 1, 8}, {.precision = nan}) ==
        "the precision is nan, expected 0 or more");
}

TEST_CASE("the keys of segments are those of equation 3.5") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "key_3_5")) {
    CAPTURE(v.dump());
    const auto point = [&](const char* name) -> std::optional<measure::CurvePoint> {
      if (v.at(name).is_null()) return std::nullopt;
      return measure::CurvePoint{v.at(name)[0], v.at(name)[1]};
    };
    CHECK(segment_key(point("a"), *point("b"), *point("c"), point("d")) ==
          doctest::Approx(v.at("K").get<double>()).epsilon(1e-14));
  }
  // Two points alone: only the distance is left. Results of 0 divide by 1.
  CHECK(segment_key({}, {2, 5}, {3, 9}, {}) == 0.5);
  CHECK(segment_key(measure::CurvePoint{1, 0}, {2, 0}, {4, 0.25}, measure::CurvePoint{8, 1.25}) == 0.25);
}

TEST_CASE("refinement follows the vectors step by step") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "apr_runs")) {
    const auto name = v.at("name").get<std::string>();
    CAPTURE(name);
    const RefinementLimits limits{v.at("max_steps"), v.at("min_dist"), v.at("epsilon"), {}};
    const auto r = refine(range_of(v), limits, curve_of(name));
    Arguments grid;
    std::vector<Refinement::Step> further;
    for (const auto& step : r.steps())
      if (step.refined)
        further.push_back(step);
      else
        grid.push_back(step.point.argument);
    CHECK(grid == v.at("initial").get<Arguments>());
    REQUIRE(further.size() == v.at("refinement").size());
    for (std::size_t i = 0; i < further.size(); ++i) {
      const auto& expected = v.at("refinement")[i];
      CHECK(further[i].point.argument == expected.at("at").get<std::uint64_t>());
      CHECK(further[i].refined->low == expected.at("segment")[0].get<std::uint64_t>());
      CHECK(further[i].refined->high == expected.at("segment")[1].get<std::uint64_t>());
      CHECK(further[i].refined->key == doctest::Approx(expected.at("K").get<double>()).epsilon(1e-12));
    }
    const auto points = v.at("points").get<std::vector<std::pair<std::uint64_t, double>>>();
    const auto curve = r.curve();
    REQUIRE(curve.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(curve[i].argument == points[i].first);
      CHECK(curve[i].result == doctest::Approx(points[i].second));
    }
  }
}

TEST_CASE("a refinement says why it ended") {
  using End = Refinement::End;
  const ArgumentRange range{Scale::dynamic_log, 1, 65536, 2};
  const auto jump = curve_of("jump");
  CHECK(refine(range, {.max_steps = 40, .precision = 0.01}, rising).end() == End::precision);
  CHECK(refine(range, {.max_steps = 20, .precision = 0.01}, jump).end() == End::max_steps);
  CHECK(refine(range, {.max_steps = 40, .min_distance = 40'000, .precision = 0}, jump).end() ==
        End::distance);
  auto fixed = range;
  fixed.scale = Scale::fixed_log;
  CHECK(refine(fixed, {.max_steps = 3}, jump).end() == End::grid);
  CHECK(refine(fixed, {.max_steps = 3}, jump).steps().size() == 17);
}

TEST_CASE("no measurement is started after the time limit") {
  for (const auto scale : {Scale::fixed_log, Scale::dynamic_log}) {
    auto r =
        Refinement::create({scale, 1, 65536, 2}, {.max_steps = 40, .time_limit = Duration::picoseconds(500)});
    REQUIRE(r);
    Duration elapsed;
    while (const auto m = r->next(elapsed)) {
      CHECK(elapsed <= Duration::picoseconds(500));
      elapsed += Duration::picoseconds(100);
      r->add(rising(*m));
    }
    CHECK(r->end() == Refinement::End::time_limit);
    CHECK(r->steps().size() == 6);
  }
}

TEST_CASE("a grid that is longer than allowed is thinned, not cut off") {
  // The example of the manual: 0 to 4 MiB in steps of sqrt 2 are 45 arguments.
  const ArgumentRange range{Scale::dynamic_log, 0, 4194304};
  CHECK(initial_grid(range)->size() == 45);
  const auto r = refine(range, {.max_steps = 16}, rising);
  CHECK(r.steps().size() == 16);
  CHECK(r.end() == Refinement::End::max_steps);
  CHECK(r.curve().front().argument == 0);
  CHECK(r.curve().back().argument == 4194304);
  CHECK(refine(range, {.max_steps = 1}, rising).curve().front().argument == 0);
}

TEST_CASE("next asks for the same argument until its result is there") {
  auto r = Refinement::create({Scale::fixed_linear, 1, 3, 1}, {});
  CHECK(r->next(Duration()) == 1);
  CHECK(r->next(Duration()) == 1);
  r->add(5);
  CHECK(r->next(Duration()) == 2);
}

TEST_CASE("a refinement keeps its budget, its range and its distances on any curve") {
  Scatter scatter(11);
  for (int trial = 0; trial < 400; ++trial) {
    ArgumentRange range;
    range.scale = trial % 2 == 0 ? Scale::dynamic_log : Scale::dynamic_linear;
    range.start = scatter.below(1000);
    range.end = range.start + 1 + scatter.below(1'000'000);
    range.multiple_of = 1 + scatter.below(8);
    range.step = is_log(range.scale) ? 2 : 1 + static_cast<double>(range.end - range.start) / 10;
    RefinementLimits limits;
    limits.max_steps = static_cast<std::uint32_t>(1 + scatter.below(60));
    limits.min_distance = scatter.below(64);
    limits.precision = 0.1 * scatter.share();
    const auto jump = scatter.below(1'000'000);
    const auto noise = scatter();
    const Curve curve = [&](std::uint64_t m) {
      Scatter here(noise ^ m);  // the same at the same argument
      return rising(m) + (m > jump ? 1e4 : 0) + (trial % 3 == 0 ? 10 * here.share() : 0);
    };
    CAPTURE(trial);
    const auto r = refine(range, limits, curve);
    CHECK(r.steps().size() <= limits.max_steps);
    const auto points = r.curve();
    CHECK(points.size() == r.steps().size());  // no argument twice
    for (const auto& step : r.steps()) {
      CHECK(step.point.argument <= range.end);
      CHECK(step.point.argument % range.multiple_of == 0);
      if (!step.refined) continue;
      CHECK(step.refined->key >= limits.precision);
      CHECK(step.point.argument - step.refined->low >= limits.min_distance);
      CHECK(step.refined->high - step.point.argument >= limits.min_distance);
    }
    CHECK(refine(range, limits, curve).steps() == r.steps());
  }
}

TEST_CASE("refinement closes in on a jump as its cost says") {
  // A grid of 32 over 1024, halved down to 1: 32 + 2 * 5 = 42 for two jumps, one of which is here.
  for (const std::uint64_t jump : {100U, 512U, 700U, 1000U}) {
    const auto r =
        refine({Scale::dynamic_linear, 0, 1024, 32}, {.max_steps = 100, .min_distance = 1, .precision = 1e-6},
               [&](std::uint64_t m) { return m < jump ? 10.0 : 40.0; });
    CAPTURE(jump);
    const auto found = refined(r);
    CHECK(found.size() <= 5);
    const auto curve = r.curve();
    const auto above = std::find_if(curve.begin(), curve.end(), [](const auto& p) { return p.result > 10; });
    CHECK(above->argument - std::prev(above)->argument <= 2);
  }
}
