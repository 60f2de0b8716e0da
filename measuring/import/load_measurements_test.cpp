#include "measuring/import/load_measurements.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "documents/fields/text_file.hpp"
#include "measuring/measurement/measurement_json.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

const std::string kGoldenMeasurements = BUSLINE_SOURCE_DIR "/validation/golden/";

// A file of this test's own, which goes when this does.
struct Written {
  Written(const std::string& name, const std::string& text)
      : path((std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))).string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { std::filesystem::remove(path); }

  std::string path;
};

const Suite* find_suite(const Measurement& m, std::string_view name) {
  const auto at =
      std::find_if(m.suites.begin(), m.suites.end(), [&](const Suite& s) { return s.name == name; });
  return at == m.suites.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("a set of real runs has ping-pongs of both classes, concurrent messages and collectives") {
  Diagnostics diagnostics;
  const auto loaded = load_measurements(
      kGoldenMeasurements + "real_runs/D_r50_l500_4x2_forced/calibration.json", diagnostics);
  REQUIRE(loaded.has_value());
  CHECK(diagnostics.empty());
  const auto& m = loaded->front();
  CHECK(m.machine.nodes == std::vector<std::string>{"h0", "h1", "h2", "h3"});
  const auto* inter = find_suite(m, "pingpong-inter");
  REQUIRE(inter != nullptr);
  CHECK(inter->ranks == std::vector<std::uint32_t>{0, 7});
  CHECK(inter->nodes == std::vector<std::uint32_t>{0, 3});
  CHECK(inter->time == TimeOf::half_round_trip);
  CHECK(inter->points.size() == 13);
  // The middle half of 691.8 735.2 744.0 691.5 746.3 699.6 661.5 705.0 687.2 744.3 us: 2 cut at each end.
  CHECK(inter->points.front().result_ps.value ==
        doctest::Approx((691.8 + 735.2 + 744.0 + 691.5 + 699.6 + 705.0) / 6 * 1e6));
  CHECK(inter->points.front().count == 6);
  const auto* intra = find_suite(m, "pingpong-intra");
  REQUIRE(intra != nullptr);
  CHECK(intra->route_class == RouteClass::intra_node);
  const auto* pairs = find_suite(m, "pairs-both-ways");
  REQUIRE(pairs != nullptr);
  CHECK(pairs->operation == "exchange");
  CHECK(pairs->ranks == std::vector<std::uint32_t>{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(pairs->points.size() == 4);
  const auto* fan = find_suite(m, "fan-out");
  REQUIRE(fan != nullptr);
  CHECK(fan->points.front().argument == 2);
  const auto* bcast = find_suite(m, "MPI_Bcast-length-4");
  REQUIRE(bcast != nullptr);
  CHECK(bcast->time == TimeOf::longest_call);
  CHECK(bcast->lead_in == LeadIn::verdict_and_barrier);
  CHECK(bcast->nodes == std::vector<std::uint32_t>{0, 0, 1, 1});
  const auto* barrier = find_suite(m, "MPI_Barrier-ranks");
  REQUIRE(barrier != nullptr);
  CHECK(barrier->points.size() == 3);
}

TEST_CASE("every set of real runs becomes a measurement document that reads back") {
  for (const auto& set : std::filesystem::directory_iterator(kGoldenMeasurements + "real_runs")) {
    if (!set.is_directory()) continue;
    Diagnostics diagnostics;
    const auto loaded = load_measurements((set.path() / "calibration.json").string(), diagnostics);
    REQUIRE(loaded.has_value());
    const auto& m = loaded->front();
    const auto again = parse_measurement(to_json_text(m), "again");
    REQUIRE_MESSAGE(again.has_value(), to_string(again.error()));
    CHECK(again->suites == m.suites);
    CHECK(m.suites.size() >= 20);
  }
}

TEST_CASE("our own documents, LinkTest and SKaMPI are distinguished by their contents") {
  Diagnostics diagnostics;
  const auto skampi =
      load_measurements(kGoldenMeasurements + "skampi/pt2pt_np2.sko", diagnostics, {.ranks_per_node = 2});
  REQUIRE(skampi.has_value());
  REQUIRE(!skampi->front().suites.empty());
  const Written document("imported_measurement", to_json_text(skampi->front()));
  const auto ours = load_measurements(document.path, diagnostics);
  REQUIRE_MESSAGE(ours.has_value(), to_string(ours.error()));
  CHECK(ours->front().suites == skampi->front().suites);

  for (const auto& file : std::filesystem::directory_iterator(kGoldenMeasurements + "linktest/real_1.2p1")) {
    if (file.path().extension() != ".sion") continue;
    const auto linktest = load_measurements(file.path().string(), diagnostics);
    REQUIRE_MESSAGE(linktest.has_value(), to_string(linktest.error()));
    CHECK(linktest->front().suites.front().pattern == Pattern::all_pairs);
    break;
  }
}

TEST_CASE("measurement files are recognised by their contents") {
  CHECK(holds_measurement(kGoldenMeasurements + "real_runs/D_r50_l500_4x2_forced/calibration.json"));
  CHECK(holds_measurement(kGoldenMeasurements + "skampi/pt2pt_np2.sko"));
  CHECK(holds_measurement(Written("osu_somewhere", "# OSU MPI Latency Test v5.6\n").path));
  CHECK(holds_measurement(Written("of_the_future", R"({"schema": "busline/measurement/9"})").path));
  for (const char* text :
       {"", "hello\n", "{", R"({"schema": "busline/run-set/1"})", R"({"schema": 1})", "[1]"})
    CHECK_FALSE(holds_measurement(Written("holds_none", text).path));
  CHECK_FALSE(holds_measurement("/no/such/file"));
  CHECK_FALSE(holds_measurement(kGoldenMeasurements));
  CHECK_FALSE(holds_measurement("/dev/null"));
}

TEST_CASE("a compressed measurement is read as the unpacked one") {
  const std::string packed = kGoldenMeasurements + "real_apps/S-2-default/calibration.json.xz";
  CHECK(holds_measurement(packed));
  Diagnostics diagnostics;
  const auto loaded = load_measurements(packed, diagnostics);
  REQUIRE(loaded.has_value());
  CHECK(loaded->front().machine.nodes == std::vector<std::string>{"h0", "h1"});
  const auto truncated = *read_text_file(packed);
  const Written damaged("busline-truncated-measurement", truncated.substr(0, truncated.size() / 2));
  CHECK_FALSE(holds_measurement(damaged.path));
  const auto refused = load_measurements(damaged.path, diagnostics);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == Error::Kind::bad_input);
}

TEST_CASE("the error for a file without measurements lists the known kinds") {
  Diagnostics diagnostics;
  const Written text("not_a_measurement", "hello\n");
  const auto none = load_measurements(text.path, diagnostics);
  REQUIRE_FALSE(none.has_value());
  CHECK(
      to_string(none.error()) ==
      text.path +
          ": contains no known kind of measurement\n  expected a measurement document, or results of "
          "LinkTest, SKaMPI, the OSU benchmarks, the Intel MPI Benchmarks or SimGrid's platform calibration");
  CHECK_FALSE(load_measurements("/no/such/file", diagnostics).has_value());
  const Written empty("no_results", "# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n");
  const auto nothing = load_measurements(empty.path, diagnostics);
  REQUIRE_FALSE(nothing.has_value());
  CHECK(to_string(nothing.error()).find("contains no results") != std::string::npos);
}

TEST_CASE("a damaged set of real runs names line and place") {
  const auto error = [](const std::string& results) {
    Diagnostics diagnostics;
    const Written file(
        "damaged_calibration",
        "{\"label\":\"x\",\"ranks\":2,\"hosts\":[\"h0\",\"h1\"],\"results\":[\n" + results + "]}");
    const auto loaded = load_measurements(file.path, diagnostics);
    REQUIRE_FALSE(loaded.has_value());
    return to_string(loaded.error()).substr(file.path.size());
  };
  CHECK(error(R"({"test":"bcast","n":3,"bytes":8,"samples_us":[1]})") ==
        ":2:21: /results/0/n: n is 3, expected at most 2");
  CHECK(error(R"({"test":"bcast","bytes":8,"samples_us":[1]})") ==
        ":2:1: /results/0: this test needs the member 'n'");
  CHECK(error(R"({"test":"bcast","n":2,"bytes":8,"samples_us":[]})") ==
        ":2:46: /results/0/samples_us: expected at least one sample");
  CHECK(error(R"({"test":"shout","n":2,"bytes":8,"samples_us":[1]})") ==
        ":2:9: /results/0/test: unknown test 'shout', expected pingpong, pairs_one, pairs_both, fan_out, "
        "fan_in or a "
        "collective");
  CHECK(error(R"({"test":"pingpong","a":0,"b":0,"bytes":8,"samples_us":[1]})") ==
        ":2:30: /results/0/b: a and b are the same rank");
  CHECK(error(R"({"test":"bcast","n":2,"bytes":8,"samples_us":[-1]})")
            .starts_with(":2:47: /results/0/samples_us/0"));
}
