#include "measuring/mpi/buffer_ring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace busline;
using busline::mpi::BufferRing;

TEST_CASE("one buffer is the same for every message") {
  BufferRing ring;
  REQUIRE(ring.prepare(1000, {}));
  auto* const first = ring.next();
  CHECK(ring.next() == first);
  REQUIRE(ring.prepare(10, {}));
  CHECK(ring.next() == first);
}

TEST_CASE("several buffers come in turn and do not overlap") {
  BufferRing ring;
  const KernelBuffers three{.count = 3};
  REQUIRE(ring.prepare(100, three));
  auto* const a = ring.next();
  auto* const b = ring.next();
  auto* const c = ring.next();
  CHECK(ring.next() == a);
  std::set<std::byte*> all{a, b, c};
  REQUIRE(all.size() == 3);
  for (auto i = all.begin(), j = std::next(i); j != all.end(); ++i, ++j) CHECK(*j - *i >= 100);
  // Turns go on: a kernel with one message in each run uses all of them, too.
  REQUIRE(ring.prepare(100, three));
  CHECK(ring.next() == b);
}

TEST_CASE("contents are those of the seed, and written when they are to be others") {
  BufferRing ring, same, other;
  REQUIRE(ring.prepare(1000, {.count = 2, .random = true, .seed = 5}));
  REQUIRE(same.prepare(1000, {.count = 2, .random = true, .seed = 5}));
  REQUIRE(other.prepare(1000, {.count = 2, .random = true, .seed = 6}));
  CHECK(ring.memory() == same.memory());
  CHECK(ring.memory() != other.memory());
  ring.memory()[0] = std::byte{0};
  REQUIRE(ring.prepare(1000, {.count = 2, .random = true, .seed = 5}));
  CHECK(ring.memory()[0] == std::byte{0});
  REQUIRE(ring.prepare(1000, {.count = 2}));
  CHECK(
      std::all_of(ring.memory().begin(), ring.memory().end(), [](std::byte b) { return b == std::byte{1}; }));
}

TEST_CASE("buffers too large for any rank's memory are refused") {
  BufferRing ring;
  const auto refused = ring.prepare(1U << 30U, {.count = 1000});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "1000 buffers of 1073741824 bytes are more than 16 GiB");
  CHECK(refused.error().hint == "use fewer buffers or smaller messages");
  CHECK_FALSE(ring.prepare(~std::uint64_t{0}, {}));
}
