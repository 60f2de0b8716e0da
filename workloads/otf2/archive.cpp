#include "workloads/otf2/archive.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "workloads/files/mapped_file.hpp"

namespace busline::otf2 {

ArchiveFiles archive_on_disk(const std::string& path) {
  return {path, [](const std::string& name) -> Expected<std::optional<FileBytes>> {
            std::error_code error;
            if (!std::filesystem::exists(name, error)) return std::nullopt;
            auto file = MappedFile::open(name);
            if (!file) return tl::unexpected(std::move(file.error()));
            auto owner = std::make_shared<const MappedFile>(std::move(*file));
            const auto bytes = owner->text();
            return FileBytes{bytes, std::move(owner)};
          }};
}

std::vector<std::string> files_of_archive(const std::string& path) {
  const auto stem = path.substr(0, path.rfind('.'));
  std::vector<std::string> files{path, stem + ".def"};
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(stem, error))
    if (const auto type = entry.path().extension(); type == ".def" || type == ".evt")
      files.push_back(entry.path().string());
  std::sort(files.begin() + 2, files.end());
  return files;
}

}  // namespace busline::otf2
