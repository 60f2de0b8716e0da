// For tests: Program files with wrong contents and right checksums.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "workloads/program/checksum.hpp"
#include "workloads/program/layout.hpp"

namespace busline::program_file {

/// Gives header and sections the checksums that fit their bytes; sections that lie outside keep theirs.
inline void seal(std::string& bytes) {
  Front front;
  std::memcpy(&front.header, bytes.data(), sizeof front.header);
  const auto size = front_size(front.header.version);
  std::memcpy(&front, bytes.data(), size);
  for (auto& s : front.sections)
    if (s.offset <= bytes.size()) s.checksum = xxh64(std::string_view(bytes).substr(s.offset, s.bytes));
  const auto put = [&](std::uint64_t checksum) {
    front.header.checksum = checksum;
    std::memcpy(bytes.data(), &front, size);
  };
  put(0);
  put(xxh64(std::string_view(bytes).substr(0, size)));
}

}  // namespace busline::program_file
