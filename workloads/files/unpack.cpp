#include "workloads/files/unpack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#ifdef BUSLINE_HAS_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef BUSLINE_HAS_LZMA
#include <lzma.h>
#endif

namespace busline {
namespace {

constexpr std::size_t kLeastRoom = 65536;

/// The packed bytes of a file, and the bytes unpacked so far.
struct Unpacking {
  const std::string& path;
  std::string_view packed;  // all
  std::size_t wanted;
  GrowingBytes out{};

  Error error(std::string message, std::string hint) const {
    return file_error(Error::Kind::bad_input, path, std::move(message), std::move(hint));
  }
  tl::unexpected<Error> damaged(std::size_t offset, const char* kind, std::string_view what) const {
    auto e = error(fmt::format("the {} data {}", kind, what),
                   "the file is truncated or damaged; compress it again");
    e.offset = offset;
    return tl::unexpected(std::move(e));
  }
  /// Room for more, or an Error if the output is too large.
  Expected<char*> room() {
    const auto most = most_unpacked(packed.size());
    char* const at = out.bytes().size() > most ? nullptr : out.room();
    if (at != nullptr) return at;
    return tl::unexpected(
        error(fmt::format("unpacks to more than {} bytes, too many for its {}", most, packed.size()),
              "unpack it by hand if it is genuine"));
  }
  bool enough() const { return out.bytes().size() >= wanted; }
};

#ifdef BUSLINE_HAS_ZLIB
constexpr std::size_t kSlice = std::size_t{1}
                               << 30;  // zlib counts with 32 bits, so it gets at most this at a time

struct Inflate {
  z_stream stream{};
  bool ready = false;
  Inflate() { ready = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; }  // 16: gzip, not zlib's own format
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&stream); }
};

Expected<void> unpack_gzip(Unpacking& u) {
  Inflate inflater;
  auto& s = inflater.stream;
  std::size_t at = 0;  // of the next input
  while (inflater.ready && !u.enough()) {
    const auto room = u.room();
    if (!room) return tl::unexpected(room.error());
    const auto given = std::min(u.packed.size() - at, kSlice), taken = std::min(u.out.room_size(), kSlice);
    s.next_in = reinterpret_cast<const Bytef*>(u.packed.data() + at);
    s.avail_in = static_cast<uInt>(given);
    s.next_out = reinterpret_cast<Bytef*>(*room);
    s.avail_out = static_cast<uInt>(taken);
    const int code = inflate(&s, Z_NO_FLUSH);
    at += given - s.avail_in;
    u.out.took(taken - s.avail_out);
    if (code == Z_STREAM_END) {
      if (at == u.packed.size()) return {};
      // A file may hold several, one after the other.
      if (!u.packed.substr(at).starts_with("\x1f\x8b"))
        return u.damaged(at, "gzip", "is followed by other bytes");
      inflateReset(&s);
    } else if (code == Z_BUF_ERROR) {
      return u.damaged(at, "gzip", "ends too early");
    } else if (code != Z_OK) {
      return u.damaged(at, "gzip", s.msg == nullptr ? "is wrong" : fmt::format("is wrong: {}", s.msg));
    }
  }
  return {};
}
#endif

#ifdef BUSLINE_HAS_LZMA
// Memory limit of unpacking: the highest level of compression takes 65 MiB, a hostile header up to 4 GiB.
constexpr std::uint64_t kMostMemory = std::uint64_t{128} << 20;

struct XzDecoder {
  lzma_stream stream = LZMA_STREAM_INIT;
  bool ready = false;
  XzDecoder() { ready = lzma_stream_decoder(&stream, kMostMemory, LZMA_CONCATENATED) == LZMA_OK; }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;
  ~XzDecoder() { lzma_end(&stream); }
};

Expected<void> unpack_xz(Unpacking& u) {
  XzDecoder decoder;
  auto& s = decoder.stream;
  s.next_in = reinterpret_cast<const std::uint8_t*>(u.packed.data());
  s.avail_in = u.packed.size();
  while (decoder.ready && !u.enough()) {
    const auto room = u.room();
    if (!room) return tl::unexpected(room.error());
    const auto taken = u.out.room_size();
    s.next_out = reinterpret_cast<std::uint8_t*>(*room);
    s.avail_out = taken;
    const auto code = lzma_code(&s, LZMA_FINISH);
    u.out.took(taken - s.avail_out);
    const auto at = u.packed.size() - s.avail_in;
    switch (code) {
      case LZMA_OK:
        continue;
      case LZMA_STREAM_END:
        return {};
      case LZMA_BUF_ERROR:
        return u.damaged(at, "xz", "ends too early");
      case LZMA_MEMLIMIT_ERROR:
        return tl::unexpected(
            u.error(fmt::format("unpacking the xz data needs more than {} MiB of memory", kMostMemory >> 20),
                    "unpack it by hand: xz -d"));
      default:
        return u.damaged(at, "xz", "is wrong");
    }
  }
  return {};
}
#endif

struct Compression {
  std::string_view begin;  // its first bytes
  const char* name;
  Expected<void> (*unpack)(Unpacking&);  // nullptr: not in this program
  const char* library;                   // the library that it needs; nullptr: none can
};

constexpr std::array<Compression, 4> kCompressions{{
#ifdef BUSLINE_HAS_ZLIB
    {"\x1f\x8b", "gzip", unpack_gzip, "zlib"},
#else
    {"\x1f\x8b", "gzip", nullptr, "zlib"},
#endif
#ifdef BUSLINE_HAS_LZMA
    {std::string_view("\xfd\x37zXZ\0", 6), "xz", unpack_xz, "liblzma"},
#else
    {std::string_view("\xfd\x37zXZ\0", 6), "xz", nullptr, "liblzma"},
#endif
    {"BZh", "bzip2", nullptr, nullptr},
    {"\x28\xb5\x2f\xfd", "zstd", nullptr, nullptr},
}};

const Compression* find_compression(std::string_view bytes) {
  const auto* at = std::find_if(kCompressions.begin(), kCompressions.end(),
                                [&](const Compression& c) { return bytes.starts_with(c.begin); });
  return at == kCompressions.end() ? nullptr : at;
}

}  // namespace

char* GrowingBytes::room() {
  if (capacity_ - size_ >= kLeastRoom) return data_ + size_;
  const auto capacity = capacity_ + capacity_ / 2 + kLeastRoom;
  auto* const data = static_cast<char*>(std::realloc(data_, capacity));
  if (data == nullptr) return nullptr;
  data_ = data;
  capacity_ = capacity;
  return data_ + size_;
}

const char* compression_of(std::string_view bytes) {
  const auto* found = find_compression(bytes);
  return found == nullptr ? nullptr : found->name;
}

bool can_unpack(std::string_view compression) {
  return std::any_of(kCompressions.begin(), kCompressions.end(),
                     [&](const Compression& c) { return c.name == compression && c.unpack != nullptr; });
}

std::string_view without_compression(std::string_view name) {
  for (const std::string_view suffix : {".gz", ".xz"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return name;
}

bool is_hidden(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with('.');
}

Expected<GrowingBytes> unpack(const std::string& path, std::string_view packed, std::size_t wanted) {
  Unpacking u{path, packed, wanted};
  const auto* compression = find_compression(packed);
  if (compression == nullptr) return tl::unexpected(u.error("is not compressed", ""));
  if (compression->unpack == nullptr) {
    auto e = u.error(
        fmt::format("is compressed ({}), which this program cannot read", compression->name),
        compression->library == nullptr
            ? "unpack it, or compress it with gzip or xz"
            : fmt::format("unpack it, or build this program where {} is installed", compression->library));
    e.kind = Error::Kind::unsupported;
    return tl::unexpected(std::move(e));
  }
  auto done = compression->unpack(u);
  if (!done) return tl::unexpected(std::move(done.error()));
  return std::move(u.out);
}

}  // namespace busline
