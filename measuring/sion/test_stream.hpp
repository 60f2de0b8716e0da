// For tests: the bytes of a rank's stream.
#pragma once
#include <string>

#include "measuring/sion/container.hpp"

namespace busline::sion {

inline std::string content_of(const RankStream& stream) {
  std::string bytes(stream.size(), '\0');
  stream.read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace busline::sion
