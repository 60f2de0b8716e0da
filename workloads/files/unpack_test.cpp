#include "workloads/files/unpack.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "workloads/files/mapped_file.hpp"

#ifdef BUSLINE_HAS_ZLIB
#include <zlib.h>
#endif
#ifdef BUSLINE_HAS_LZMA
#include <lzma.h>
#endif

namespace {

using namespace busline;

constexpr std::size_t kMany = 300'000;  // more than one step of unpacking yields

// Bytes that do not repeat too soon.
std::string some_bytes() {
  std::string all;
  std::uint32_t state = 1;
  while (all.size() < kMany) all += static_cast<char>((state = state * 1664525 + 1013904223) >> 29);
  return all;
}

#ifdef BUSLINE_HAS_ZLIB
std::string gzip(const std::string& bytes) {
  z_stream s{};
  REQUIRE(deflateInit2(&s, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&s, bytes.size()), '\0');
  std::string from = bytes;
  s.next_in = reinterpret_cast<Bytef*>(from.data());
  s.avail_in = static_cast<uInt>(from.size());
  s.next_out = reinterpret_cast<Bytef*>(packed.data());
  s.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&s, Z_FINISH) == Z_STREAM_END);
  packed.resize(s.total_out);
  deflateEnd(&s);
  return packed;
}
#endif

#ifdef BUSLINE_HAS_LZMA
std::string xz(const std::string& bytes) {
  std::string packed(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(
              1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
              reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()) == LZMA_OK);
  packed.resize(size);
  return packed;
}
#endif

Error unpack_error(const std::string& packed) {
  const auto content = unpack("a.gz", packed);
  REQUIRE(!content.has_value());
  return content.error();
}

// Properties of every supported compression.
[[maybe_unused]] void check(const std::string& name, std::string (*pack)(const std::string&)) {
  CAPTURE(name);
  const auto bytes = some_bytes();
  const auto packed = pack(bytes);
  CHECK(compression_of(packed) == name);
  REQUIRE(unpack("a", packed).has_value());
  CHECK(unpack("a", packed)->bytes() == bytes);
  CHECK(unpack("a", pack("") + packed + packed)->bytes() == bytes + bytes);
  CHECK(unpack("a", pack(""))->bytes().empty());

  const auto head = unpack("a", packed, 100);
  REQUIRE(head.has_value());
  CHECK(head->bytes().size() < bytes.size());
  CHECK(head->bytes().substr(0, 100) == std::string_view(bytes).substr(0, 100));

  for (const std::size_t length : {packed.size() - 1, packed.size() / 2, std::size_t{12}}) {
    const auto e = unpack_error(packed.substr(0, length));
    CHECK(e.message == "the " + name + " data ends too early");
    CHECK(e.offset == length);
  }
  for (std::size_t at = 6; at < packed.size(); at += packed.size() / 50) {
    auto damaged = packed;
    damaged[at] = static_cast<char>(~damaged[at]);
    const auto content = unpack("a", damaged);
    if (!content) CHECK(content.error().kind == Error::Kind::bad_input);
  }
  auto damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(~damaged[packed.size() / 2]);
  CHECK(unpack_error(damaged).message.starts_with("the " + name + " data is wrong"));
  CHECK(unpack_error(packed + "more, and that is not packed").kind == Error::Kind::bad_input);
}

}  // namespace

#ifdef BUSLINE_HAS_ZLIB
TEST_CASE("gzip files are unpacked, and damaged ones are errors") {
  check("gzip", gzip);
  CHECK(unpack_error(gzip("a") + "more").message == "the gzip data is followed by other bytes");
  auto damaged = gzip("a");
  damaged[2] = '\0';
  CHECK(unpack_error(damaged).message == "the gzip data is wrong: unknown compression method");
}
#endif

#ifdef BUSLINE_HAS_LZMA
TEST_CASE("xz files are unpacked, and damaged ones are errors") {
  check("xz", xz);
}

TEST_CASE("a small file that would fill the memory is refused") {
  const auto bomb = xz(std::string(std::size_t{96} << 20, '\0'));
  REQUIRE(most_unpacked(bomb.size()) < std::size_t{96} << 20);
  const auto e = unpack_error(bomb);
  CHECK(e.message == "unpacks to more than " + std::to_string(most_unpacked(bomb.size())) +
                         " bytes, too many for its " + std::to_string(bomb.size()));
  CHECK(e.hint == "unpack it by hand if it is genuine");
}

TEST_CASE("a file whose header asks for more memory than unpacking may take is refused") {
  lzma_options_lzma options{};
  REQUIRE(!lzma_lzma_preset(&options, 0));
  options.dict_size = 1U << 30;
  std::array<lzma_filter, 2> filters{{{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
  // Only the header is made for so large a dictionary.
  auto packed = xz("abc");
  lzma_block block{};
  block.version = 0;
  block.check = LZMA_CHECK_CRC32;
  block.compressed_size = block.uncompressed_size = LZMA_VLI_UNKNOWN;
  block.filters = filters.data();
  REQUIRE(lzma_block_header_size(&block) == LZMA_OK);
  std::string header(block.header_size, '\0');
  REQUIRE(lzma_block_header_encode(&block, reinterpret_cast<std::uint8_t*>(header.data())) == LZMA_OK);
  packed.replace(12, packed.size(), header);
  const auto e = unpack_error(packed);
  CHECK(e.message == "unpacking the xz data needs more than 128 MiB of memory");
  CHECK(e.hint == "unpack it by hand: xz -d");
}
#endif

TEST_CASE("unsupported compressions are named") {
  const auto e = unpack_error("BZh91AY");
  CHECK(e.kind == Error::Kind::unsupported);
  CHECK(e.message == "is compressed (bzip2), which this program cannot read");
  CHECK(e.hint == "unpack it, or compress it with gzip or xz");
  CHECK(unpack_error("numprocs=2").message == "is not compressed");
  const auto folder = MappedFile::open(std::filesystem::temp_directory_path().string());
  REQUIRE(!folder);
  CHECK(folder.error().message.find("it is a folder") != std::string::npos);
  CHECK(compression_of("numprocs=2") == nullptr);
  CHECK(compression_of("") == nullptr);
  CHECK(without_compression("t-0000.bin.gz") == "t-0000.bin");
  CHECK(without_compression("t-0000.bin.xz") == "t-0000.bin");
  CHECK(without_compression("t-0000.bin") == "t-0000.bin");
  CHECK(most_unpacked(0) == std::size_t{64} << 20);
  CHECK(most_unpacked(std::size_t{1} << 60) == std::size_t{4} << 30);
}

#ifdef BUSLINE_HAS_ZLIB
TEST_CASE("a compressed file is read like the one that was compressed") {
  const auto path = std::filesystem::temp_directory_path() / ("busline-unpack-" + std::to_string(::getpid()));
  const auto bytes = some_bytes();
  std::ofstream(path, std::ios::binary) << gzip(bytes);
  auto file = MappedFile::open(path.string());
  REQUIRE(file.has_value());
  const auto view = file->text();
  const auto moved = std::move(*file);
  CHECK(moved.text() == bytes);
  CHECK(view.data() == moved.text().data());
  CHECK(*MappedFile::head(path.string(), 9) == bytes.substr(0, 9));
  std::filesystem::remove(path);
}
#endif
