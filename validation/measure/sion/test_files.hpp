// Files that tests write, and the bytes in them.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "validation/measure/sion/container.hpp"

namespace busline::sion {

/// A folder that is gone at the end of a test.
class TestFolder {
 public:
  TestFolder()
      : folder_(std::filesystem::temp_directory_path() / ("busline-sion-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  /// The name of a file that is not there: replacing an old one makes some file systems wait for the disk.
  std::string new_file(const std::string& name) const {
    std::filesystem::remove(folder_ / name);
    return file(name);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string content_of(const RankStream& stream) {
  std::string bytes(stream.size(), '\0');
  stream.read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace busline::sion
