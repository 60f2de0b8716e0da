// The reader of Paraver traces must survive damaged files as others do.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "sim/program/program_rules.hpp"
#include "tests/damage/damage.hpp"
#include "tests/damage/test_memory.hpp"
#include "workloads/files/test_folder.hpp"
#include "workloads/paraver/read_paraver.hpp"

using namespace busline;

TEST_CASE(
    "no damage to a Paraver trace crashes the reader or takes memory, and what is read keeps the rules") {
  constexpr long kMostMore = 400'000;  // kilobytes; the address sanitizer keeps 256 MB of freed memory
  constexpr std::uint64_t kCopies = 300;
  const auto before = resident_kilobytes();
  std::size_t files = 0, read = 0, refused = 0;
  const auto corpus = std::filesystem::path(BUSLINE_SOURCE_DIR) / "tests/fuzz/corpus/paraver";
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const auto whole = content_of(entry.path());
    for (std::uint64_t n = 0; n < kCopies; ++n) {
      const auto damaged = RandomDamage(whole).copy(n);
      CAPTURE(entry.path().filename().string());
      CAPTURE(damaged.what);
      ParaverOptions options;
      options.salvage = n % 2 == 1;
      Diagnostics told;
      const auto trace =
          read_paraver_texts({damaged.bytes, damaged.bytes, damaged.bytes}, "t.prv", options, told);
      ++(trace ? read : refused);
      if (trace)
        CHECK_FALSE(first_broken_rule(trace->program.tables()));
      else
        CHECK_FALSE(trace.error().message.empty());
    }
    ++files;
  }
  CHECK(files >= 3);
  CHECK(read > 0);
  CHECK(refused > 0);
  CHECK(resident_kilobytes() - before < kMostMore);
}
