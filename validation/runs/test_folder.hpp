// For tests: a folder that is gone when the test ends.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "workloads/temporary_folder.hpp"

namespace busline::runs {

class TestFolder {
 public:
  const std::string& path() const { return folder_.path(); }
  std::string file(std::string_view name) const { return folder_.file(name); }
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
    for (auto at = text.find(path()); at != std::string::npos; at = text.find(path(), at))
      text.replace(at, path().size(), "F");
    return text;
  }

 private:
  TemporaryFolder folder_{"busline-test"};
};

}  // namespace busline::runs
