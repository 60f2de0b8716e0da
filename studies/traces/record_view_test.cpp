#include "studies/traces/record_view.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

using List = std::vector<std::int64_t>;

constexpr std::int64_t kMicrosecond = 1000, kSecond = 1'000'000'000;

List text(std::string_view t) {  // in test traces a text is a list of 1-byte numbers
  return {t.begin(), t.end()};
}

struct Shown {
  std::string heading;
  std::vector<std::string> lines;
  std::vector<nlohmann::ordered_json> objects;
};

Shown show(const TestRank& rank, const RecordLimits& limits = {}) {
  const auto bytes = rank.bytes();
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  REQUIRE(file.has_value());
  RecordView view(*file);
  Shown shown;
  shown.heading = view.heading();
  RecordReader reader(*file);
  while (const dumpi::Record* r = reader.next()) {
    view.follow(*r);
    shown.lines.push_back(view.line(*r, limits));
    shown.objects.push_back(view.json(*r));
  }
  REQUIRE_FALSE(reader.error());
  return shown;
}

// The call of the only record.
std::string call(const TestRank& rank, const RecordLimits& limits = {}) {
  const auto line = show(rank, limits).lines.at(0);
  return line.substr(line.find("MPI_"), line.size() - line.find("MPI_") - 1);
}

}  // namespace

TEST_CASE("a record is a line with number, thread, both clocks and the call, below its heading") {
  TestRank rank;
  rank.mask = 0x4f;
  rank.wall_bias = 100;
  rank.call("MPI_Isend", 5 * kSecond, 5 * kSecond + 3 * kMicrosecond / 2, {1, 14, 1, 7, 2, 3});
  const auto shown = show(rank);
  CHECK(shown.heading + shown.lines[0] ==
        " # record  thr    wall entry [s]     wall [us]     CPU entry [s]      CPU [us]  call\n"
        "        1    0     105.000000000         1.500       5.000000000         1.500  "
        "MPI_Isend(count=1, datatype=MPI_DOUBLE, dest=1, tag=7, comm=MPI_COMM_WORLD, request=3)\n");
}

TEST_CASE("columns fit a clock that counts from 1970") {
  TestRank rank;
  rank.wall_bias = 1'700'000'000;
  rank.call("MPI_Wtime", 0, {});
  const auto shown = show(rank);
  CHECK(shown.heading.find("wall entry [s]") + std::string("wall entry [s]").size() ==
        shown.lines[0].find("1700000000.000000000") + std::string("1700000000.000000000").size());
}

TEST_CASE("times continue after 18.2 hours, where the stored seconds wrap around") {
  TestRank rank;
  rank.wall_bias = 10;
  rank.call("MPI_Wtime", 65535 * kSecond, {}).call("MPI_Wtime", 65537 * kSecond, {});
  CHECK(show(rank).objects[1]["wall_entry_ns"] == 65547 * kSecond);
}

TEST_CASE("a record without times or thread says so") {
  TestRank rank;
  rank.mask = 0x00;
  rank.call("MPI_Wtime", 0, {});
  const auto shown = show(rank);
  CHECK(shown.lines[0] ==
        "        1    -                 -             -                 -             -  MPI_Wtime()\n");
  CHECK(shown.objects[0].dump() == R"({"record":1,"offset":16,"function":"MPI_Wtime","arguments":{}})");
}

TEST_CASE("numbers of the MPI library are shown with their meaning") {
  TestRank rank;
  rank.call("MPI_Irecv", 0, {1, 9, -1, -1, 2, 3});
  CHECK(call(rank) ==
        "MPI_Irecv(count=1, datatype=MPI_INT, source=MPI_ANY_SOURCE(-1), tag=MPI_ANY_TAG(-1), "
        "comm=MPI_COMM_WORLD, request=3)");
  const auto names = show(rank).objects[0]["names"];
  CHECK(names.dump() ==
        R"({"datatype":"MPI_INT","source":"MPI_ANY_SOURCE","tag":"MPI_ANY_TAG","comm":"MPI_COMM_WORLD"})");
}

TEST_CASE("statuses show what is unusual, and missing ones are shown as missing") {
  TestRank rank;
  rank.call("MPI_Wait", 0, {2, std::vector<TestStatus>{{80, 3, 7, true}}});
  CHECK(call(rank) == "MPI_Wait(request=2, status={bytes=80 source=3 tag=7 cancelled})");
  TestRank ignored;
  ignored.call("MPI_Wait", 0, {2, std::vector<TestStatus>{}});
  CHECK(call(ignored) == "MPI_Wait(request=2, status=none)");
  CHECK(show(ignored).objects[0]["arguments"]["status"].dump() == "[]");
  TestRank unrecorded;
  unrecorded.mask = 0x48;
  unrecorded.call("MPI_Wait", 0, {2});
  CHECK(call(unrecorded) == "MPI_Wait(request=2)");
  TestRank all;
  all.call("MPI_Waitall", 0, {2, List{2, 1}, std::vector<TestStatus>{{1, 2, 3}, {4, 5, 6}}});
  CHECK(call(all) ==
        "MPI_Waitall(count=2, requests=[2, MPI_REQUEST_NULL], "
        "statuses=[{bytes=1 source=2 tag=3}, {bytes=4 source=5 tag=6}])");
  CHECK(show(all).objects[0]["names"].dump() == R"({"requests":[null,"MPI_REQUEST_NULL"]})");
}

TEST_CASE("long lists and strings are truncated and counted, unless all are requested") {
  TestRank rank;
  rank.call("MPI_Startall", 0, {10, List{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}});
  CHECK(call(rank) == "MPI_Startall(count=10, requests=[2, 3, 4, 5, 6, 7, 8, 9, ... 10 in all])");
  CHECK(call(rank, RecordLimits::none()) ==
        "MPI_Startall(count=10, requests=[2, 3, 4, 5, 6, 7, 8, 9, 10, 11])");
  CHECK(show(rank).objects[0]["arguments"]["requests"].size() == 10);
  TestRank lists;
  lists.call("MPI_Group_range_incl", 0, {3, 2, std::vector<List>{{0, 4, 2}, {5}}, 4});
  CHECK(call(lists, {1, 60}) ==
        "MPI_Group_range_incl(group=3, count=2, ranges=[[0, ... 3 in all], ... 2 in all], newgroup=4)");
  TestRank long_text;
  long_text.call("MPI_Comm_set_name", 0, {2, text(std::string(100, 'x'))});
  CHECK(call(long_text, {8, 5}) == "MPI_Comm_set_name(comm=MPI_COMM_WORLD, name=\"xxxxx...\")");
}

TEST_CASE("texts out of a file cannot command the terminal or leave their quotes") {
  TestRank rank;
  rank.call("MPI_Comm_set_name", 0, {2, text("a\"b\\\n\x1b[2J\xff\xc2\x9b")});
  CHECK(call(rank) == R"(MPI_Comm_set_name(comm=MPI_COMM_WORLD, name="a\"b\\\n\x1b[2J\xff\xc2\x9b"))");
  CHECK(show(rank).objects[0]["arguments"]["name"] == "a\"b\\\n\x1b[2J\xff\u009b");
}

TEST_CASE("functions, annotations and counters have their labels") {
  TestRank rank;
  rank.labels = {{4096, "ANNOTATION: begin"}};
  rank.counter_labels = {"PAPI_TOT_CYC"};
  rank.mask = 0xcb;
  rank.counters = {1, 20, 3, 40};
  rank.call("Function_enter", 0, {4096}).call("Function_exit", 0, {4097});
  const auto shown = show(rank);
  CHECK(shown.lines[0].ends_with(
      "Function_enter(fn=4096 \"ANNOTATION: begin\") PAPI_TOT_CYC=1..20 counter 2=3..40\n"));
  CHECK(shown.lines[1].find("Function_exit(fn=4097)") != std::string::npos);
  CHECK(shown.objects[0]["label"] == "ANNOTATION: begin");
  CHECK(shown.objects[0]["counters"].dump() ==
        R"([{"name":"PAPI_TOT_CYC","entry":1,"exit":20},{"name":"counter 2","entry":3,"exit":40}])");
}
