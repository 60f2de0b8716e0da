#include "tests/fuzz/memory_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace busline::fuzz {

MemoryFile::MemoryFile() : descriptor_(memfd_create("busline-fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) std::abort();
  path_ = fmt::format("/proc/self/fd/{}", descriptor_);
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

void MemoryFile::write(std::string_view bytes) {
  if (::ftruncate(descriptor_, 0) != 0) std::abort();
  if (::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
}

}  // namespace busline::fuzz
