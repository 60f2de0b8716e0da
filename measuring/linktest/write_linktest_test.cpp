#include "measuring/linktest/write_linktest.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <numeric>

#include "measuring/linktest/read_linktest.hpp"
#include "measuring/linktest/test_result.hpp"
#include "measuring/sion/test_stream.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::linktest;
namespace fs = std::filesystem;

namespace {

LinkTestResult read_back(const std::string& path) {
  Diagnostics diagnostics;
  auto result = read_linktest(path, diagnostics);
  REQUIRE_MESSAGE(result, (result ? "" : to_string(result.error())));
  for (const auto& d : diagnostics) MESSAGE(d.message);
  CHECK(diagnostics.empty());
  return std::move(*result);
}

// Each rank's bytes, file by file.
void check_same_streams(const std::string& a, const std::string& b) {
  const auto one = sion::Container::open(a), other = sion::Container::open(b);
  REQUIRE((one && other));
  REQUIRE(one->ranks() == other->ranks());
  for (std::uint32_t rank = 0; rank < one->ranks(); ++rank)
    CHECK(sion::content_of(one->stream(rank)) == sion::content_of(other->stream(rank)));
}

}  // namespace

TEST_CASE("reading and rewriting a 2.1.16 file gives the same bytes") {
  const TestFolder scratch;
  const fs::path folder = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest/synthesised";
  for (const auto* name : {"n2_unidir", "n4_a2a_retest3", "n4_bigendian", "n4_plain",
                           "n6_a2a_retest2_perm3_blocks", "n6_multifile2"}) {
    CAPTURE(name);
    const auto golden = (folder / ("syn216_" + std::string(name) + ".sion")).string();
    const auto result = read_back(golden);
    sion::WriteOptions options;
    options.data_order = sion::Container::open(golden)->data_order();
    REQUIRE(write_version2(scratch.new_file("again.sion"), result, options));
    check_same_streams(golden, scratch.file("again.sion"));
  }
}

TEST_CASE("reading and rewriting a 1.2 file gives the same bytes") {
  const TestFolder scratch;
  const fs::path folder = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest/real_1.2p1";
  for (const auto* name :
       {"np4_512k", "np4_a2a", "np4_default", "np4_z2", "np6_mix_small", "np6_serial", "np8_default"}) {
    CAPTURE(name);
    const auto golden = (folder / (std::string(name) + ".sion")).string();
    REQUIRE(write_version1(scratch.new_file("again.sion"), read_back(golden)));
    check_same_streams(golden, scratch.file("again.sion"));
  }
}

TEST_CASE("every result is read back from a file of 2.1.16 as it was") {
  const TestFolder scratch;
  const auto path = scratch.file("r.sion");
  for (std::uint32_t ranks = 1; ranks <= 17; ++ranks)
    for (const auto scope : {Scope::all_pairs, Scope::bisection})
      for (std::uint32_t n = 0; n < 8; ++n) {
        CAPTURE(ranks);
        CAPTURE(n);
        auto result = test_result(ranks, scope);
        auto& s = result.settings;
        s.kernel = KernelKind{static_cast<std::uint8_t>(n % 3)};
        s.all_to_all = (n & 1U) != 0;
        s.buffers = 3;
        s.buffer_seed = 11;
        s.flags = {1, 0, 0, 1, 0, 1, 1, 0, 2};
        s.order_seed = 0xfedcba9876543210U;
        s.shuffled_orders = (n & 2U) != 0 ? 3 : 0;
        for (std::uint32_t more = 1; more < s.shuffled_orders; ++more)
          result.iterations.push_back(
              test_iteration(linktest::Schedule(shuffled_order(ranks, more), scope), more, more));
        for (auto& i : result.iterations) {
          if (ranks == 1) i.access = AccessPattern::unmapped;
          if (ranks % 2 == 1 && scope == Scope::all_pairs) i.access = AccessPattern::step_of_partner;
          if (!s.all_to_all) continue;
          i.all_to_all_summary = linktest::Summary{1e-5, 2e-5, 3e-5};
          i.all_to_all.assign(ranks, 2e-5);
        }
        sion::WriteOptions options;
        if ((n & 4U) != 0) options.data_order = sion::ByteOrder::big;
        options.files = 1 + n % std::min(ranks, 3U);
        for (std::uint32_t k = 0; k < 3; ++k) scratch.new_file(sion::file_name("r.sion", k));
        REQUIRE(write_version2(path, result, options));
        if (ranks == 1) {
          Diagnostics diagnostics;  // says that nobody met
          CHECK(read_linktest(path, diagnostics));
          CHECK(diagnostics.front().code == "unmapped");
        } else {
          CHECK(read_back(path) == result);
        }
      }
}

TEST_CASE("a result of version 2 keeps its times and steps in a file of 1.2") {
  const TestFolder scratch;
  for (std::uint32_t ranks = 2; ranks <= 17; ++ranks)
    for (const auto scope : {Scope::all_pairs, Scope::bisection}) {
      CAPTURE(ranks);
      auto result = test_result(ranks, scope);
      result.settings.all_to_all = ranks % 2 == 0;
      auto& i = result.iterations[0];
      if (result.settings.all_to_all) {
        i.all_to_all_summary = linktest::Summary{1e-5, 2e-5, 3e-5};
        i.all_to_all.assign(ranks, 2e-5);
      }
      sion::WriteOptions options;
      options.data_order = ranks % 3 == 0 ? sion::ByteOrder::big : sion::ByteOrder::little;
      REQUIRE(write_version1(scratch.new_file("r.sion"), result, 0, options));
      const auto found = read_back(scratch.file("r.sion"));
      CHECK(found.version == linktest::Version{1, 2, 1});
      CHECK(found.settings.message_bytes == result.settings.message_bytes);
      CHECK_FALSE(found.settings.warmup_messages);
      CHECK(found.iterations[0].seconds == i.seconds);
      CHECK(found.iterations[0].step == i.step);
      CHECK(found.iterations[0].retests == i.retests);
      CHECK(found.iterations[0].summary == i.summary);
      CHECK(found.places[ranks - 1].host == result.places[ranks - 1].host);
      CHECK(found.places[ranks - 1].coordinates ==
            std::vector<std::int32_t>{static_cast<std::int32_t>(ranks) - 1, 0, 0, 0});
      if (!result.settings.all_to_all) continue;
      CHECK(found.iterations[0].all_to_all[ranks] == 0);  // rank 1, before the first step
      CHECK(found.iterations[0].all_to_all[ranks + 1] == 2e-5);
    }
}

TEST_CASE("times whose pairs are not known are written as they were") {
  const TestFolder scratch;
  auto result = test_result(4);
  auto& i = result.iterations[0];
  i.access = AccessPattern::unmapped;
  i.unmapped.entries = 3;
  i.unmapped.access.assign(12, 77);
  i.unmapped.seconds.resize(12);
  std::iota(i.unmapped.seconds.begin(), i.unmapped.seconds.end(), 1.0);
  i.seconds = {};
  i.step = {};
  REQUIRE(write_version2(scratch.new_file("r.sion"), result));
  Diagnostics diagnostics;
  const auto found = read_linktest(scratch.file("r.sion"), diagnostics);
  REQUIRE(found);
  CHECK(*found == result);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message == "the access pattern of iteration 1 names neither partners nor steps");

  const auto refused = write_version1("r.sion", result);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "r.sion: access pattern: a LinkTest 1.2 file records the pair of ranks of each time, which is not "
        "known here\n  write a LinkTest 2.1 file instead");
}

TEST_CASE("numbers that a file of 1.2 cannot hold are refused") {
  auto result = test_result(2);
  result.settings.message_bytes = 1ULL << 31;
  const auto written = write_version1("r.sion", result);
  REQUIRE_FALSE(written);
  CHECK(written.error().kind == Error::Kind::unsupported);
  CHECK(to_string(written.error()) ==
        "r.sion: message size: 2147483648 does not fit into a LinkTest 1.2 file, which holds at most "
        "2147483647\n  write a LinkTest 2.1 file instead");
}

TEST_CASE("strings that are too long for a file are truncated") {
  const TestFolder scratch;
  auto result = test_result(2);
  result.places[0].host = std::string(5000, 'h');
  result.settings.git_hash = std::string(50, 'a');
  result.iterations[0].start_time = std::string(40, 't');
  REQUIRE(write_version2(scratch.new_file("r.sion"), result));
  const auto found = read_back(scratch.file("r.sion"));
  CHECK(found.places[0].host == std::string(4095, 'h'));
  CHECK(found.settings.git_hash == std::string(40, 'a'));
  CHECK(found.iterations[0].start_time == std::string(31, 't'));
  REQUIRE(write_version1(scratch.new_file("r.sion"), result));
  CHECK(read_back(scratch.file("r.sion")).places[0].host == std::string(255, 'h'));
}
