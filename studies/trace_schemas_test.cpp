// What 'busline inspect' and 'busline bench --trace' print with --json is what the schemas say.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "documents/text/test_documents.hpp"
#include "studies/benchmark/trace_benchmark.hpp"
#include "studies/traces/inspect_report.hpp"
#include "studies/traces/record_view.hpp"
#include "studies/traces/trace_header_report.hpp"
#include "studies/traces/trace_statistics_report.hpp"
#include "workloads/dumpi/format/part_index.hpp"
#include "workloads/dumpi/format/test_trace.hpp"

using namespace busline;
using nlohmann::json;

namespace {

const std::string kStudies = BUSLINE_SOURCE_DIR "/studies";

WorkloadStatistics counted_job() {
  WorkloadStatistics s;
  s.ranks = 1;
  s.strands = 1;
  s.communicator_sizes = {1};
  s.calls = {{"MPI_Send", 1}};
  s.collectives = {{CollectiveKind::barrier, 1, 0, 0}};
  s.message_sizes = {{64, 1, 100}};
  s.pairs = {{0, 0, 1, 100}};
  s.per_rank.resize(1);
  return s;
}

InspectReport inspected(bool everything) {
  InspectReport r{"run.program", "Program file", {}, counted_job(), {bare_warning()}};
  if (!everything) return r;
  r.origin = {{"source", "run/trace.meta"}};
  r.statistics.traced_run_time = Duration::picoseconds(5);
  r.statistics.regions = {{"solve", 1}};
  r.diagnostics = {full_warning()};
  return r;
}

TraceStatisticsReport counted_trace(bool everything) {
  TraceStatisticsReport r;
  r.trace = "run";
  r.calls.functions.resize(1);
  r.calls.ranks.resize(1);
  r.calls.message_sizes = {{64, 1, 100}};
  r.calls.communicators.resize(1);
  r.calls.datatypes.resize(1);
  r.diagnostics = {everything ? full_warning() : bare_warning()};
  if (everything)
    r.job = counted_job();
  else
    r.without_job = "it is one file of a job";
  r.one_file = !everything;
  return r;
}

// `read` is given the rank's file.
template <class Read>
json document_of_file(const dumpi::TestRank& rank, const Read& read) {
  const auto bytes = rank.bytes();
  Diagnostics told;
  const auto file = dumpi::TraceFile::in_memory("a.bin", bytes, told);
  REQUIRE(file.has_value());
  return read(*file);
}

json header_document(const dumpi::TestRank& rank, const Diagnostic& diagnostic) {
  auto document = document_of_file(rank, header_json);
  document["diagnostics"] = to_json(Diagnostics{diagnostic});
  return document;
}

json records_document(const dumpi::TestRank& rank, const Diagnostic& diagnostic) {
  json document{{"schema", "busline/trace-records/1"}, {"file", "a.bin"}, {"complete", true}};
  document["records"] = document_of_file(rank, [](const dumpi::TraceFile& file) {
    auto records = json::array();
    RecordView view(file);
    dumpi::RecordReader reader(file);
    while (const auto* r = reader.next()) {
      view.follow(*r);
      records.push_back(json(view.json(*r)));
    }
    return records;
  });
  document["record_count"] = document["records"].size();
  document["diagnostics"] = to_json(Diagnostics{diagnostic});
  return document;
}

// Every kind of argument, and all that may be recorded beside them.
dumpi::TestRank told_rank() {
  using dumpi::List;
  dumpi::TestRank rank;
  rank.mask = 0xcf;
  rank.labels = {{4096, "ANNOTATION: begin"}};
  rank.counter_labels = {"PAPI_TOT_CYC"};
  rank.counters = {1, 20};
  rank.key_values = {{"site", "here"}};
  rank.call("Function_enter", 0, {4096})
      .call("MPI_Waitall", 0, {2, List{2, 1}, dumpi::StatusList{{1, 2, 3}, {4, 5, 6}}})
      .call("MPI_Group_range_incl", 0, {3, 2, std::vector<List>{{0, 4, 2}, {5}}, 4})
      .call("MPI_Comm_set_name", 0, {2, List{'a'}});
  return rank;
}

// Neither threads nor times.
dumpi::TestRank quiet_rank() {
  dumpi::TestRank rank;
  rank.mask = 0x00;
  rank.call("MPI_Wtime", 0, {});
  return rank;
}

TraceBenchmark measured_trace() {
  TraceBenchmark b;
  b.trace = "run";
  b.rows = {{"read all values", 0.5, 100}};
  return b;
}

}  // namespace

TEST_CASE("documents about traces conform to their schemas, with and without optional members") {
  check_documents(kStudies, "workload",
                  {printed(to_json(inspected(true))), barely_printed(to_json(inspected(false)))});
  check_documents(kStudies, "trace-statistics",
                  {printed(to_json(counted_trace(true))), barely_printed(to_json(counted_trace(false)))});
  check_documents(kStudies, "trace-header",
                  {printed(header_document(told_rank(), full_warning())),
                   barely_printed(header_document(quiet_rank(), bare_warning()))});
  check_documents(kStudies, "trace-records",
                  {printed(records_document(told_rank(), full_warning())),
                   barely_printed(records_document(quiet_rank(), bare_warning()))});
  check_documents(kStudies, "trace-benchmark",
                  {printed(to_json(measured_trace())), barely_printed(to_json(measured_trace()))});
}

TEST_CASE("the parts of a file with offsets are those that the schema names") {
  const auto offsets = read_schema(kStudies, "trace-header").at("properties").at("offsets");
  CHECK(offsets.at("required").get<std::vector<std::string>>() ==
        std::vector<std::string>(dumpi::kPartNames.begin(), dumpi::kPartNames.end()));
}

TEST_CASE("an argument of a record is a number, a text, a list of these or of lists, or statuses") {
  const auto schema = read_schema(kStudies, "trace-records");
  auto document = printed(records_document(told_rank(), full_warning()));
  auto& arguments = document["records"][0]["arguments"];
  for (const auto* good : {"1", "\"a\"", "[]", "[1]", "[\"a\"]", "[[1], []]", "[[\"a\"]]"}) {
    CAPTURE(good);
    arguments["x"] = json::parse(good);
    CHECK(SchemaCheck::differences(schema, document).empty());
  }
  for (const auto* bad : {"1.5", "true", "null", "{}", "[null]", "[[[1]]]", "[{\"bytes\": 1}]"}) {
    CAPTURE(bad);
    arguments["x"] = json::parse(bad);
    CHECK_FALSE(SchemaCheck::differences(schema, document).empty());
  }
}
