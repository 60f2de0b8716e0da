#include "measuring/linktest/payload_cursor.hpp"

#include <fmt/format.h>

#include <utility>

namespace busline::linktest {

bool PayloadCursor::sees(std::string_view bytes) const {
  if (!ok_ || bytes.size() > left()) return false;
  std::string next(bytes.size(), '\0');
  stream_.read(position_, next.data(), next.size());
  return next == bytes;
}

Error PayloadCursor::wrong(std::uint64_t position, std::string_view what, std::string message,
                           std::string hint) const {
  Error e;
  e.path = stream_.path();
  e.offset = stream_.file_offset(position);
  e.where = fmt::format("rank {}, {}", rank_, what);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

Error PayloadCursor::cut(std::string_view what) const {
  return wrong(position_, what,
               fmt::format("extends beyond the {} bytes that the rank wrote", stream_.size()),
               "the file is truncated, or its lengths are wrong");
}

}  // namespace busline::linktest
