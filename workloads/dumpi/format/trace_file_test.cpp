#include "workloads/dumpi/format/trace_file.hpp"
#include "workloads/dumpi/format/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/record_counts.hpp"
#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

constexpr std::size_t kIndex = 64;

// Opens bytes as a file in a folder that exists until the next call.
Expected<TraceFile> open(const std::string& bytes, Diagnostics& diagnostics) {
  const TestTrace t(0);
  t.write("a.bin", bytes);
  return TraceFile::open((t.folder() / "a.bin").string(), diagnostics);
}

// The same file with an older, shorter index.
std::string with_index_of(std::string bytes, std::size_t length) {
  const auto magic = bytes.substr(0, 8);
  const auto entries = bytes.substr(bytes.size() - length + 8);
  bytes.resize(bytes.size() - kIndex);
  return bytes + magic + entries;
}

}  // namespace

TEST_CASE("every record of the table has arguments that are known") {
  for (std::size_t i = 0; i < kFunctions; ++i) {
    const auto& row = kFunctionTable[i];
    if (i != 290 && (i < kFileFunctions || i >= kFirstMpi3)) CHECK(!row.name.empty());
    if (row.arguments == kNeverRecorded) continue;
    const auto n = std::count(row.arguments.begin(), row.arguments.end(), ':');
    CHECK(n <= static_cast<long>(kMostArguments));
    CHECK(std::count(row.arguments.begin(), row.arguments.end(), ' ') == std::max(n - 1, 0L));
  }
  CHECK(function_id("MPI_Waitall") == 18);
  CHECK(function_id("MPIO_Testsome") == 289);
  CHECK(function_id("Function_exit") == 292);
  CHECK(argument("MPI_Sendrecv", "recvtag") == 7);
  CHECK(kLayouts[function_id("MPI_Send")].all[2].name == "dest");
}

TEST_CASE("the four forms of the index lead to the same records") {
  TestRank rank;
  rank.init(0).call("MPI_Barrier", 5, {2}).finalize(9);
  const auto bytes = rank.bytes();
  for (const std::size_t length : {64U, 56U, 48U, 40U}) {
    Diagnostics diagnostics;
    const auto file = open(with_index_of(bytes, length), diagnostics);
    REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
    CHECK(diagnostics.empty());
    CHECK((file->type_sizes().size() == 28) == (length == 64));
    CHECK(file->called()[function_id("MPI_Barrier")] == 1);
    RecordReader reader(*file);
    std::size_t n = 0;
    while (reader.next() != nullptr) ++n;
    CHECK(!reader.error());
    CHECK(n == 3);
  }
}

TEST_CASE("all data around the records is read") {
  TestRank rank;
  rank.cpu_bias = 3;
  rank.wall_bias = 1'386;
  rank.mesh_coordinates = {0, 1};
  rank.mesh_size = {4, 2};
  rank.counter_labels = {"PAPI_TOT_CYC", ""};
  rank.labels = {{0x400000, "main"}, {4096, "ANNOTATION: step"}};
  rank.init(0).ignore("MPI_Send", 2);
  const auto read = [](const std::string& bytes) {
    Diagnostics diagnostics;
    auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
    REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
    CHECK(diagnostics.empty());
    return std::move(*file);
  };
  const auto without = rank.bytes();
  CHECK(read(without).key_values().empty());
  // The index does not name the key values.
  rank.key_values = {{"compiler", "-O2"}, {"", "v"}};
  const auto bytes = rank.bytes();
  const auto file = read(bytes);
  CHECK(file.cpu_bias() == 3);
  CHECK(file.wall_bias() == 1386);
  const auto& header = file.header();
  CHECK(header.version == Version{13, 0, 0});
  CHECK(header.start_time == 1'700'000'000);
  CHECK(header.host == "h");
  CHECK(header.user == "u");
  REQUIRE(header.mesh_coordinates.size() == 2);
  CHECK(header.mesh_coordinates[1] == 1);
  REQUIRE(header.mesh_size.size() == 2);
  CHECK(header.mesh_size[0] == 4);
  CHECK(file.called()[kCountedFunctions] == 3);
  CHECK(file.ignored()[function_id("MPI_Send")] == 2);
  std::vector<std::string> told;
  for (const auto name : file.counter_labels()) told.emplace_back(name);
  for (const auto& [key, value] : file.key_values())
    told.push_back(std::string(key) + "=" + std::string(value));
  for (const auto& [key, text] : file.labels()) told.push_back(std::to_string(key) + ":" + std::string(text));
  CHECK(told == std::vector<std::string>{"PAPI_TOT_CYC", "", "compiler=-O2", "=v", "4194304:main",
                                         "4096:ANNOTATION: step"});
}

TEST_CASE("a record has its hardware counters") {
  TestRank rank;
  rank.counter_labels = {"A", "B"};
  rank.counters = {1, std::uint64_t{1} << 63, 5, 6};
  rank.init(0);
  rank.mask = 0xcb;
  rank.call("MPI_Barrier", 5, {2}).finalize(9);
  const auto bytes = rank.bytes();
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  REQUIRE(file.has_value());
  RecordReader reader(*file);
  CHECK(reader.next()->counters.empty());
  const auto* barrier = reader.next();
  REQUIRE(barrier->counters.size() == 4);
  CHECK(barrier->counters[1] == std::uint64_t{1} << 63);
  CHECK(barrier->counters[3] == 6);
  CHECK((*barrier)[0] == 2);
}

TEST_CASE("an empty file is an error that says that the rank was killed") {
  Diagnostics diagnostics;
  const auto file = open("", diagnostics);
  REQUIRE(!file.has_value());
  CHECK(file.error().message == "the file is empty");
  CHECK(file.error().hint ==
        "the rank was killed before the tracer wrote its buffer; 'busline simulate --salvage' uses the other "
        "ranks");
}

TEST_CASE("an offset of the index beyond the file is refused with its place") {
  TestRank rank;
  rank.init(0).finalize(1);
  auto bytes = rank.bytes();
  const auto header = bytes.size() - kIndex + 32;
  bytes[header] = '\x7f';
  Diagnostics diagnostics;
  const auto file = open(bytes, diagnostics);
  REQUIRE(!file.has_value());
  CHECK(file.error().offset == header);
  CHECK(file.error().where == "index");
}

TEST_CASE("errors around and in records have their place") {
  TestRank rank;
  rank.counter_labels = {"A"};
  rank.type_sizes[1] = static_cast<std::int32_t>(0xf007fee7);  // the mark of a footer
  rank.init(0).call("MPI_Waitall", 5, {1, List{7}, StatusList{}}).finalize(9);
  const auto whole = rank.bytes();
  // The message for the file with other bytes at one place.
  const auto said = [&](std::size_t at, const std::string& bytes) {
    auto changed = whole;
    changed.replace(at, bytes.size(), bytes);
    Diagnostics diagnostics;
    const auto file = TraceFile::in_memory("a.bin", changed, diagnostics);
    if (!file) return file.error().where + ": " + file.error().message;
    RecordReader reader(*file);
    RecordCounts counts{};
    while (const auto* r = reader.next()) ++counts[r->function];
    auto e = reader.error();
    if (!e) e = check_record_counts(*file, counts);
    return e ? e->where + ": " + e->message : "nothing";
  };
  const auto n = [](std::uint8_t last, std::size_t width = 4) {
    return std::string(width - 1, '\0') + static_cast<char>(last);
  };
  CHECK(said(0, "\xff") == "nothing");

  // The index: places of sizes, functions, counters, header, records, footer, key values.
  const auto entry = [&](std::size_t i) { return whole.size() - kIndex + 8 + 8 * i; };
  const auto place = [&](std::size_t i) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < 8; ++k) at = at << 8U | static_cast<unsigned char>(whole[entry(i) + k]);
    return at;
  };
  CHECK(said(entry(4), n(0, 8)) == "index: the file has no call records");
  CHECK(said(entry(4), whole.substr(entry(0), 8)) == "index: the footer is at " + std::to_string(place(5)) +
                                                         ", before the call records at " +
                                                         std::to_string(place(0)));
  const auto mark = place(0) + 4;  // after the number of sizes: the first one's 0 is part of the mark
  const std::string at_mark{static_cast<char>(mark >> 8U), static_cast<char>(mark & 0xffU)};
  CHECK(said(entry(5) + 6, at_mark) == "footer: the footer is truncated");
  CHECK(said(place(3) + 11, "\xff\xff").find("header: one of its lengths does not fit in the ") == 0);
  CHECK(said(place(0), n(99)).find("sizes: has 99 elements, expected 0 to ") != std::string::npos);
  CHECK(said(place(2), std::string("\x7f")).find("elements, expected 0 to ") != std::string::npos);
  CHECK(said(place(2) + 4, "\xff\xff").find("the list is truncated") != std::string::npos);
  const auto total = place(5) + 8 + 4 * kCountedFunctions;
  CHECK(said(total, n(9)) == "footer: 9 calls were made, but by function it counts 3");

  // 8 bytes of magic, 8 of biases; MPI_Init takes 21 bytes, and of the next record the prefix 17.
  constexpr std::size_t kRecord = 16 + 21;
  CHECK(said(kRecord, "\x7f\x7f") ==
        "record 2: is of function 32639, expected one that leaves records, or 293 at the end");
  CHECK(said(kRecord + 2, std::string("\x10")).find("has unknown bits in its mask 0x10") !=
        std::string::npos);
  CHECK(said(kRecord + 7, "\x7f\xff\xff\xff")
            .find("has a time with 2147483647 nanoseconds, expected less than a second") !=
        std::string::npos);
  CHECK(said(kRecord + 2, "\xcb" + whole.substr(kRecord + 3, 14) + "\xff")
            .find("is truncated in its counters") != std::string::npos);
  CHECK(said(kRecord + 21, n(99)).find("requests has 99 elements, which do not fit in the ") !=
        std::string::npos);
}

TEST_CASE("a truncated file is an error, and its records can be salvaged") {
  TestRank rank;
  rank.init(0).call("MPI_Barrier", 5, {2}).finalize(9);
  const auto whole = rank.bytes();
  const auto records = [&](const std::string& bytes, std::string& why, Opening how) {
    Diagnostics diagnostics;
    const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics, how);
    why = file ? diagnostics.empty() ? "" : diagnostics.front().message : file.error().message;
    std::size_t n = 0;
    if (file) {
      RecordReader reader(*file);
      while (reader.next() != nullptr) ++n;
    }
    return n;
  };
  std::string why;
  CHECK(records(whole, why, Opening::salvage) == 3);
  CHECK(why.empty());

  const auto in_index = whole.substr(0, whole.size() - 8);
  CHECK(records(in_index, why, Opening::whole) == 0);
  CHECK(why == "is truncated in its index: only 56 bytes of it exist");
  CHECK(records(in_index, why, Opening::salvage) == 3);
  CHECK(why == "is truncated in its index: only 56 bytes of it exist");

  CHECK(records(whole.substr(0, whole.size() - 64), why, Opening::salvage) == 3);
  CHECK(why == "is truncated: it does not end with an index of 64, 56, 48 or 40 bytes");
  // 8 bytes of magic, 8 of biases; MPI_Init takes 21 bytes and MPI_Barrier 19.
  CHECK(records(whole.substr(0, 16 + 21 + 19 + 1), why, Opening::salvage) == 2);
  CHECK(records(whole.substr(0, 8), why, Opening::salvage) == 0);

  CHECK(records(whole + "12", why, Opening::whole) == 0);
  CHECK(why == "2 bytes follow the index, which should end the file");
  CHECK(records(whole + "12", why, Opening::salvage) == 3);

  auto without_magic = whole;
  without_magic[whole.size() - 64] = 'x';
  CHECK(records(without_magic, why, Opening::salvage) == 3);
  CHECK(why == "the index does not begin with its 8 bytes (ff aa dd \"DUMPI\")");
  CHECK(records("not a trace", why, Opening::salvage) == 0);
  CHECK(why == "does not begin with the 8 bytes of a DUMPI trace (ff aa dd \"DUMPI\")");
}

TEST_CASE("a part that is damaged is left out when a file is salvaged") {
  TestRank rank;
  rank.init(0).call("MPI_Barrier", 5, {2}).finalize(9);
  auto bytes = rank.bytes();
  const auto footer = bytes.find(std::string("\0\0\0\0\xf0\x07\xfe\xe7", 8));
  bytes[footer + 4] = 0;
  Diagnostics diagnostics;
  CHECK(!TraceFile::in_memory("a.bin", bytes, diagnostics).has_value());
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics, Opening::salvage);
  REQUIRE(file.has_value());
  CHECK(file->called().empty());
  CHECK(file->type_sizes().size() == 28);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "damaged-part");
  CHECK(diagnostics[0].message == "footer: does not begin with its 8 bytes (00 00 00 00 f0 07 fe e7)");
}

TEST_CASE("a newer version is read with a warning") {
  TestRank rank;
  rank.version = {16, 0, 0};
  rank.init(0).finalize(1);
  Diagnostics diagnostics;
  CHECK(open(rank.bytes(), diagnostics).has_value());
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "unknown-version");
  CHECK(diagnostics[0].message == "written by version 16.0.0, newer than 13.0.0: read as the latter");
}

TEST_CASE("the end mark may be missing, and zeros after MPI_Finalize are the end") {
  TestRank rank;
  rank.init(0).finalize(1);
  auto bytes = rank.bytes();
  const auto end = bytes.find("\x01\x25", 16);  // 293
  for (const std::string& mark : {std::string("\0\0", 2), std::string()}) {
    auto old = bytes;
    old.replace(end, 2, mark);
    const auto moved = 2 - mark.size();
    for (auto at = old.size() - kIndex + 15; at < old.size(); at += 8)  // the low byte of each offset
      if (old[at] != 8 && old[at] != 0)
        old[at] = static_cast<char>(static_cast<unsigned char>(old[at]) - moved);
    Diagnostics diagnostics;
    const auto file = open(old, diagnostics);
    REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
    RecordReader reader(*file);
    std::size_t n = 0;
    while (reader.next() != nullptr) ++n;
    CHECK(!reader.error());
    CHECK(n == 2);
  }
}

TEST_CASE("statuses before version 0.6.3 have no tag") {
  TestRank rank;
  rank.version = {0, 6, 2};
  rank.init(0);
  rank.finalize(1);
  Diagnostics diagnostics;
  const auto file = open(rank.bytes(), diagnostics);
  REQUIRE(file.has_value());
  RecordReader reader(*file);
  const auto* first = reader.next();
  REQUIRE(first != nullptr);
  CHECK(status_bytes(first->version) == 10);
}
