#include "workloads/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace busline {
namespace {

struct Descriptor {
  int fd;
  explicit Descriptor(int number) : fd(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

tl::unexpected<Error> unreadable(const std::string& path, std::string why) {
  return refuse_file(Error::Kind::unreadable, path, "cannot be read: " + std::move(why));
}

}  // namespace

Expected<MappedFile> MappedFile::open(const std::string& path) {
  auto file = open_packed(path);
  if (!file || compression_of(file->text()) == nullptr) return file;
  auto content = unpack(path, file->text());
  if (!content) return tl::unexpected(std::move(content.error()));
  file->unmap();
  file->copy_ = std::move(*content);
  return file;
}

Expected<std::string> MappedFile::head(const std::string& path, std::size_t wanted) {
  const auto file = open_packed(path);
  if (!file) return tl::unexpected(file.error());
  if (compression_of(file->text()) == nullptr) return std::string(file->text().substr(0, wanted));
  const auto content = unpack(path, file->text(), wanted);
  if (!content) return tl::unexpected(content.error());
  return std::string(content->bytes().substr(0, wanted));
}

// The raw file.
Expected<MappedFile> MappedFile::open_packed(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) return unreadable(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) return unreadable(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return unreadable(path, "it is a folder");

  MappedFile f;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    f.size_ = static_cast<std::size_t>(status.st_size);
    void* const at = ::mmap(nullptr, f.size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (at != MAP_FAILED) {
      ::madvise(at, f.size_, MADV_SEQUENTIAL);
      f.mapping_ = static_cast<const char*>(at);
      return f;
    }
  }
  // Not a regular file, an empty one, or a file system that cannot map.
  constexpr std::size_t kMostOfDevice = 1U << 20U;
  const bool endless = S_ISCHR(status.st_mode) && ::isatty(file.fd) != 1;  // such as /dev/zero
  for (;;) {
    if (endless && f.copy_.bytes().size() > kMostOfDevice)
      return refuse_file(Error::Kind::bad_input, path, "is a device that does not end, expected a file");
    char* const room = f.copy_.room();
    if (room == nullptr) return unreadable(path, std::strerror(ENOMEM));
    const auto n = ::read(file.fd, room, f.copy_.room_size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return unreadable(path, std::strerror(errno));
    if (n == 0) return f;
    f.copy_.took(static_cast<std::size_t>(n));
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      copy_(std::move(other.copy_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(size_, other.size_);
  std::swap(copy_, other.copy_);
  return *this;
}

MappedFile::~MappedFile() {
  unmap();
}

void MappedFile::unmap() {
  // POSIX takes a pointer to non-const although the pages are read-only.
  if (mapping_ != nullptr)
    ::munmap(const_cast<char*>(mapping_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  mapping_ = nullptr;
}

}  // namespace busline
