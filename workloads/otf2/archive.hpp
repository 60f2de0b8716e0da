// The files of an OTF2 archive: NAME.otf2, NAME.def, and NAME/LOCATION.def and .evt.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::otf2 {

/// The contents of a file, and what keeps them in memory.
struct FileBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

struct ArchiveFiles {
  std::string anchor;  ///< path of NAME.otf2
  /// Nothing if there is no such file.
  std::function<Expected<std::optional<FileBytes>>(const std::string& path)> open;

  std::string definitions() const { return stem() + ".def"; }
  std::string local_definitions(std::uint64_t location) const { return of(location, ".def"); }
  std::string events(std::uint64_t location) const { return of(location, ".evt"); }

 private:
  std::string stem() const { return anchor.substr(0, anchor.rfind('.')); }
  std::string of(std::uint64_t location, const char* suffix) const {
    return stem() + "/" + std::to_string(location) + suffix;
  }
};

/// The archive on disk that `path` names: its .otf2 file.
ArchiveFiles archive_on_disk(const std::string& path);

/// Its files, in order: the anchor, the definitions, and those in the folder by name.
std::vector<std::string> files_of_archive(const std::string& path);

}  // namespace busline::otf2
