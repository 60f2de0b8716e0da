// All that our reader finds in DUMPI files agrees with libdumpi's own text dumps, and our writer makes the
// same files of it again. Golden traces are checked always; BUSLINE_DUMPI_REFERENCE=FOLDER adds a folder of
// files NAME.bin, with dumps NAME.txt.xz or NAME.txt where there are some (docs/reference/dumpi.md, "Checked
// against").
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/dumpi_reference.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/rewrite/rewrite.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/text_sink.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;
namespace fs = std::filesystem;

std::vector<fs::path> rank_files_below(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".bin") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

// Those of aborted jobs that have no bytes.
bool is_empty(const fs::path& path) {
  return fs::file_size(path) == 0;
}

const std::vector<fs::path>& trace_files() {
  static const auto kAll = [] {
    auto all = rank_files_below(fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/dumpi");
    if (const char* more = std::getenv("BUSLINE_DUMPI_REFERENCE")) {
      const auto found = rank_files_below(more);
      all.insert(all.end(), found.begin(), found.end());
    }
    std::erase_if(all, is_empty);
    return all;
  }();
  return kAll;
}

TraceFile open(const fs::path& path) {
  Diagnostics diagnostics;
  auto file = TraceFile::open(path.string(), diagnostics);
  REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
  return std::move(*file);
}

}  // namespace

TEST_CASE("every value of every DUMPI record matches the reference reader") {
  std::uint64_t files = 0, records = 0, values = 0;
  for (const auto& path : trace_files()) {
    auto dump = fs::path(path).replace_extension(".txt.xz");
    if (!fs::exists(dump)) dump.replace_extension();
    if (!fs::exists(dump)) continue;
    CAPTURE(path.string());
    const auto text = MappedFile::open(dump.string());
    if (!text && text.error().kind == Error::Kind::unsupported) {
      MESSAGE("not checked: " << to_string(text.error()));
      return;
    }
    REQUIRE_MESSAGE(text.has_value(), to_string(text.error()));
    const auto found = compare_with_reference(open(path), text->text());
    for (const auto& difference : found.differences) CHECK_MESSAGE(false, difference);
    ++files;
    records += found.records;
    values += found.values;
  }
  if (std::getenv("BUSLINE_DUMPI_REFERENCE") != nullptr)
    MESSAGE(files << " files, " << records << " records, " << values << " values");
  CHECK(files >= 83);
}

TEST_CASE("a DUMPI file has as many records of each function as its footer says") {
  for (const auto& path : trace_files()) {
    CAPTURE(path.string());
    const auto file = open(path);
    std::vector<std::uint32_t> recorded(kFileFunctions, 0);
    RecordReader records(file);
    while (const auto* r = records.next()) ++recorded[r->function];
    REQUIRE(!records.error());
    for (std::size_t f = 0; f < kCountedFunctions; ++f)
      if (recorded[f] != file.called()[f] - file.ignored()[f]) CHECK_MESSAGE(false, kFunctionTable[f].name);
  }
}

TEST_CASE("a DUMPI file that is read and written again is the same, byte for byte") {
  for (const auto& path : trace_files()) {
    CAPTURE(path.string());
    const auto file = open(path);
    Diagnostics diagnostics;
    TextSink copy;
    const auto done = rewrite_rank(file, copy, {}, diagnostics);
    REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
    if (copy.text != file.bytes()) CHECK_MESSAGE(false, "differs");
  }
}

TEST_CASE("metafiles that libdumpi wrote are the same when they are written again") {
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(BUSLINE_SOURCE_DIR) / "validation/golden")) {
    if (entry.path().extension() != ".meta") continue;
    CAPTURE(entry.path().string());
    const auto meta = read_meta_file(entry.path().string());
    const auto text = MappedFile::open(entry.path().string());
    REQUIRE(meta.has_value());
    CHECK(to_text(*meta) == text->text());
  }
}
