#include "studies/traces/trace_header_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

template <class Check>
void with_file(const TestRank& rank, const Check& check) {
  const auto bytes = rank.bytes();
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  REQUIRE(file.has_value());
  check(*file);
}

TestRank annotated_rank() {
  TestRank rank;
  rank.wall_bias = 1520;
  rank.type_sizes[9] = 4;
  rank.type_sizes.push_back(80);
  rank.labels = {{4096, "ANNOTATION: a\x1b[2J"}};
  rank.counter_labels = {"PAPI_TOT_CYC", "PAPI_L2_DCM"};
  rank.key_values = {{"site", "here"}};
  rank.mesh_coordinates = {0, 1, 0};
  rank.mesh_size = {4, 2, 2};
  rank.call("MPI_Wtime", 0, {}).call("MPI_Wtime", 0, {}).ignore("MPI_Barrier", 5);
  return rank;
}

}  // namespace

TEST_CASE("the header and footer are shown, with only the calls that were made") {
  with_file(annotated_rank(), [](const TraceFile& file) {
    const auto text = header_text(file, false);
    CHECK(text.starts_with(R"(a.bin: DUMPI file of one rank, version 13.0.0

started              2023-11-14 22:13:20 UTC
host                 h
user                 u
mesh                 place 0, 1, 0 of 4, 2, 2
clocks begin at      1520 s wall, 0 s CPU
counters             PAPI_TOT_CYC, PAPI_L2_DCM
key values           site=here
)"));
    CHECK(text.find("  function     called  not recorded\n"
                    "  MPI_Barrier       5             5\n"
                    "  MPI_Wtime         2             0\n") != std::string::npos);
    CHECK(text.find("  MPI_INT                  9      4\n") != std::string::npos);
    CHECK(text.find("  -                       28     80\n") != std::string::npos);
    CHECK(text.find("  ANNOTATION: a\\x1b[2J  4096\n") != std::string::npos);
  });
}

TEST_CASE("long tables are truncated unless all rows are requested") {
  auto rank = annotated_rank();
  rank.type_sizes.resize(100, 8);
  with_file(rank, [](const TraceFile& file) {
    CHECK(header_text(file, false).find("  40 of 100 datatypes; --full shows all\n") != std::string::npos);
    CHECK(header_text(file, true).find("  -                       99      8\n") != std::string::npos);
  });
}

TEST_CASE("only the first of many labels are shown") {
  auto rank = annotated_rank();
  for (std::int32_t key = 4097; key < 4137; ++key) rank.labels.push_back({key, "ANNOTATION"});
  with_file(rank, [](const TraceFile& file) {
    CHECK(header_text(file, false).find("  40 of 41 labels; --full shows all\n") != std::string::npos);
    CHECK(header_text(file, true).find("  ANNOTATION            4136\n") != std::string::npos);
  });
}

TEST_CASE("the document of a file's header holds all of it") {
  with_file(annotated_rank(), [](const TraceFile& file) {
    const auto j = header_json(file);
    CHECK(j["schema"] == "busline/trace-header/1");
    CHECK(j["version"] == "13.0.0");
    CHECK(j["start_time_s"] == 1'700'000'000);
    CHECK(j["mesh_size"].dump() == "[4,2,2]");
    CHECK(j["counter_labels"].dump() == R"(["PAPI_TOT_CYC","PAPI_L2_DCM"])");
    CHECK(j["key_values"].dump() == R"([{"key":"site","value":"here"}])");
    CHECK(j["functions"][1].dump() == R"({"name":"MPI_Wtime","called":2,"not_recorded":0})");
    CHECK(j["datatype_bytes"].size() == 29);
    CHECK(j["function_labels"][0]["key"] == 4096);
    CHECK(j["offsets"]["call records"] == 8);
  });
}
