// What Dimemas 5.5.0 predicts (validation/golden/dimemas), or what is right where it is wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/dimemas_case.hpp"

using namespace busline;

namespace {

const std::string kDimemasGolden = BUSLINE_SOURCE_DIR "/validation/golden/dimemas";
constexpr double kTolerance = 1e-8;  // of the run time

nlohmann::json read_json(const std::string& name) {
  std::ifstream in(kDimemasGolden + "/" + name);
  REQUIRE_MESSAGE(in, kDimemasGolden << "/" << name);
  return nlohmann::json::parse(in);
}

const nlohmann::json& expected_cases() {
  static const auto cases = read_json("expected.json");
  return cases;
}
const nlohmann::json& differences() {
  static const auto cases = read_json("differences.json");
  return cases;
}

// The figure that is furthest from what is expected.
struct Deviation {
  double relative = 0;
  std::string text;

  void compare(const std::string& what, Duration got, double expected_ns, double run_time_ns) {
    const auto got_ns = static_cast<double>(got.count()) * 1e-3;
    const auto off = std::abs(got_ns - expected_ns) / std::max(run_time_ns, 1.0);
    if (off <= relative) return;
    relative = off;
    text = fmt::format("{}: {:.3f} ns, expected {:.3f} ns ({:+.3g} of the run time)", what, got_ns,
                       expected_ns, (got_ns - expected_ns) / std::max(run_time_ns, 1.0));
  }
};

void check_case(const std::string& name) {
  const auto& dimemas = expected_cases().at(name);
  const auto& right = differences().contains(name) ? differences().at(name) : dimemas;
  Diagnostics diagnostics;
  const auto result = run_dimemas_case(kDimemasGolden + "/cases/" + name,
                                       dimemas.at("options").get<std::vector<std::string>>(), diagnostics);
  if (!result) {
    FAIL_CHECK(name << ": " << to_string(result.error()));
    return;
  }
  const auto run_time = right.at("run_time_ns").get<double>();
  CHECK_MESSAGE(result->status == Result::Status::complete, name);
  REQUIRE_MESSAGE(result->ranks.size() == right.at("end_ns").size(), name);
  Deviation d;
  d.compare("run time", result->run_time.since_start(), run_time, run_time);
  for (std::size_t r = 0; r < result->ranks.size(); ++r) {
    const auto& rank = result->ranks[r];
    d.compare(fmt::format("end of rank {}", r), rank.end.since_start(), right.at("end_ns").at(r), run_time);
    d.compare(fmt::format("compute of rank {}", r), rank.times.compute, right.at("compute_ns").at(r),
              run_time);
  }
  CHECK_MESSAGE(d.relative <= kTolerance, name << ": " << d.text);
}

// Prefixes of the cases' names, by what the cases are about.
const std::vector<std::string> kPointToPoint{"pt2pt_"};
const std::vector<std::string> kNetwork{"net_"};
const std::vector<std::string> kMemory{"mem_"};
const std::vector<std::string> kCpus{"cpu_", "map_", "sched_"};
const std::vector<std::string> kCollectives{"coll_", "collmodel_", "collsize_"};
const std::vector<std::string> kReduces{"reduce_"};
const std::vector<std::string> kNonBlocking{"nbcoll_"};
const std::vector<std::string> kWan{"wan_"};
const std::vector<std::string> kEvents{"mod_", "noop_"};
const std::vector<std::string> kOptions{"opt_"};
const std::vector<std::string> kRandom{"fuzz_"};
const std::vector<std::vector<std::string>> kGroups{kPointToPoint, kNetwork, kMemory,      kCpus,
                                                    kCollectives,  kReduces, kNonBlocking, kWan,
                                                    kEvents,       kOptions, kRandom};

void check_group(const std::vector<std::string>& prefixes) {
  for (const auto& [name, values] : expected_cases().items())
    if (std::any_of(prefixes.begin(), prefixes.end(),
                    [&n = name](const auto& p) { return n.starts_with(p); }))
      check_case(name);
}

}  // namespace

TEST_CASE("messages between two ranks take as long as in Dimemas, in every mode") {
  check_group(kPointToPoint);
}
TEST_CASE("messages that compete for links and buses take as long as in Dimemas") {
  check_group(kNetwork);
}
TEST_CASE("messages inside a node take as long as in Dimemas") {
  check_group(kMemory);
}
TEST_CASE("shared CPUs and mappings give the same results as Dimemas") {
  check_group(kCpus);
}
TEST_CASE("collectives take as long as in Dimemas, by model, size rule and communicator") {
  check_group(kCollectives);
}
TEST_CASE("Reduces synchronised at the root take as long as in Dimemas") {
  check_group(kReduces);
}
TEST_CASE("non-blocking collectives take as long as in Dimemas") {
  check_group(kNonBlocking);
}
TEST_CASE("several machines, flight times and dedicated connections give the same results as Dimemas") {
  check_group(kWan);
}
TEST_CASE("events and modules act as in Dimemas, except for its order of nested modules") {
  check_group(kEvents);
}
TEST_CASE("Dimemas's options act as in Dimemas") {
  check_group(kOptions);
}
TEST_CASE("random programs on random platforms take as long as in Dimemas") {
  check_group(kRandom);
}

TEST_CASE("every golden case is in a group, and at most 6 of 238 differ from Dimemas") {
  std::size_t cases_of_dimemas = 0;
  for (const auto& item : expected_cases().items()) {
    const auto& name = item.key();
    const auto in = [&name](const std::vector<std::string>& prefixes) {
      return std::any_of(prefixes.begin(), prefixes.end(),
                         [&](const auto& p) { return name.starts_with(p); });
    };
    CHECK_MESSAGE(std::count_if(kGroups.begin(), kGroups.end(), in) == 1, name);
    if (!item.value().contains("twin_of")) ++cases_of_dimemas;
  }
  CHECK(cases_of_dimemas == 238);
  CHECK(differences().size() <= 6);
  for (const auto& item : differences().items())
    CHECK_MESSAGE(expected_cases().contains(item.key()), item.key());
}
