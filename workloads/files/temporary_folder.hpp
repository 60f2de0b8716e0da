// A folder for files that nobody needs later.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace busline {

/// Where the system keeps such folders (TMPDIR); it goes with all that is in it.
class TemporaryFolder {
 public:
  /// `name` is how the folder's name begins. path() is empty if there can be none.
  explicit TemporaryFolder(std::string_view name) {
    std::error_code none;
    path_ = (std::filesystem::temp_directory_path(none) / (std::string(name) + "-XXXXXX")).string();
    if (none || ::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code gone;
    if (!path_.empty()) std::filesystem::remove_all(path_, gone);
  }

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace busline
