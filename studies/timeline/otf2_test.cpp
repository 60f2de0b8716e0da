#ifdef BUSLINE_HAS_OTF2
#include <map>

#include "sim/base/text_parts.hpp"
#include "studies/timeline/test_timeline.hpp"
#include "workloads/otf2/test_reading.hpp"

using namespace busline;
using namespace busline::timeline;

TEST_CASE("an OTF2 archive takes the place of an earlier one, and leaves other folders alone") {
  const TestFolder folder;
  write_ring(folder.file("traces.otf2"));
  write_ring(folder.file("traces.otf2"));
  CHECK(folder.files() == 3);  // traces.otf2, traces.def, traces
  CHECK(std::filesystem::exists(folder.file("traces/0.evt")));

  std::filesystem::create_directory(folder.file("other"));
  std::ofstream(folder.file("other/thesis.tex")) << "x";
  const auto format = format_of(folder.file("other.otf2"));
  const auto timeline = ring_timeline();
  RecordSorter records((*format)->key, folder.path());
  Recorder recorder(kRanks, (*format)->wanted, 1, {}, records);
  recorder.finish(record_ring(recorder));
  const auto done =
      (*format)->write({timeline, records, recorder.begin(), recorder.end(), folder.file("other.otf2"), {}});
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "this folder contains files that are not part of an OTF2 archive");
  CHECK(folder.read("other/thesis.tex") == "x");
  CHECK(folder.files() == 4);
}

TEST_CASE("otf2-print reads an OTF2 archive, where it is installed, and finds every event") {
  const TestFolder folder;
  write_ring(folder.file("traces.otf2"));
  if (output_of("command -v otf2-print").empty()) return;
  const auto events = output_of("otf2-print " + folder.file("traces.otf2"));
  std::map<std::string, std::size_t> kinds;
  std::uint64_t last = 0;
  for (const auto line : split(events, '\n')) {
    std::vector<std::string_view> words;
    for (const auto w : split(line, ' '))
      if (!w.empty()) words.push_back(w);
    if (words.size() < 3) continue;
    const auto at = whole_number<std::uint64_t>(words[2]);
    if (!at) continue;
    ++kinds[std::string(words[0])];
    CHECK(*at >= last);
    last = *at;
  }
  CHECK_MESSAGE(kinds["ENTER"] == kinds["LEAVE"], events);
  CHECK(kinds["MPI_SEND"] == kRanks * kRounds);
  CHECK(kinds["MPI_RECV"] == kRanks * kRounds);
  CHECK(kinds["MPI_COLLECTIVE_BEGIN"] == kRanks * kRounds);
  CHECK(kinds["MPI_COLLECTIVE_END"] == kRanks * kRounds);
  CHECK(last == 37'500'000);  // picoseconds
  const auto checked = output_of("otf2-print -G " + folder.file("traces.otf2"));
  CHECK(checked.find("MPI_COMM_WORLD") != checked.npos);
  CHECK_MESSAGE(checked.find("warning") == checked.npos, checked);
}

TEST_CASE("an OTF2 archive is a workload with the run's messages, collectives and computation") {
  const TestFolder folder;
  write_ring(folder.file("traces.otf2"));
  Diagnostics told;
  const auto program = read_otf2(folder.file("traces.otf2"), told);
  REQUIRE_MESSAGE(program.has_value(), to_string(program.error()));
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    otf2::Lines expected;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      expected.push_back("compute " + std::to_string((10 + rank) * 1'000'000));
      expected.push_back("MPI_Send: send " + std::to_string((rank + 1) % kRanks) + ":3 4096");
      expected.push_back("MPI_Recv: recv " + std::to_string((rank + kRanks - 1) % kRanks) + ":3 4096");
      expected.emplace_back("MPI_Allreduce: 8/8 on 0");
    }
    CHECK(otf2::lines_of(*program, rank) == expected);
  }
  CHECK(program->traced_run_time() == Duration::picoseconds(37'500'000));
  CHECK(told.empty());
}
#endif
