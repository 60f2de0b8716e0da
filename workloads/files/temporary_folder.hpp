// A folder for temporary files.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace busline {

/// Made where the system keeps such folders (TMPDIR), and removed with its contents.
class TemporaryFolder {
 public:
  /// The folder's name begins with `name`. path() is empty if it could not be made.
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
