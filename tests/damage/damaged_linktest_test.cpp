// Damaged containers and payloads: an error, or a result with warnings; never a crash, or memory by a length
// that the file only claims.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "measuring/linktest/read_linktest.hpp"
#include "measuring/linktest/test_result.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "measuring/sion/container_writer.hpp"
#include "measuring/sion/test_stream.hpp"
#include "tests/damage/damage.hpp"
#include "tests/damage/test_memory.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;

// One file of each kind, without space between metadata and data, so that every byte counts.
std::vector<std::string> linktest_files() {
  const TestFolder folder;
  std::vector<std::string> all;
  const auto keep = [&](const Expected<void>& written) {
    REQUIRE(written);
    all.push_back(content_of(folder.file("x.sion")));
  };
  const auto path = [&] { return folder.new_file("x.sion"); };
  auto result = linktest::test_result(4);
  sion::WriteOptions options;
  options.file_system_block = 1;
  keep(linktest::write_version1(path(), result, 0, options));
  keep(linktest::write_version2(path(), result, options));
  options.metadata_order = options.data_order = sion::ByteOrder::big;
  options.chunk_bytes = 100;
  result.settings.all_to_all = true;
  result.settings.shuffled_orders = 2;
  result.iterations.push_back(result.iterations[0]);
  keep(linktest::write_version1(path(), result, 0, options));
  keep(linktest::write_version2(path(), result, options));
  keep(sion::write_container(path(), {{5, 0}, [](std::uint32_t) { return std::string("hello"); }}, options));
  return all;
}

// Whether the result could be read. Streams of containers that hold something else are read to their ends.
bool use_container(const std::string& bytes) {
  const auto container = sion::Container::in_memory("x.sion", bytes);
  if (!container) {
    CHECK_FALSE(container.error().message.empty());
    CHECK(container.error().path.starts_with("x.sion"));
    return false;
  }
  for (std::uint32_t rank = 0; rank < container->ranks(); ++rank)
    (void)sion::content_of(container->stream(rank));
  Diagnostics diagnostics;
  const auto result = linktest::read_linktest(*container, diagnostics);
  if (!result) CHECK_FALSE(result.error().message.empty());
  return result.has_value();
}

#ifdef BUSLINE_SANITIZED
constexpr long kMostForContainers = 600'000;  // it keeps 256 MB of memory that was freed
#else
constexpr long kMostForContainers = 64 * 1024;
#endif

}  // namespace

TEST_CASE("a container truncated anywhere gives an error") {
  for (const auto& whole : linktest_files())
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(size);
      CHECK_FALSE(use_container(whole.substr(0, size)));
    }
}

TEST_CASE("no damage to a container crashes its reader or takes memory") {
  const auto before = resident_kilobytes();
  const char* const wanted = std::getenv("BUSLINE_DAMAGED_COPIES");
  const auto copies = wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
  for (const auto& whole : linktest_files()) {
    const SystematicDamage systematic(whole, {});
    for (std::uint64_t n = 0; n < systematic.copies(); ++n) {
      const auto copy = systematic.copy(n);
      CAPTURE(copy.what);
      (void)use_container(copy.bytes);
    }
    const RandomDamage random(whole);
    for (std::uint64_t n = 0; n < copies; ++n) {
      const auto copy = random.copy(n);
      CAPTURE(copy.what);
      (void)use_container(copy.bytes);
    }
  }
  CHECK(resident_kilobytes() - before < kMostForContainers);
}
