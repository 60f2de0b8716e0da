// Damaged containers and payloads: an error, or a result with warnings; never a crash, or memory by a length
// that the file only claims.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "validation/damage/damage.hpp"
#include "validation/measure/linktest/read_linktest.hpp"
#include "validation/measure/sion/test_files.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

const fs::path kGolden = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest";

// One file of each kind: 1.2; 2.1.16 with everything; several blocks; big-endian; plain streams.
constexpr const char* kFiles[] = {"real_1.2p1/np4_a2a.sion", "synthesised/syn216_n4_a2a_retest3.sion",
                                  "synthesised/syn216_n6_a2a_retest2_perm3_blocks.sion",
                                  "synthesised/syn216_n4_bigendian.sion", "container/a4.sion"};

// Whether the result could be read. Streams of containers that hold something else are read to their ends.
bool use(const std::string& bytes) {
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

// Bytes that nobody looks at, such as the space in front of the data, are tried at every 97th place only.
std::size_t next_place(const std::string& bytes, std::size_t place) {
  const bool in_zeros = place + 97 < bytes.size() && bytes.find_first_not_of('\0', place) > place + 97;
  return place + (in_zeros ? 97 : 1);
}

long resident_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

#ifdef __SANITIZE_ADDRESS__
constexpr long kMostKilobytes = 600'000;  // it keeps 256 MB of memory that was freed
#else
constexpr long kMostKilobytes = 64 * 1024;
#endif

}  // namespace

TEST_CASE("a container that is cut anywhere gives an error") {
  for (const auto* name : kFiles) {
    CAPTURE(name);
    const auto whole = sion::content_of((kGolden / name).string());
    for (std::size_t size = 0; size < whole.size(); size = next_place(whole, size)) {
      CAPTURE(size);
      CHECK_FALSE(use(whole.substr(0, size)));
    }
  }
}

TEST_CASE("no byte of a container can be changed so that reading it crashes or takes memory") {
  const auto before = resident_kilobytes();
  for (const auto* name : kFiles) {
    CAPTURE(name);
    auto bytes = sion::content_of((kGolden / name).string());
    const auto whole = bytes;
    for (std::size_t place = 0; place < whole.size(); place = next_place(whole, place))
      for (const auto flipped : {0x01, 0x80, 0xff}) {
        CAPTURE(place);
        bytes[place] = static_cast<char>(whole[place] ^ flipped);
        (void)use(bytes);
        bytes[place] = whole[place];
      }
    const char* const wanted = std::getenv("BUSLINE_DAMAGED_COPIES");
    const auto copies = wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
    const RandomDamage damage(whole);
    for (std::uint64_t n = 0; n < copies; ++n) {
      const auto copy = damage.copy(n);
      CAPTURE(copy.what);
      (void)use(copy.bytes);
    }
  }
  CHECK(resident_kilobytes() - before < kMostKilobytes);
}
