#include "studies/study/study.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "studies/study/points.hpp"
#include "studies/study/value_name.hpp"

using namespace busline;
using Strings = std::vector<std::string>;

namespace {

std::string document(const std::string& axes, const std::string& more = "") {
  return "{\"schema\": \"busline/study/1\", \"name\": \"s\", \"platform\": \"p.json\", \"workload\": "
         "\"w.dim\",\n"
         " \"axes\": [" +
         axes + "]" + more + "}";
}

Study study(const std::string& axes, const std::string& more = "") {
  auto s = parse_study(document(axes, more), "s.json", "");
  REQUIRE_MESSAGE(s, to_string(s.error()));
  return *std::move(s);
}

std::string refusal(const std::string& axes, const std::string& more = "") {
  const auto s = parse_study(document(axes, more), "s.json", "");
  REQUIRE_FALSE(s);
  return to_string(s.error());
}

Strings names(const Axis& axis) {
  Strings all;
  for (const auto& v : axis.values) all.push_back(v.name);
  return all;
}

Strings point_names(const Study& s) {
  const auto points = busline::Points::of(s.axes, s.sampling);
  REQUIRE(points);
  Strings all;
  for (std::uint64_t i = 0; i < points->count(); ++i) {
    std::string text;
    for (const auto& v : points->at(i)) text.append(text.empty() ? "" : " ").append(v.name);
    all.push_back(text);
  }
  return all;
}

const std::string kBuses = R"({"set": "/platform/network/buses", "to": [1, 2, "unlimited"]})";
const std::string kModels = R"({"set": "/model", "to": ["dimemas", "ideal"]})";

}  // namespace

TEST_CASE("an axis of values has them as they were written") {
  const auto s = study(kBuses);
  CHECK(names(s.axes[0]) == Strings{"1", "2", "unlimited"});
  CHECK(s.axes[0].label == "network/buses");
  CHECK(s.axes[0].values[2].json == "\"unlimited\"");
}

TEST_CASE("values have distinguishable names: a quantity without quotes, the end of a long path") {
  CHECK(value_name(R"("10 Gbps")") == "10 Gbps");
  CHECK(value_name("[1,2]") == "[1,2]");
  CHECK(value_name(R"("runs/dumpi_ring")") == "runs/dumpi_ring");
  CHECK(value_name(R"("validation/golden/real_runs/P_r50_l500_8x1_forced/dumpi_ring")") ==
        ".../P_r50_l500_8x1_forced/dumpi_ring");
  CHECK(value_name('"' + std::string(60, 'x') + '"').size() == 43);
}

TEST_CASE("a range runs from end to end in equal steps or equal ratios") {
  const auto range = [](const std::string& members) {
    return names(study("{\"set\": \"/platform/network/x\", \"range\": {" + members + "}}").axes[0]);
  };
  CHECK(range(R"("from": 1, "to": 9, "points": 5)") == Strings{"1", "3", "5", "7", "9"});
  CHECK(range(R"("from": 1, "to": 64, "points": 4, "scale": "log")") == Strings{"1", "4", "16", "64"});
  // Whole numbers between whole ends: 1, 1.26, 1.59, 2 are 1, 1, 2, 2.
  CHECK(range(R"("from": 1, "to": 2, "points": 4, "scale": "log")") == Strings{"1", "2"});
  CHECK(range(R"("from": 0.0, "to": 1, "points": 3)") == Strings{"0.0", "0.5", "1"});
  CHECK(range(R"("from": "10 Gbps", "to": "1000 Gbps", "points": 3, "scale": "log")") ==
        Strings{"10 Gbps", "100 Gbps", "1000 Gbps"});
  CHECK(range(R"("from": "1us", "to": "1ms", "points": 4, "scale": "log")") ==
        Strings{"1us", "10 us", "100 us", "1ms"});
  CHECK(range(R"("from": "1KiB", "to": "3KiB", "points": 3)") == Strings{"1KiB", "2 KiB", "3KiB"});
}

TEST_CASE("the last axis of a product varies fastest") {
  CHECK(point_names(study(kBuses + "," + kModels)) ==
        Strings{"1 dimemas", "1 ideal", "2 dimemas", "2 ideal", "unlimited dimemas", "unlimited ideal"});
}

TEST_CASE("zipped axes go side by side, and an axis with one value is the same everywhere") {
  const auto two = std::string(R"({"set": "/platform/network/buses", "to": [1, 2]})");
  CHECK(point_names(study(two + "," + kModels + R"(,{"set": "/mapping", "to": ["fill"]})",
                          R"(, "combine": "zip")")) == Strings{"1 dimemas fill", "2 ideal fill"});
  CHECK(refusal(kBuses + "," + kModels, R"(, "combine": "zip")") ==
        "s.json:2:10: /axes: 'zip' needs axes of equal length: network/buses has 3 values, model has 2");
}

TEST_CASE("samples are the same for the same seed and others for another") {
  const auto axes =
      kBuses + R"(,{"set": "/platform/network/latency", "range": {"from": "0s", "to": "1s", "points": 2}})";
  const auto sampled = [&](const std::string& how, int seed) {
    return point_names(
        study(axes, R"(, "combine": ")" + how + R"(", "samples": 40, "seed": )" + std::to_string(seed)));
  };
  CHECK(sampled("random", 1) == sampled("random", 1));
  CHECK(sampled("random", 1) != sampled("random", 2));
  CHECK(sampled("latin", 1) == sampled("latin", 1));
  CHECK(sampled("latin", 1) != sampled("latin", 2));
}

TEST_CASE("a Latin hypercube has one point in each part of a range, and every value as often as others") {
  const auto s =
      study(R"({"set": "/platform/network/x", "range": {"from": 0.0, "to": 30.0, "points": 2}},)" + kBuses,
            R"(, "combine": "latin", "samples": 30, "seed": 7)");
  const auto points = busline::Points::of(s.axes, s.sampling);
  REQUIRE(points);
  std::set<int> parts;
  std::size_t unlimited = 0;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto values = points->at(i);
    parts.insert(static_cast<int>(std::stod(values[0].json)));
    if (values[1].name == "unlimited") ++unlimited;
  }
  CHECK(parts.size() == 30);
  CHECK(unlimited == 10);
}

TEST_CASE("more points than can be run are refused before they are listed") {
  std::string axes;
  for (const auto* name : {"a", "b", "c"})
    axes.append(axes.empty() ? "" : ",")
        .append(R"({"set": "/platform/)")
        .append(name)
        .append(R"(", "range": {"from": 1, "to": 10000, "points": 10000}})");
  CHECK(refusal(axes) ==
        "s.json:2:10: /axes: the axes give more than 100000000 points\n"
        "  take a sample of them with \"combine\": \"random\" or \"latin\"");
  Sampling none;
  none.kind = Sampling::Kind::random;
  CHECK(busline::Points::of({}, none).error().message == "0 samples, expected 1 to 100000000");
}

TEST_CASE("axes of the same member are distinguished by their numbers") {
  const auto s = study(kModels + "," + kBuses + "," + kModels);
  CHECK(s.axes[0].label == "model");
  CHECK(s.axes[2].label == "model #3");
}

TEST_CASE("an invalid study is refused with the place") {
  CHECK(refusal(R"({"set": "/network/buses", "to": [1]})") ==
        "s.json:2:19: /axes/0/set: expected a JSON pointer into /platform, /workload, /model or /mapping, "
        "such as "
        "\"/platform/network/buses\", found \"/network/buses\"");
  CHECK(refusal(R"({"set": "/model", "to": []})") == "s.json:2:35: /axes/0/to: expected at least one value");
  CHECK(refusal(R"({"set": "/model"})") == "s.json:2:11: /axes/0: expected either 'to' or 'range'");
  CHECK(refusal(R"({"set": "/platform/x", "range": {"from": "1us", "to": "1 MB", "points": 3}})") ==
        "s.json:2:43: /axes/0/range: \"1us\" and \"1 MB\" are not of the same kind");
  CHECK(refusal(R"({"set": "/platform/x", "range": {"from": 0, "to": 1, "points": 3, "scale": "log"}})") ==
        "s.json:2:43: /axes/0/range: the ends of a logarithmic range must be above 0");
  CHECK(refusal(R"({"patches": [{"name": "a", "merge": {"network": {}}}]})") ==
        "s.json:2:48: /axes/0/patches/0/merge/network: expected platform, workload, model or mapping here");
  CHECK(refusal(kModels, R"(, "seed": 3)").find("/seed: works only with \"combine\"") != std::string::npos);
}

TEST_CASE("options of the command line are a study, and errors name the option") {
  StudyOptions options;
  options.platform = "p.json";
  options.workload = R"({"generate": "halo", "ranks": 8})";
  options.sets = {"/network/latency=2us"};
  options.axes = {"/network/buses=1,2,unlimited", R"(/nodes/0/links=1,{"half_duplex": 1})",
                  "/model=dimemas,ideal", "/network/bandwidth=1 Gbps..100 Gbps:3:log"};
  const auto s = make_study(options);
  REQUIRE_MESSAGE(s, to_string(s.error()));
  CHECK(s->axes[0].pointer == "/platform/network/latency");
  CHECK_FALSE(s->axes[0].varies());
  CHECK(names(s->axes[1]) == Strings{"1", "2", "unlimited"});
  CHECK(names(s->axes[2]) == Strings{"1", R"({"half_duplex":1})"});
  CHECK(s->axes[3].pointer == "/model");
  CHECK(names(s->axes[4]) == Strings{"1 Gbps", "10 Gbps", "100 Gbps"});
  // The document says the same.
  CHECK(parse_study(s->document, "", "")->axes.size() == 5);

  const auto refused = [&](const std::string& axis) {
    options.axes = {axis};
    const auto study = make_study(options);
    REQUIRE_FALSE(study);
    CHECK(study.error().kind == Error::Kind::bad_option);
    return to_string(study.error());
  };
  CHECK(refused("network/buses=1") ==
        "--axis: 'network/buses=1': expected a JSON pointer, '=' and values\n"
        "  such as --axis /network/buses=1,2,4,unlimited or --axis /network/latency=1us..1ms:7:log");
  CHECK(refused("/network/buses=1,,2").find("a value is missing") != std::string::npos);
  CHECK(refused("/network/latency=1us..1GB/s:3") ==
        "--axis /network/latency: \"1us\" and \"1GB/s\" are not of the same kind");
}
