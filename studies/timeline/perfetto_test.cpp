#include <map>
#include <nlohmann/json.hpp>

#include "studies/timeline/test_timeline.hpp"

using namespace busline;
using namespace busline::timeline;

TEST_CASE("slices of a track in a Perfetto file nest, and follow one another without a gap in a call") {
  const TestFolder folder;
  write_ring(folder.file("ring.json"));
  const auto document = nlohmann::json::parse(folder.read("ring.json"));
  CHECK(document["otherData"]["title"] == "ring \"on\" machine");
  std::map<int, std::vector<std::string>> open;  // by thread
  std::map<int, double> last;
  std::map<std::string, std::size_t> phases;
  std::map<int, std::pair<int, double>> arrows;
  for (const auto& e : document["traceEvents"]) {
    const auto phase = e["ph"].get<std::string>();
    ++phases[phase];
    CHECK(e["pid"] > 0);
    if (phase != "B" && phase != "E" && phase != "i" && phase != "s" && phase != "f") continue;
    const int thread = e["tid"];
    const double at = e["ts"];
    CHECK(at >= last[thread]);
    last[thread] = at;
    if (phase == "B") open[thread].push_back(e["name"]);
    if (phase == "E") {
      REQUIRE_FALSE(open[thread].empty());
      open[thread].pop_back();
    }
    // An arrow begins and ends while a call is open, so that it sits on its slice.
    if (phase == "s" || phase == "f") {
      REQUIRE(open[thread].size() == 1);
      CHECK(open[thread].front() == (phase == "s" ? "MPI_Send" : "MPI_Recv"));
      if (phase == "f") CHECK(e["args"]["bytes"] == 4096);
    }
  }
  for (const auto& [thread, slices] : open) CHECK(slices.empty());
  CHECK(phases["B"] == phases["E"]);
  CHECK(phases["s"] == kRanks * kRounds);
  CHECK(phases["f"] == kRanks * kRounds);
  CHECK(phases["C"] == kRounds);
}

TEST_CASE("times in a Perfetto file are exact to the picosecond") {
  const TestFolder folder;
  write_ring(folder.file("ring.json"), {10'200'001, 10'700'003});
  const auto text = folder.read("ring.json");
  CHECK(text.find("\"ts\":10.200001,") != text.npos);
  CHECK(text.find("\"ts\":10.700003}") != text.npos);
}
