#include "workloads/otf2/anchor.hpp"

#include <fmt/format.h>

#include "workloads/otf2/cursor.hpp"
#include "workloads/otf2/record_types.hpp"

namespace busline::otf2 {
namespace {

constexpr std::string_view kMagic("OTF2\0", 5);
constexpr std::size_t kMagicAt = 2;
constexpr std::uint8_t kPosixFiles = 1, kNotCompressed = 1, kTraceFormat = 2;
constexpr std::uint64_t kLeastChunk = 256U << 10U, kMostChunk = 16U << 20U;  // OTF2_CHUNK_SIZE_MIN, _MAX

tl::unexpected<Error> refuse_anchor(Error::Kind kind, const std::string& path, std::string message) {
  return refuse_file(kind, path, std::move(message));
}

}  // namespace

bool looks_like_otf2(std::string_view head) {
  return head.size() >= kMagicAt + kMagic.size() && head.front() == kChunkHeader &&
         head.substr(kMagicAt, kMagic.size()) == kMagic;
}

Expected<Anchor> read_anchor(std::string_view bytes, const std::string& path) {
  using enum Error::Kind;
  if (!looks_like_otf2(bytes))
    return refuse_anchor(bad_input, path, "not the anchor file of an OTF2 archive");
  Cursor c(bytes, kMagicAt + kMagic.size(), bytes[1] == '#');
  c.byte();  // layout of this file
  const auto format = c.byte();
  c.take(3);  // version of the library
  Anchor a;
  a.event_chunk = c.fixed<std::uint64_t>();
  a.definition_chunk = c.fixed<std::uint64_t>();
  const auto substrate = c.byte(), compression = c.byte();
  c.take(2 * sizeof(std::uint64_t));  // numbers of locations and of global definitions
  c.text();                           // machine
  a.creator = c.text();
  if (!c.ok()) return refuse_anchor(bad_input, path, "the anchor file is cut");
  if (format != kTraceFormat)
    return refuse_anchor(unsupported, path, fmt::format("trace format {}; format 2 is read", format));
  if (substrate != kPosixFiles)
    return refuse_anchor(unsupported, path, "an archive in a SION container, which is not read");
  if (compression != kNotCompressed)
    return refuse_anchor(unsupported, path, "a compressed archive, which is not read");
  for (const auto size : {a.event_chunk, a.definition_chunk})
    if (size < kLeastChunk || size > kMostChunk)
      return refuse_anchor(
          bad_input, path,
          fmt::format("chunks of {} bytes, expected {} to {}", size, kLeastChunk, kMostChunk));
  return a;
}

}  // namespace busline::otf2
