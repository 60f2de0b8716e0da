#include "workloads/files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace busline {
namespace {

tl::unexpected<Error> unwritable(const std::string& path, int code) {
  return refuse_file(Error::Kind::unreadable, path,
                     fmt::format("cannot be written: {}", std::strerror(code)));
}

}  // namespace

Expected<OutputFile> OutputFile::create(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return unwritable(path, EISDIR);
  const bool in_place = exists && !S_ISREG(status.st_mode);
  auto part = in_place ? std::string() : fmt::format("{}.part-{}", path, ::getpid());
  constexpr mode_t kMode = 0666;  // less what the user's mask forbids
  const int descriptor =
      ::open((in_place ? path : part).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor < 0) return unwritable(path, errno);
  return OutputFile(path, std::move(part), descriptor);
}

OutputFile::OutputFile(std::string path, std::string part, int descriptor)
    : path_(std::move(path)), part_(std::move(part)), descriptor_(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(part_, other.part_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

Expected<void> OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return unwritable(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Expected<void> OutputFile::close() {
  // Some file systems report a lack of space only now.
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) return unwritable(path_, errno);
  return {};
}

Expected<void> OutputFile::commit() {
  if (auto closed = close(); !closed) return closed;
  if (!part_.empty() && std::rename(part_.c_str(), path_.c_str()) != 0) return unwritable(path_, errno);
  part_.clear();
  return {};
}

Expected<void> write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return file->write(text).and_then([&] { return file->commit(); });
}

Expected<void> check_writable(const std::string& path) {
  struct stat status {};
  const bool is_device =
      ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (path.empty() || is_device) return {};
  if (auto file = OutputFile::create(path); !file) return tl::unexpected(std::move(file.error()));
  return {};
}

}  // namespace busline
