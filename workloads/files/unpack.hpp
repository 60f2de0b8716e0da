// Compressed files: what they are called, how they begin, and what is in them. gzip and xz are unpacked if
// zlib and liblzma were there when this program was built.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"

namespace busline {

/// Bytes in memory that grow at their end. Those that are there stay where they are when this is moved.
class GrowingBytes {
 public:
  GrowingBytes() = default;
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;
  GrowingBytes(GrowingBytes&& other) noexcept { *this = std::move(other); }
  GrowingBytes& operator=(GrowingBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingBytes() { std::free(data_); }

  std::string_view bytes() const { return {data_, size_}; }
  /// Room behind the bytes, some 64 KiB or more; nullptr if there is no memory. Moves them, which is cheap
  /// for many: large blocks are moved by their pages.
  char* room();
  std::size_t room_size() const { return capacity_ - size_; }
  /// `n` bytes were written there.
  void took(std::size_t n) { size_ += n; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// What the first bytes of a file say: "gzip", "xz", another compression that is not read, or nullptr.
const char* compression_of(std::string_view bytes);

/// Whether unpack() reads "gzip", "xz".
bool can_unpack(std::string_view compression);

/// `name` without .gz or .xz at its end.
std::string_view without_compression(std::string_view name);

/// How much is unpacked at most: no rank's trace comes near, and a small file must not fill the memory.
constexpr std::size_t most_unpacked(std::size_t packed) {
  constexpr std::size_t kLeast = std::size_t{64} << 20, kMost = std::size_t{4} << 30, kFactor = 1000;
  return packed >= (kMost - kLeast) / kFactor ? kMost : kLeast + kFactor * packed;
}

/// Unpacks the content `packed` of the file `path`, or as much of it as gives `wanted` bytes. Memory grows
/// with what was unpacked. An Error says that the content is cut or damaged, that it is larger than
/// most_unpacked, or that this program does not read that compression.
Expected<GrowingBytes> unpack(const std::string& path, std::string_view packed,
                              std::size_t wanted = std::numeric_limits<std::size_t>::max());

}  // namespace busline
