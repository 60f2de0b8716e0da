#include "workloads/write_workload.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/program/program_builder.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
namespace fs = std::filesystem;

namespace {

// One rank that sends itself a message, which only some formats hold if it is buffered.
Workload to_oneself(SendMode mode) {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(1000));
  b.isend_and_forget({.peer = 0}, Bytes{8}, mode);
  b.recv({.peer = 0}, Bytes{8});
  Workload w;
  w.name = "x";
  w.program = b.build();
  w.files = {"from.here"};
  return w;
}

}  // namespace

TEST_CASE("a file's name selects its format, and every written format can be read again") {
  const TestFolder folder;
  for (const auto& format : output_formats()) {
    CAPTURE(format.name);
    const auto path = folder.file("x") + format.extension;
    CHECK(output_format(path) == &format);
    Diagnostics diagnostics;
    const auto done = write_workload(to_oneself(SendMode::standard), {}, path, diagnostics);
    REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
    CHECK(*workload_format(path) == format.name);
    for (const auto& file : workload_files(path, {})) CHECK(fs::exists(file));
    const auto again = load_workload(path, {}, diagnostics);
    REQUIRE_MESSAGE(again.has_value(), to_string(again.error()));
    CHECK(again->program.ranks() == 1);
  }
  CHECK(output_extensions() == ".dim, .program, .meta, .ti, .goal or .goal.bin");
}

TEST_CASE(
    "a name of no format is refused, and what a format cannot hold names the workload and leaves nothing") {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto unknown = write_workload(to_oneself(SendMode::standard), {}, "x.txt", diagnostics);
  REQUIRE(!unknown.has_value());
  CHECK(to_string(unknown.error()) ==
        "x.txt: unknown format: expected a name that ends in .dim, .program, .meta, .ti, .goal or .goal.bin");

  const auto path = folder.file("x.dim");
  std::ofstream(path) << "before";
  const auto refused = write_workload(to_oneself(SendMode::buffered), {}, path, diagnostics);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().path == "from.here");
  CHECK(content_of(path) == "before");
  CHECK(folder.files() == 1);
}

TEST_CASE("stopped writing leaves no files in any format") {
  const TestFolder folder;
  for (const auto& format : output_formats()) {
    CAPTURE(format.name);
    Diagnostics diagnostics;
    const auto path = folder.file("x") + format.extension;
    const auto done =
        write_workload(to_oneself(SendMode::standard), {}, path, diagnostics, [](double) { return false; });
    REQUIRE(done.has_value());
    CHECK(!*done);
    CHECK(fs::is_empty(folder.path()));
  }
}

TEST_CASE("a Program file keeps the origin of a workload, even through another Program file") {
  Workload w = to_oneself(SendMode::standard);
  w.format = kDumpiTrace;
  WorkloadOptions options;
  options.dumpi.compute_scale = 0.5;
  options.dumpi.cpu_time = true;
  const auto origin = origin_of(w, options);
  CHECK(origin == Origin{{"format", "DUMPI trace"},
                         {"source", "from.here"},
                         {"option", "compute_scale 0.5"},
                         {"option", "cpu_time"}});
  w.origin = origin;
  w.format = kProgramFile;
  CHECK(origin_of(w, {}) == origin);
  WorkloadOptions scaled;
  scaled.scales = {{"solve", 0.25}};
  CHECK(origin_of(w, scaled).back() == OriginLine{"option", "scale solve=0.25"});
}

TEST_CASE("a Program file keeps the options with which a time-independent trace was read") {
  Workload w;
  w.format = kTiTrace;
  WorkloadOptions options;
  options.ti.flops_per_second = 2e9;
  options.ti.extra_bytes = 16;
  options.ti.detached_below = 65536;
  CHECK(origin_of(w, options) == Origin{{"format", "time-independent trace"},
                                        {"option", "host_speed 2000000000 flop/s"},
                                        {"option", "message_header 16 B"},
                                        {"option", "detached_below 65536 B"}});
}
