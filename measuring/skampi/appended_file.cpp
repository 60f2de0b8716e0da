#include "measuring/skampi/appended_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace busline::skampi {
namespace {

tl::unexpected<Error> unwritable(const std::string& path, int why) {
  return refuse_file(Error::Kind::unreadable, path,
                     fmt::format("cannot be written: {}", std::generic_category().message(why)));
}

}  // namespace

Expected<AppendedFile> AppendedFile::open(const std::string& path, std::optional<std::size_t> keep) {
  constexpr mode_t kMode = 0666;  // less what the user's mask forbids
  AppendedFile file(path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode));
  if (file.descriptor_ < 0) return unwritable(path, errno);
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) return unwritable(path, errno);
  if (keep && S_ISREG(status.st_mode) && ::ftruncate(file.descriptor_, static_cast<off_t>(*keep)) != 0)
    return unwritable(path, errno);
  return file;
}

AppendedFile::AppendedFile(std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendedFile& AppendedFile::operator=(AppendedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<void> AppendedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return unwritable(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  // A pipe or a terminal cannot be synchronised, and need not be.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
    return unwritable(path_, errno);
  return {};
}

}  // namespace busline::skampi
