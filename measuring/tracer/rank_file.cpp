#include "measuring/tracer/rank_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace busline::tracer {

RankFile::~RankFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string RankFile::open(const std::string& path) {
  path_ = path;
  constexpr mode_t kMode = 0666;  // less what the user's mask forbids
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor_ < 0) return std::strerror(errno);
  const auto kept = std::exchange(kept_, {});
  if (const auto written = write(kept); !written) return written.error().message;
  return {};
}

Expected<void> RankFile::write(std::string_view bytes) {
  if (descriptor_ < 0) {
    kept_ += bytes;
    return {};
  }
  while (!bytes.empty()) {
    const auto n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return refuse_file(Error::Kind::unreadable, path_,
                         std::string("cannot be written: ") + std::strerror(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace busline::tracer
