// Real results of LinkTest 1.2p1, and made ones of 2.1.16, against what an independent reader found in them.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "measuring/linktest/read_linktest.hpp"

using namespace busline;
using namespace busline::linktest;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kLinkTestGolden = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest";

json golden_of(fs::path sion) {
  std::ifstream in(sion.replace_extension(".golden.json"));
  return json::parse(in)["linktest"];
}

std::vector<fs::path> files_in(const char* folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(kLinkTestGolden / folder))
    if (entry.path().extension() == ".sion") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

// To the last bit: 0 and -0 differ, a NaN equals itself.
bool same(const json& expected, double found) {
  return std::bit_cast<std::uint64_t>(expected.get<double>()) == std::bit_cast<std::uint64_t>(found);
}

std::string text(const linktest::Version& v, char before_patch) {
  return std::to_string(v.major) + "." + std::to_string(v.minor) + before_patch + std::to_string(v.patch);
}

void check_matrices(const json& expected, const Iteration& found, std::uint32_t ranks) {
  REQUIRE(found.seconds.ranks() == ranks);
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = 0; b < ranks; ++b) {
      CHECK(same(expected["time"][a][b], found.seconds(a, b)));
      CHECK(expected["step"][a][b] == found.step(a, b));
    }
}

void check_retests(const json& expected, const std::vector<Retest>& found) {
  REQUIRE(expected.size() == found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(expected[i]["from"] == found[i].initiator);
    CHECK(expected[i]["to"] == found[i].responder);
    CHECK(same(expected[i]["first"], found[i].first));
    CHECK(same(expected[i]["second"], found[i].second));
  }
}

}  // namespace

TEST_CASE("results of LinkTest 1.2p1 are read bit for bit") {
  const auto files = files_in("real_1.2p1");
  CHECK(files.size() == 7);
  for (const auto& path : files) {
    CAPTURE(path.string());
    Diagnostics diagnostics;
    const auto result = read_linktest(path.string(), diagnostics);
    REQUIRE(result);
    CHECK(diagnostics.empty());
    const auto expected = golden_of(path);
    const auto n = result->ranks();
    REQUIRE(expected["ntasks"] == n);
    CHECK(expected["version"] == text(result->version, 'p'));
    const auto& s = result->settings;
    const auto& parameters = expected["parameters"];
    CHECK(parameters["number_of_messages"] == s.messages);
    CHECK(parameters["message_size"] == s.message_bytes);
    CHECK(parameters["all_to_all"] == int{s.all_to_all});
    CHECK(parameters["serial"] == s.flags[kSerial]);
    CHECK(parameters["mixed"] == int{s.mixed_order});
    CHECK(s.retests == n);
    REQUIRE(result->iterations.size() == 1);
    const auto& iteration = result->iterations[0];
    const auto& summary = expected["summary"];
    CHECK(same(summary["min"], iteration.summary.min));
    CHECK(same(summary["avg"], iteration.summary.avg));
    CHECK(same(summary["max"], iteration.summary.max));
    CHECK(iteration.all_to_all_summary.has_value() == s.all_to_all);
    if (iteration.all_to_all_summary) {
      CHECK(same(summary["a2a_min"], iteration.all_to_all_summary->min));
      CHECK(same(summary["a2a_avg"], iteration.all_to_all_summary->avg));
      CHECK(same(summary["a2a_max"], iteration.all_to_all_summary->max));
    }
    check_matrices(expected["iterations"][0], iteration, n);
    check_retests(expected["retests"], iteration.retests);
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      const auto& r = expected["ranks"][rank];
      CHECK(r["location"] == result->places[rank].host);
      CHECK(r["mapping"] == json(result->places[rank].coordinates));
      for (std::uint32_t step = 0; s.all_to_all && step < n; ++step)
        CHECK(same(r["a2a_by_step"][step], iteration.all_to_all[rank * n + step]));
    }
  }
}

TEST_CASE("results of LinkTest 2.1.16 are read bit for bit") {
  const auto files = files_in("synthesised");
  CHECK(files.size() == 10);
  for (const auto& path : files) {
    if (path.filename().string().starts_with("syn217")) continue;
    CAPTURE(path.string());
    Diagnostics diagnostics;
    const auto result = read_linktest(path.string(), diagnostics);
    REQUIRE(result);
    for (const auto& d : diagnostics) MESSAGE(d.message);
    CHECK(diagnostics.empty());
    const auto expected = golden_of(path);
    const auto n = result->ranks();
    REQUIRE(expected["ntasks"] == n);
    CHECK(expected["version"] == text(result->version, '.'));
    const auto& s = result->settings;
    const auto& parameters = expected["parameters"];
    CHECK(parameters["mode"] == s.mode);
    CHECK(parameters["git_hash"] == s.git_hash);
    CHECK(parameters["all_to_all"] == int{s.all_to_all});
    CHECK(parameters["bidirectional"] == int{s.kernel == KernelKind::bidirectional});
    CHECK(parameters["unidirectional"] == int{s.kernel == KernelKind::unidirectional});
    CHECK(parameters["bisection"] == int{s.bisection});
    CHECK(parameters["flag_bytes_66_to_74"] == json(s.flags));
    CHECK(parameters["number_of_messages"] == s.messages);
    CHECK(parameters["message_size"] == s.message_bytes);
    CHECK(parameters["number_of_warmup_messages"] == *s.warmup_messages);
    CHECK(parameters["collectpnum"] == s.collect_number);
    CHECK(parameters["number_of_serial_retests"] == s.retests);
    CHECK(parameters["number_of_buffers"] == s.buffers);
    CHECK(parameters["buffer_seed"] == s.buffer_seed);
    CHECK(parameters["number_of_randomized_tasks"] == s.shuffled_orders);
    CHECK(parameters["task_seed"] == s.order_seed);
    REQUIRE(expected["permutations"] == result->iterations.size());
    for (std::size_t k = 0; k < result->iterations.size(); ++k) {
      const auto& iteration = result->iterations[k];
      const bool partners = expected["iterations"][k]["access_semantics"] == "partner_of_step";
      CHECK(partners == (iteration.access == AccessPattern::partner_of_step));
      check_matrices(expected["iterations"][k], iteration, n);
      const auto& of_rank_0 = expected["ranks"][0]["records"][k];
      CHECK(of_rank_0["start_time"] == iteration.start_time);
      CHECK(of_rank_0["end_time"] == iteration.end_time);
      CHECK(same(of_rank_0["min"], iteration.summary.min));
      CHECK(same(of_rank_0["avg"], iteration.summary.avg));
      CHECK(same(of_rank_0["max"], iteration.summary.max));
      check_retests(of_rank_0["retests"], iteration.retests);
      CHECK(iteration.all_to_all_summary.has_value() == s.all_to_all);
      if (!iteration.all_to_all_summary) continue;
      CHECK(same(of_rank_0["a2a_min"], iteration.all_to_all_summary->min));
      CHECK(same(of_rank_0["a2a_avg"], iteration.all_to_all_summary->avg));
      CHECK(same(of_rank_0["a2a_max"], iteration.all_to_all_summary->max));
      for (std::uint32_t rank = 0; rank < n; ++rank)
        CHECK(same(expected["ranks"][rank]["records"][k]["a2a"], iteration.all_to_all[rank]));
    }
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      CHECK(expected["ranks"][rank]["hostname"] == result->places[rank].host);
      CHECK(expected["ranks"][rank]["core"] == result->places[rank].core);
    }
  }
}

TEST_CASE("each damaged file gives an error that says where and what") {
  // One text for all: what is reported of each file, in the order of their names.
  std::string told;
  for (const auto& path : files_in("malformed")) {
    Diagnostics diagnostics;
    const auto result = read_linktest(path.string(), diagnostics);
    std::string lines = result ? path.string() + ": can be read" : to_string(result.error());
    for (const auto& d : diagnostics) lines += "\n  " + d.code + ": " + d.message;
    const auto folder = path.parent_path().string() + "/";
    for (auto at = lines.find(folder); at != lines.npos; at = lines.find(folder))
      lines.erase(at, folder.size());
    told += lines + "\n";
  }
  std::ifstream in(kLinkTestGolden / "malformed/messages.txt");
  const std::string expected{std::istreambuf_iterator<char>(in), {}};
  CHECK(told == expected);
}

TEST_CASE("a result of LinkTest 2.1.17 is refused by name") {
  Diagnostics diagnostics;
  const auto path = (kLinkTestGolden / "synthesised/syn217_n4_tag_LinkTest.sion").string();
  const auto result = read_linktest(path, diagnostics);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == Error::Kind::unsupported);
  CHECK(to_string(result.error()) ==
        path +
            ":+4096: rank 0, tag: is LinkTest 2.1.17, expected 2.1.16 or older\n"
            "  the layout of newer files is not published; use LinkTest's own tools to read them");
}
