// Compressed files: their names, their first bytes, and their contents. gzip and xz are unpacked if this
// program was built with zlib and liblzma.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"

namespace busline {

/// Bytes in memory that grow at their end. Existing bytes keep their address when this is moved.
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
  /// Room after the bytes, some 64 KiB or more; nullptr if memory runs out. May move the bytes, which is
  /// cheap even for many: large blocks are moved by their pages.
  char* room();
  std::size_t room_size() const { return capacity_ - size_; }
  /// `n` bytes were written there.
  void took(std::size_t n) { size_ += n; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// The compression that a file's first bytes indicate: "gzip", "xz", another one that is not read, or
/// nullptr.
const char* compression_of(std::string_view bytes);

/// Whether unpack() reads "gzip", "xz".
bool can_unpack(std::string_view compression);

/// `name` without .gz or .xz at its end.
std::string_view without_compression(std::string_view name);

/// Whether a file's name begins with a dot: macOS leaves a ._NAME beside each file on other file systems.
bool is_hidden(std::string_view path);

/// The most that is unpacked: far more than any rank's trace, but a small file must not fill the memory.
constexpr std::size_t most_unpacked(std::size_t packed) {
  constexpr std::size_t kLeast = std::size_t{64} << 20, kMost = std::size_t{4} << 30, kFactor = 1000;
  return packed >= (kMost - kLeast) / kFactor ? kMost : kLeast + kFactor * packed;
}

/// Unpacks the content `packed` of the file `path`, or as much of it as gives `wanted` bytes. Memory grows
/// with the unpacked bytes. An Error says that the content is truncated or damaged, that it is larger than
/// most_unpacked, or that this program does not read that compression.
Expected<GrowingBytes> unpack(const std::string& path, std::string_view packed,
                              std::size_t wanted = std::numeric_limits<std::size_t>::max());

}  // namespace busline
