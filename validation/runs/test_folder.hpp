// For tests: a folder that is gone when the test ends.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace busline::runs {

class TestFolder {
 public:
  TestFolder() : path_((std::filesystem::temp_directory_path() / "busline-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code gone;
    if (!path_.empty()) std::filesystem::remove_all(path_, gone);
  }

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Makes the folders on the way.
  void write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name)) << text;
  }
  std::string read(std::string_view name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// `text` with F in place of this folder.
  std::string shortened(std::string text) const {
    for (auto at = text.find(path_); at != std::string::npos; at = text.find(path_, at))
      text.replace(at, path_.size(), "F");
    return text;
  }

 private:
  std::string path_;
};

}  // namespace busline::runs
