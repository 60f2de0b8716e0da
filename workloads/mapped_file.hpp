// A file's bytes as one range of memory, without a copy where the file system allows it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/error.hpp"

namespace busline {

/// Read-only view of a whole file. Regular files are mapped, so that pages are read when they are used and
/// can be dropped again; pipes and other streams are read into memory. The file must not shrink meanwhile.
class MappedFile {
 public:
  /// An Error of kind unreadable names the file and what the operating system said.
  static Expected<MappedFile> open(const std::string& path);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view text() const { return mapping_ ? std::string_view(mapping_, size_) : copy_; }

 private:
  MappedFile() = default;

  const char* mapping_ = nullptr;
  std::size_t size_ = 0;
  std::string copy_;
};

}  // namespace busline
