// A file that grows piece by piece; each piece is on the disk before the next is written.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::skampi {

class AppendedFile {
 public:
  /// Opens or makes the file; everything after `keep` bytes is cut off; if not set, nothing is cut. Anything
  /// but a regular file (/dev/stderr, a pipe) is never cut.
  static Expected<AppendedFile> open(const std::string& path, std::optional<std::size_t> keep = std::nullopt);

  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&& other) noexcept;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;
  ~AppendedFile();

  Expected<void> append(std::string_view bytes);

 private:
  AppendedFile(std::string path, int descriptor);
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace busline::skampi
