#include "workloads/dumpi/format/trace_writer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

class StringSink final : public ByteSink {
 public:
  std::string bytes;
  std::vector<std::size_t> writes;  // lengths
  Expected<void> write(std::string_view more) override {
    bytes += more;
    writes.push_back(more.size());
    return {};
  }
};

class FullDisk final : public ByteSink {
 public:
  int writes = 0;
  Expected<void> write(std::string_view) override {
    ++writes;
    Error e;
    e.message = "no space";
    return tl::unexpected(e);
  }
};

// Reads a file and writes it again.
std::string written_again(const std::string& bytes) {
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
  StringSink sink;
  TraceWriter writer(sink, file->cpu_bias(), file->wall_bias(), file->version());
  RecordReader records(*file);
  while (const auto* r = records.next()) writer.copy(*r);
  REQUIRE_MESSAGE(!records.error(), to_string(*records.error()));
  REQUIRE(writer.finish(parts_of(*file), form_of(*file, records)).has_value());
  return sink.bytes;
}

// A call of every function that has a record, with lists of several lengths.
TestRank every_function(std::uint8_t mask, std::array<std::uint8_t, 3> version = {13, 0, 0}) {
  TestRank rank;
  rank.mask = mask;
  rank.version = version;
  for (std::size_t f = 0; f < kFileFunctions; ++f) {
    const auto& layout = kLayouts[f];
    if (!layout.recorded) continue;
    // Every second call is one of the root, if there is one.
    for (const bool root : {true, false}) {
      std::vector<TestArgument> arguments;
      for (std::size_t i = 0; i < layout.arguments; ++i) {
        const auto& a = layout.all[i];
        const auto shape = shape_in({version[0], version[1], version[2]}, static_cast<std::uint16_t>(f), i);
        if (a.root_only && !root) continue;
        const auto n = static_cast<std::int64_t>(7 * f + i);
        const bool is_rank = a.name == "commrank" || a.name == "oldcommrank";
        switch (shape) {
          case Shape::byte:
          case Shape::int16:
          case Shape::int32:
          case Shape::int64:
            arguments.emplace_back(a.name == "root" ? 3 : is_rank ? (root ? 3 : 4) : -n);
            break;
          case Shape::text:
          case Shape::bytes:
          case Shape::int16s:
          case Shape::int32s:
            arguments.emplace_back(List(f % 4, 100 + n % 20));
            break;
          case Shape::int32_lists:
          case Shape::texts:
            arguments.emplace_back(std::vector<List>{{1, 2}, {}, {3}});
            break;
          case Shape::text_lists:
            arguments.emplace_back(std::vector<std::vector<List>>{{{1, 2}, {}}, {}, {{3}}});
            break;
          case Shape::statuses:
            arguments.emplace_back(std::vector<TestStatus>(f % 3, TestStatus{-1, 2, 3, true, 0x60}));
            break;
        }
      }
      rank.call(kFunctionTable[f].name, static_cast<std::int64_t>(f) * 700'000'000, std::move(arguments));
    }
  }
  return rank;
}

}  // namespace

TEST_CASE("a file that is read and written again has the same bytes, whatever is recorded") {
  for (const int bits : {0x4f, 0x40, 0x00, 0x48, 0x45, 0xcf, 0x82}) {
    CAPTURE(bits);
    auto rank = every_function(static_cast<std::uint8_t>(bits));
    rank.cpu_bias = -1;
    rank.wall_bias = 1'296'777'956;
    rank.mesh_coordinates = {0, 1};
    rank.mesh_size = {4, 2};
    rank.counter_labels = {"PAPI_TOT_CYC", ""};
    rank.labels = {{0x400000, "main"}, {4096, "ANNOTATION: step"}};
    rank.key_values = {{"compiler", "-O2"}, {"", "v"}};
    rank.type_sizes.push_back(-5);
    const auto bytes = rank.bytes();
    CHECK(written_again(bytes) == bytes);
  }
}

TEST_CASE("files of old versions keep their layout when they are written again") {
  for (const std::array<std::uint8_t, 3> version :
       {std::array<std::uint8_t, 3>{0, 6, 8}, {0, 6, 7}, {0, 6, 2}, {0, 6, 1}, {0, 4, 0}})
    for (const std::size_t index_bytes : {64U, 56U, 48U, 40U}) {
      auto rank = every_function(0x4f, version);
      rank.index_bytes = index_bytes;
      const auto bytes = rank.bytes();
      CHECK(written_again(bytes) == bytes);
    }
}

TEST_CASE("a rewritten file keeps the end of its records") {
  for (const std::string& mark : {std::string(), std::string("\0\0", 2), std::string(40, '\0')}) {
    TestRank rank;
    rank.init(0).finalize(1);
    rank.end_mark = mark;
    const auto bytes = rank.bytes();
    CHECK(written_again(bytes) == bytes);
  }
}

TEST_CASE("parts keep their order, and those that a file does not have are not written") {
  TestRank rank;
  rank.labels = {{1, "f"}};
  rank.init(0);
  auto bytes = rank.bytes();
  Diagnostics diagnostics;
  StringSink sink;
  TraceWriter writer(sink, 0, 0);
  writer.record().begin({.function = function_id("MPI_Finalize"), .mask = 0});
  writer.end_record();
  FileForm form;
  form.order = {kKeyvals, kLabels, kHeader, kFooter};
  form.key_values_indexed = true;
  TraceParts parts;
  parts.header.host = "host";
  parts.key_values = {{"k", "v"}};
  parts.labels = {{1, "f"}};
  REQUIRE(writer.finish(parts, form).has_value());
  const auto file = TraceFile::in_memory("a.bin", sink.bytes, diagnostics);
  REQUIRE(file.has_value());
  CHECK(file->key_values().size() == 1);
  CHECK(file->header().host == "host");
  CHECK(file->index().at[kSizes] == 0);
  CHECK(written_again(sink.bytes) == sink.bytes);
}

TEST_CASE("a tracer's records are written completely, and its calls are counted") {
  StringSink sink;
  TraceWriter writer(sink, 1, 2, kNewestKnown, 100);
  TraceParts parts;
  for (int i = 0; i < 5; ++i) {
    const std::vector<std::int32_t> requests{2, 3};
    const std::vector<Status> statuses{{.bytes = 8, .source = 1, .tag = 5}, {}};
    auto& r = writer.record();
    r.begin({.function = function_id("MPI_Waitall"), .thread = 1, .mask = 0x4b, .wall = {1, 2, 3, 4}});
    r.number(2);
    r.numbers(requests);
    r.statuses(statuses);
    writer.end_record();
    parts.counts.add_recorded(function_id("MPI_Waitall"));
  }
  parts.counts.add_ignored(function_id("MPI_Send"));
  parts.counts.add_recorded(function_id("Function_enter"));  // is not counted
  REQUIRE(writer.finish(parts).has_value());
  // 16 bytes begin the file; a record has 5 of function, mask and thread, 12 of times, 4, 12 and 32 of
  // arguments.
  CHECK(sink.writes[0] == 16 + 2 * 65);
  CHECK(sink.writes[1] == 2 * 65);

  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", sink.bytes, diagnostics);
  REQUIRE(file.has_value());
  CHECK(diagnostics.empty());
  CHECK(file->wall_bias() == 2);
  CHECK(file->called()[function_id("MPI_Waitall")] == 5);
  CHECK(file->ignored()[function_id("MPI_Send")] == 1);
  CHECK(file->called()[kCountedFunctions] == 6);
  RecordReader records(*file);
  const auto* first = records.next();
  REQUIRE(first != nullptr);
  CHECK(first->thread == 1);
  CHECK(first->wall.exit_nanoseconds == 4);
  CHECK(first->list(1)[1] == 3);
  CHECK(first->status(2, 0).tag == 5);
}

TEST_CASE("when writing fails, the writer returns the error at its end and does not try again") {
  FullDisk sink;
  TraceWriter writer(sink, 0, 0, kNewestKnown, 1);
  for (int i = 0; i < 3; ++i) {
    writer.record().begin({.function = function_id("MPI_Wtime"), .mask = 0});
    writer.end_record();
  }
  const auto done = writer.finish({});
  REQUIRE(!done.has_value());
  CHECK(done.error().message == "no space");
  CHECK(sink.writes == 1);
}
