// A file's bytes as one range of memory, without a copy where the file system allows it. Compressed files are
// unpacked (workloads/files/unpack.hpp).
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "workloads/files/unpack.hpp"

namespace busline {

/// Read-only view of a whole file. Regular files are mapped, so that pages are read when they are used and
/// can be dropped again; pipes, other streams and the content of compressed files are read into memory. The
/// file must not shrink meanwhile. Views stay valid when this is moved.
class MappedFile {
 public:
  /// An Error of kind unreadable names the file and the operating system's message; compressed files also
  /// give the errors of unpack().
  static Expected<MappedFile> open(const std::string& path);
  /// The first bytes of the file's content, at most `wanted`; compressed files are unpacked only that far.
  static Expected<std::string> head(const std::string& path, std::size_t wanted);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view text() const { return mapping_ ? std::string_view(mapping_, size_) : copy_.bytes(); }

 private:
  MappedFile() = default;
  static Expected<MappedFile> open_packed(const std::string& path);
  void unmap();

  const char* mapping_ = nullptr;
  std::size_t size_ = 0;
  GrowingBytes copy_;
};

}  // namespace busline
