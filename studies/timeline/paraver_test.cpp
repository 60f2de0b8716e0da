#include <map>
#include <set>

#include "sim/base/text_parts.hpp"
#include "studies/timeline/paraver_codes.hpp"
#include "studies/timeline/test_timeline.hpp"
#include "workloads/paraver/test_trace.hpp"

using namespace busline;
using namespace busline::timeline;

namespace {

struct Prv {
  std::string header;
  std::vector<std::vector<std::int64_t>> records;
};

// The numbers of each line; a line that is none of the format is a failure.
Prv read(const std::string& text) {
  Prv prv;
  for (const auto line : split(text, '\n')) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      prv.header = line;
    } else if (line[0] != 'c') {
      auto& fields = prv.records.emplace_back();
      for (const auto field : split(line, ':')) {
        const auto n = whole_number<std::int64_t>(field);
        REQUIRE_MESSAGE(n, line);
        fields.push_back(*n);
      }
    }
  }
  return prv;
}

constexpr std::size_t kThreadField = 3, kTimeField = 5;

}  // namespace

TEST_CASE("a .prv file has its records by time, whole states for each task, and messages with four times") {
  const TestFolder folder;
  write_ring(folder.file("ring.prv"));
  const auto prv = read(folder.read("ring.prv"));
  // Rank 0 receives last in each round: sent at 13.5 us, 1.25 us on the way; 4 us for the collective.
  CHECK(prv.header == "#Paraver (01/01/1970 at 00:00):37500_ns:2(2,2):1:4(1:1,1:1,1:2,1:2),1");
  std::int64_t last = 0;
  std::map<std::int64_t, std::int64_t> ends;
  std::map<std::int64_t, std::int64_t> open;
  std::size_t messages = 0;
  for (const auto& r : prv.records) {
    CHECK(r[kTimeField] >= last);
    last = r[kTimeField];
    if (r[0] == 1) {
      REQUIRE(r.size() == 8);
      CHECK(r[kTimeField] == ends[r[kThreadField]]);
      ends[r[kThreadField]] = r[6];
    } else if (r[0] == 2 && r[6] == kPointToPoint.type) {
      // A call is over before the next one begins.
      CHECK((r[7] == 0) != (open[r[kThreadField]] == 0));
      open[r[kThreadField]] = r[7];
    } else if (r[0] == 3) {
      REQUIRE(r.size() == 15);
      ++messages;
      CHECK(r[6] == r[5] + 250);    // physical send
      CHECK(r[12] == r[6] + 1000);  // physical receive
      CHECK(r[11] >= r[12]);        // logical receive
      CHECK(r[13] == 4096);
      CHECK(r[14] == 3);
      CHECK(r[9] == r[3] % kRanks + 1);
    }
  }
  CHECK(messages == kRanks * kRounds);
  REQUIRE(ends.size() == kRanks);
  for (const auto& [thread, end] : ends) CHECK(end == 37500);
}

TEST_CASE("each state and call of a .prv file has a name in its .pcf, and each row one in its .row") {
  const TestFolder folder;
  write_ring(folder.file("ring.prv"));
  const auto pcf = folder.read("ring.pcf");
  for (const auto& r : read(folder.read("ring.prv")).records)
    if (r[0] == 1) CHECK(pcf.find("\n" + std::to_string(r[7]) + " ") != pcf.npos);
  for (const auto* line : {"10     MPI_Allreduce", "6    7    User event 7", "1      solve",
                           "messages in transfer", "13   Group Communication"})
    CHECK_MESSAGE(pcf.find(line) != pcf.npos, line);
  CHECK(folder.read("ring.row") ==
        "LEVEL CPU SIZE 4\n1.node 0\n2.node 0\n1.node 5\n2.node 5\n\nLEVEL NODE SIZE 2\nnode 0\nnode 5\n\n"
        "LEVEL THREAD SIZE 4\nrank 0\nrank 1\nrank 2\nrank 3\n");
}

TEST_CASE("a .prv file that we wrote is read as a workload with the same calls, sizes and computation") {
  const TestFolder folder;
  write_ring(folder.file("ring.prv"));
  const auto prv = folder.read("ring.prv"), pcf = folder.read("ring.pcf");
  const auto read = paraver::read_all({prv, pcf, {}});
  REQUIRE(read.program.ranks() == kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    // 10 us of computation and 1 us more for each rank before it.
    const auto round = "event7=1 c" + std::to_string(10'000 + 1000 * rank) +
                       " MPI_Send:send4096 MPI_Recv:recv4096 MPI_Allreduce:coll0/8/8 event7=0";
    CHECK(read.rank(rank) == round + " " + round);
  }
  REQUIRE(read.program.event_labels().size() == 2);
  CHECK(read.program.event_labels()[1].text == "solve");
  CHECK(read.program.traced_run_time() == Duration::picoseconds(37'500'000));
}

TEST_CASE("a timeline that needs no file for sorting is the same bytes as one that does") {
  const TestFolder folder;
  for (const auto* name : {"a.prv", "a.json", "a.paje"}) {
    write_ring(folder.file(name));
    const auto in_memory = folder.read(name);
    write_ring(folder.file(name), {}, 10);
    CHECK(folder.read(name) == in_memory);
  }
}

TEST_CASE("states have the numbers that Paraver's configurations know, and no two the same") {
  std::set<int> codes;
  for (std::size_t s = 0; s < kStates; ++s) codes.insert(paraver_state(static_cast<State>(s)).code);
  CHECK(codes.size() == kStates);
  CHECK(paraver_state(State::compute).code == 1);
  CHECK(paraver_state(State::in_receive).code == 3);
  CHECK(paraver_call("MPI_Sendrecv", 0).value == 41);
  CHECK(paraver_call("ours", 7).value == 1007);
}

TEST_CASE("a file name without a known format is refused with a list of formats") {
  CHECK(to_string(format_of("a.txt").error()) ==
        "a.txt: the name does not end in a timeline format\n"
        "  expected one of .prv (Paraver), .json (Perfetto), .otf2 (OTF2), .paje (Paje)");
  CHECK_FALSE(format_of(".prv"));
}

TEST_CASE("a timeline that cannot be written leaves nothing behind") {
  const TestFolder folder;
  const auto timeline = ring_timeline();
  for (const auto& format : formats()) {
    if (format.write == nullptr) continue;
    RecordSorter records(format.key, folder.path());
    Recorder recorder(kRanks, format.wanted, format.unit, {}, records);
    recorder.finish(record_ring(recorder));
    const auto path = folder.file("no/such").append(format.suffix);
    const auto done = format.write({timeline, records, recorder.begin(), recorder.end(), path, {}});
    REQUIRE_FALSE(done);
    CHECK(done.error().kind == Error::Kind::unreadable);
    CHECK(folder.files() == 0);
  }
}
