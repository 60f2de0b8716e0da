// What the DUMPI traces of validation/golden tell of themselves is what an independent reader found in them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workloads/dumpi/statistics/call_statistics.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

const fs::path kTracesToCount = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/dumpi/traces";

// See validation/golden/dumpi/README.md: one message of 1024 bytes that the independent reader counts as 12.
constexpr std::uint64_t kUncounted = 1024 - 12;

template <class Check>
void for_each_trace(const Check& check) {
  for (const auto& entry : fs::directory_iterator(kTracesToCount)) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path().filename().string());
    const auto summary = nlohmann::json::parse(std::ifstream(entry.path() / "summary.json"));
    std::vector<std::string> files;
    for (const auto& rank : summary.at("per_rank"))
      files.push_back((entry.path() / rank.at("file").get<std::string>()).string());
    Diagnostics diagnostics;
    const auto found = read_call_statistics(files, false, diagnostics);
    REQUIRE_MESSAGE(found.has_value(), to_string(found.error()));
    check(entry.path().filename().string(), summary, *found);
  }
}

}  // namespace

TEST_CASE("the calls of each function and the bytes of each rank are those of an independent reader") {
  for_each_trace([](const std::string& name, const nlohmann::json& summary, const CallStatistics& found) {
    std::map<std::string, std::uint64_t> counts;
    for (const auto& f : found.functions)
      if (f.calls > 0) counts[std::string(f.name)] = f.calls;
    CHECK(counts == summary.at("total_counts").get<std::map<std::string, std::uint64_t>>());
    const std::uint64_t difference = name == "types" ? kUncounted : 0;
    for (std::size_t r = 0; r < found.ranks.size(); ++r) {
      const auto& expected = summary.at("per_rank")[r];
      CHECK(found.ranks[r].bytes_sent == expected.at("p2p_bytes_sent").get<std::uint64_t>() + difference);
    }
  });
}

TEST_CASE("the time inside calls, the first and the last time are those of an independent reader") {
  for_each_trace([](const std::string&, const nlohmann::json& summary, const CallStatistics& found) {
    std::uint64_t inside = 0, expected = 0;
    for (const auto& f : found.functions) inside += f.wall_ns;
    if (found.ranks_with_wall == 0) return;
    for (std::size_t r = 0; r < found.ranks.size(); ++r) {
      const auto& rank = summary.at("per_rank")[r];
      expected += rank.at("ns_inside_mpi").get<std::uint64_t>();
      CHECK(found.ranks[r].first_ns == rank.at("first_wall_ns").get<std::int64_t>());
      CHECK(found.ranks[r].last_ns == rank.at("last_wall_ns").get<std::int64_t>());
    }
    CHECK(inside == expected);
  });
}

TEST_CASE("a rank receives what is sent to it, where the trace has all statuses") {
  const auto summed = [](const CallStatistics& s, auto member) {
    std::uint64_t sum = 0;
    for (const auto& r : s.ranks) sum += r.*member;
    return sum;
  };
  std::size_t complete = 0;
  for_each_trace([&](const std::string& name, const nlohmann::json&, const CallStatistics& found) {
    if (summed(found, &CallStatistics::Rank::receives_without_size) > 0 || name == "halo2d-cpu") return;
    ++complete;
    CHECK(summed(found, &CallStatistics::Rank::bytes_received) == found.bytes);
    CHECK(summed(found, &CallStatistics::Rank::messages_received) == found.messages);
  });
  CHECK(complete > 3);
}
