// For tests: a folder that is removed when the test ends, and the contents of files.
#pragma once
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "workloads/files/temporary_folder.hpp"

namespace busline {

/// All bytes of a file; none if it cannot be read.
inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TestFolder {
 public:
  const std::string& path() const { return folder_.path(); }
  std::string file(std::string_view name) const { return folder_.file(name); }
  /// The name of a file that does not exist: replacing an old one makes some file systems wait for the disk.
  std::string new_file(std::string_view name) const {
    std::filesystem::remove(file(name));
    return file(name);
  }
  /// The number of files and folders in it.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
  }
  /// Creates missing parent folders.
  void write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name), std::ios::binary) << text;
  }
  std::string read(std::string_view name) const { return content_of(file(name)); }
  /// `text` with this folder replaced by F.
  std::string shortened(std::string text) const {
    for (auto at = text.find(path()); at != std::string::npos; at = text.find(path(), at))
      text.replace(at, path().size(), "F");
    return text;
  }

 private:
  TemporaryFolder folder_{"busline-test"};
};

}  // namespace busline
