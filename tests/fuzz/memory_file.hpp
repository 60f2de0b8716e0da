// For readers that take a file's name: a file in memory, which nothing else sees.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// Linux only. One is made and written again and again: making one costs as much as reading a small file.
class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  /// Puts `bytes` in place of what it held. Aborts if the system has no memory for it.
  void write(std::string_view bytes);
  /// A name that the file can be opened by.
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace busline::fuzz
