#include "workloads/program/checksum.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace busline;

TEST_CASE("XXH64 gives the published values of short texts") {
  CHECK(xxh64("") == 0xef46db3751d8e999ULL);
  CHECK(xxh64("a") == 0xd24ec4f1a98c6e5bULL);
  CHECK(xxh64("abc") == 0x44bc2cf5ad770999ULL);
  CHECK(xxh64("xxhash") == 0x32dd38952c4bc720ULL);
  CHECK(xxh64("message digest") == 0x066ed728fceeb3beULL);
  CHECK(xxh64("abcdefghijklmnopqrstuvwxyz") == 0xcfe1f278fa89835cULL);
  CHECK(xxh64("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        0xe04a477f19ee145dULL);
}

TEST_CASE("XXH64 gives the values of the reference program's self-test") {
  // Its sanity buffer: the top bytes of 2654435761 times powers of another prime.
  std::string buffer(222, '\0');
  std::uint64_t generator = 2654435761ULL;
  for (auto& byte : buffer) {
    byte = static_cast<char>(generator >> 56);
    generator *= 0x9e3779b185ebca8dULL;
  }
  const auto of_first = [&](std::size_t n) { return xxh64(std::string_view(buffer).substr(0, n)); };
  CHECK(of_first(1) == 0xe934a84adb052768ULL);
  CHECK(of_first(4) == 0x9136a0dca57457eeULL);
  CHECK(of_first(14) == 0x8282dcc4994e35c8ULL);
  CHECK(of_first(222) == 0xb641ae8cb691c174ULL);
}

TEST_CASE("XXH64 does not depend on the alignment of the bytes") {
  const std::string bytes(100, 'x');
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string moved = std::string(shift, '-') + bytes;
    CHECK(xxh64(std::string_view(moved).substr(shift)) == xxh64(bytes));
  }
}
