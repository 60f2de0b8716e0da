// Rewriting DUMPI files that are damaged, and traces of which only a part is kept.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/damage/damage.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/rewrite/rewrite.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/text_sink.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;
namespace fs = std::filesystem;

const fs::path kTracesToRewrite = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/dumpi/traces";
constexpr std::uint64_t kCopies = 300;  // of each file

// The file of these bytes, written again; or nothing if it is damaged.
std::optional<std::string> written_again(const std::string& bytes) {
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  if (!file) return std::nullopt;
  TextSink copy;
  if (!rewrite_rank(*file, copy, {}, diagnostics)) return std::nullopt;
  return copy.text;
}

fs::path first_file(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".bin") all.push_back(entry.path());
  return *std::min_element(all.begin(), all.end());
}

}  // namespace

TEST_CASE("a rewritten damaged DUMPI file is intact: the next rewrite changes nothing") {
  for (const auto* name : {"comms", "anywait", "misc", "colls"}) {
    const auto path = first_file(kTracesToRewrite / name);
    const auto file = MappedFile::open(path.string());
    REQUIRE(file.has_value());
    const RandomDamage damage{std::string(file->text())};
    std::uint64_t whole = 0;
    for (std::uint64_t n = 0; n < kCopies; ++n) {
      const auto copy = damage.copy(n);
      CAPTURE(path.string());
      CAPTURE(n);
      CAPTURE(copy.what);
      const auto once = written_again(copy.bytes);
      if (!once) continue;
      ++whole;
      const auto twice = written_again(*once);
      REQUIRE(twice.has_value());
      CHECK(*twice == *once);
    }
    CHECK(whole > 0);
  }
}

TEST_CASE("the rest of a trace rewritten up to a time is simulated, or its loss is named") {
  const auto to = fs::temp_directory_path() / ("busline-rewrite-" + std::to_string(::getpid()));
  for (const auto* name : {"halo2d", "comms", "types", "persist", "rma"}) {
    CAPTURE(name);
    for (const std::int64_t end : {100'000, 1'000'000, 10'000'000, 1'000'000'000}) {
      CAPTURE(end);
      RewriteOptions options;
      options.range.to = end;
      Diagnostics diagnostics;
      const auto done = rewrite_trace((kTracesToRewrite / name).string(), to.string(), options, diagnostics);
      REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
      const auto program = read_dumpi(to.string(), {}, diagnostics);
      if (!program) CHECK(program.error().message.find("were made but not recorded") != std::string::npos);
      fs::remove_all(to);
    }
  }
}
