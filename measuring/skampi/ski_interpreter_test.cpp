#include "measuring/skampi/ski_interpreter.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "documents/fields/text_file.hpp"
#include "measuring/skampi/ski_suites.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;
using measure::Varies;

const std::string kSkiGolden = BUSLINE_SOURCE_DIR "/validation/golden/skampi/";

SkiMachine ski_machine(std::uint32_t ranks) {
  return {ranks, [] { return Expected<std::uint32_t>(3U); }};
}

Expected<std::vector<SkiMeasurement>> interpreted(std::string_view text, std::uint32_t ranks = 4) {
  const auto tokens = ski_tokens(text, "x.ski");
  if (!tokens) return tl::unexpected(tokens.error());
  const auto script = parse_ski(*tokens);
  if (!script) return tl::unexpected(script.error());
  Diagnostics diagnostics;
  return interpret_ski(*script, ski_machine(ranks), diagnostics);
}

std::vector<SkiMeasurement> measured(std::string_view text, std::uint32_t ranks = 4) {
  auto all = interpreted(text, ranks);
  if (!all) FAIL(to_string(all.error()));
  return *std::move(all);
}

// What is wrong with a block of these statements, which begin in line 2.
std::string statements_refused(std::string_view statements) {
  const auto all = interpreted(fmt::format("begin measurement \"A\"\n{}\nend measurement\n", statements));
  return all ? "it was read" : to_string(all.error());
}

// Bytes of each ping-pong in a loop.
std::vector<std::uint64_t> sizes(std::string_view loop) {
  std::vector<std::uint64_t> bytes;
  for (const auto& m : measured(fmt::format("begin measurement \"A\"\n for {} do\n measure comm2(0,1) : "
                                            "Pingpong_Send_Recv(n, MPI_CHAR, 0, 1)\n od\nend measurement",
                                            loop)))
    bytes.push_back(m.bytes);
  return bytes;
}

}  // namespace

TEST_CASE("SKaMPI's own scripts give the measurements of their results") {
  Diagnostics diagnostics;
  const auto lat = read_ski(kSkiGolden + "lat.ski", ski_machine(2), diagnostics);
  if (!lat) FAIL(to_string(lat.error()));
  REQUIRE(lat->size() == 4);
  CHECK((*lat)[3].bytes == 1048576);
  CHECK((*lat)[3].iterations == 100);
  CHECK((*lat)[3].operation->name == "MPI_Send-MPI_Recv");
  CHECK((*lat)[3].repetition.max_repetitions == 64);
  CHECK((*lat)[3].repetition.precision == 0.03);

  const auto collectives = read_ski(kSkiGolden + "short_coll.ski", ski_machine(4), diagnostics);
  if (!collectives) FAIL(to_string(collectives.error()));
  const auto suites = group_into_suites(*collectives);
  REQUIRE(suites.size() == 5);
  CHECK(suites[0].name == "MPI_Bcast-procs-short");
  CHECK(suites[0].varies == Varies::ranks);
  CHECK(suites[0].measurements.size() == 3);
  CHECK(suites[1].varies == Varies::bytes);
  CHECK(suites[1].measurements.size() == 11);
  CHECK(suites[3].measurements.back()->bytes == 1024);
  CHECK(suites[4].varies == Varies::ranks);
  const auto refined = read_ski(kSkiGolden + "auto.ski", ski_machine(2), diagnostics);
  REQUIRE(refined);
  REQUIRE(refined->size() == 15);
  CHECK(refined->front().refined->factor == 2);
}

TEST_CASE("a loop to ... runs as far as the buffers allow, as in SKaMPI 6's results") {
  // validation/golden/skampi/pt2pt_np2.sko, with 64 kB: two buffers end at 4096 elements, one buffer at 8192.
  const auto all = measured(R"(
set_skampi_buffer(64kb)
datatype = MPI_INT
comm_pt2pt = comm2_max_latency_with_root()
begin measurement "Pingpong_Send_Recv"
   for count = 1 to ... step *sqrt(2) do
      measure comm_pt2pt : Pingpong_Send_Recv(count, datatype, 0, 1)
   od
end measurement
begin measurement "Pingpong_Sendrecv_replace"
   for count = 1 to ... step *sqrt(2) do
      measure comm_pt2pt : Pingpong_Sendrecv_replace(count, datatype, 0, 0, 1)
   od
end measurement
)");
  const auto suites = group_into_suites(all);
  REQUIRE(suites.size() == 2);
  std::vector<double> counts;
  for (const auto* const m : suites[0].measurements) counts.push_back(m->variables.back().second);
  CHECK(counts == std::vector<double>{1,  2,   3,   4,   6,   8,   11,  16,   23,   32,   45,   64,
                                      91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096});
  CHECK(suites[1].measurements.back()->bytes == 32768);
  CHECK(suites[0].measurements[0]->kernel().ranks == std::vector<std::uint32_t>{0, 3});
}

TEST_CASE("loops count, multiply, round and go over lists") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(sizes("n = 1 to 4") == Sizes{1, 2, 3, 4});
  CHECK(sizes("n = 2 to 9 step 3") == Sizes{2, 5, 8});
  CHECK(sizes("n = 1 to 100 step *4") == Sizes{1, 4, 16, 64});
  CHECK(sizes("n = 1 to 40 step *2 multipleof 8") == Sizes{0, 8, 16, 32});
  CHECK(sizes("n in [7, 1kb, 2*3+4]") == Sizes{7, 1024, 10});
  CHECK(sizes("n in range(3, 5)") == Sizes{3, 4, 5});
  CHECK(sizes("n in squares(2, 20)") == Sizes{4, 9, 16});
  CHECK(sizes("n = 5 to 4").empty());
}

TEST_CASE("terms have the operators' usual order") {
  const auto value = [](std::string_view term) {
    return measured(fmt::format("x = {}\nbegin measurement \"A\"\nmeasure comm2(0,1) : Pingpong_Send_Recv(x, "
                                "MPI_BYTE, 0, 1)\nend measurement",
                                term))
        .at(0)
        .bytes;
  };
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("17 / 5 + 17 % 5") == 5);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("1 < 2 and not (2 >= 3) or 0") == 1);
  CHECK(value("-(-7)") == 7);
  CHECK(value("round(2.5) + floor(sqrt(17)) + min_int(4, 3)") == 10);
  CHECK(value("get_np() + last_proc() + get_comm_size(comm(2))") == 9);
}

TEST_CASE("conditions choose, roots come first, vectors are split") {
  const auto all = measured(R"(
begin measurement "A"
  for procs = 2 to get_np() do
    if procs == 3 then
      measure comm(procs) : Bcast(10, MPI_DOUBLE, 1)
    else
      measure comm(procs) : Reduce_scatter(30, MPI_INT, MPI_SUM, 0)
    fi
  od
end measurement
)");
  REQUIRE(all.size() == 3);
  CHECK(all[0].bytes == 60);
  CHECK(all[1].bytes == 80);
  CHECK(all[1].kernel().ranks == std::vector<std::uint32_t>{1, 2, 0});
  CHECK(all[2].bytes == 30);
  const auto suites = group_into_suites(all);
  REQUIRE(suites.size() == 2);
  CHECK(suites[0].name == "A MPI_Reduce_scatter");
  CHECK(suites[1].name == "A MPI_Bcast");
}

TEST_CASE("a derived datatype has the bytes of its elements, and none of its gaps") {
  for (const auto* const type : {"mpi_type_contiguous(3, MPI_INT)", "mpi_type_vector(1, 3, 8, MPI_INT)",
                                 "mpi_type_hvector(1, 3, 32, MPI_INT)"}) {
    CAPTURE(type);
    const auto all = measured(
        fmt::format("begin measurement \"A\"\n measure comm(2) : Bcast(2, {}, 0)\nend measurement", type));
    CHECK(all.at(0).bytes == 24);
  }
}

TEST_CASE("a suite is called by the outer loops that it is in") {
  const auto all = measured(R"(begin measurement "A"
 for root = 0 to 1 do for n = 1 to 2 do measure comm(2) : Bcast(n, MPI_CHAR, root) od od
end measurement)");
  const auto suites = group_into_suites(all);
  REQUIRE(suites.size() == 2);
  CHECK(suites[0].name == "A root=0");
  CHECK(suites[1].name == "A root=1");
}

TEST_CASE("errors of a script name line and construct") {
  CHECK(statements_refused("measure comm(9) : Barrier()") ==
        "x.ski:2: comm(): argument 1 is 9, expected 1 to 4");
  CHECK(statements_refused("measure comm(2) : Barier()") ==
        "x.ski:2: Barier(): no such operation exists, or it is not supported\n"
        "  did you mean Barrier()?");
  CHECK(statements_refused("measure comm(3) : Pingpong_Send_Recv(1, MPI_INT, 0, 1)") ==
        "x.ski:2: Pingpong_Send_Recv(): runs between 2 ranks, but the communicator has 3");
  CHECK(statements_refused("measure comm(2) : Bcast(4MB, MPI_INT, 0)") ==
        "x.ski:2: Bcast(): needs 16777216 bytes for messages, but has 2097152\n"
        "  it has half of what set_skampi_buffer() sets, because SKaMPI 5 walks through its buffer");
  CHECK(statements_refused("x = topology_graph(1)") ==
        "x.ski:2: topology_graph(): no such function exists, or it is not supported\n"
        "  docs/reference/skampi.md lists the functions");
  CHECK(statements_refused("x = coutn") == "x.ski:2: coutn does not exist");
  CHECK(statements_refused("x = {1, 2}") == "x.ski:2: a list in { } is not supported");
  CHECK(statements_refused("for n = 1 to 4 step *1 do od") ==
        "x.ski:2: a loop from 1 with 'step *1' never ends\n"
        "  steps go up: 'step *x' with x above 1 and a start above 0, 'step x' with x above 0");
  CHECK(statements_refused("\nfor n = 1 to 4 do\n") == "x.ski:5: expected a statement, found 'end'");
  CHECK(statements_refused("x = 1 +") == "x.ski:3: expected a value, found 'end'");
  CHECK(statements_refused("x = 1 / 0") == "x.ski:2: 1 / 0 is not a number");
  CHECK(statements_refused("x = 9223372036854775807 * 2") == "x.ski:2: 9223372036854775807 * 2 is too large");
  CHECK(statements_refused("for n = 1 to ... do x = n od").find("the script may never end") !=
        std::string::npos);
  CHECK(statements_refused("for n = 1 to 4 do n = 1 od") ==
        "x.ski:2: n is a loop variable and cannot be changed in the loop");
  const auto deep = std::string(300, '(');
  CHECK(statements_refused("x = " + deep) == "x.ski:2: more than 100 levels are nested here");
  std::string chain = "x = 1";
  for (int i = 0; i < 300; ++i) chain += "+1";
  CHECK(statements_refused(chain).find("levels are nested here") != std::string::npos);
  const auto outside = interpreted("for n = 1 to 2 do od");
  REQUIRE_FALSE(outside);
  CHECK(to_string(outside.error()) ==
        "x.ski:1: expected a statement, found 'for'\n"
        "  it belongs between 'begin measurement' and 'end measurement'");
  const auto nameless = interpreted("x = 1\n@include \"\"");
  REQUIRE_FALSE(nameless.has_value());
  CHECK(to_string(nameless.error()).find(":2: expected a file name after @include") != std::string::npos);
  const auto missing = interpreted("@include \"nowhere.inc\"");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().path == "nowhere.inc");
}
