// SHA-256 (FIPS 180-4), to record in a result the files that it came from.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// Takes a message piece by piece.
class Sha256 {
 public:
  void update(std::string_view bytes);
  /// The digest of the message so far, in lower-case hexadecimal. Nothing may be added afterwards.
  std::string hex();

 private:
  void block(const char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> pending_{};
  std::uint64_t length_ = 0;  // bytes so far
};

/// The digest of a file's content; an Error of kind unreadable if it cannot be read.
Expected<std::string> sha256_of_file(const std::string& path);

}  // namespace busline
