#include "measuring/sion/container.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "measuring/sion/container_writer.hpp"
#include "measuring/sion/test_stream.hpp"
#include "sim/base/random.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::sion;
namespace fs = std::filesystem;

namespace {

Streams streams_of(const std::vector<std::string>& contents) {
  Streams s;
  for (const auto& c : contents) s.bytes.push_back(c.size());
  s.content = [contents](std::uint32_t rank) { return contents[rank]; };
  return s;
}

std::vector<std::string> random_streams(std::uint32_t ranks, std::uint32_t most_bytes) {
  Random random(ranks + most_bytes);
  std::vector<std::string> all(ranks);
  for (auto& s : all) {
    s.resize(random.below(most_bytes + 1));
    for (auto& c : s) c = static_cast<char>(random.below(256));
  }
  return all;
}

std::string container_error(const std::string& bytes) {
  const auto c = Container::in_memory("x.sion", bytes);
  return c ? "" : to_string(c.error());
}

template <class Number>
std::string with(std::string bytes, std::size_t offset, Number value) {
  store(bytes.data() + offset, value, ByteOrder::little);
  return bytes;
}

}  // namespace

TEST_CASE("numbers are read in the order in which they were written") {
  char bytes[8];
  store(bytes, std::int32_t{0x01020304}, ByteOrder::big);
  CHECK(std::string(bytes, 4) == "\x01\x02\x03\x04");
  CHECK(load<std::int32_t>(bytes, ByteOrder::big) == 0x01020304);
  CHECK(load<std::int32_t>(bytes, ByteOrder::little) == 0x04030201);
  store(bytes, 1.5e-6, ByteOrder::big);
  CHECK(load<double>(bytes, ByteOrder::big) == 1.5e-6);
}

TEST_CASE("containers that SIONlib wrote are read as another reader reads them") {
  const fs::path folder = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/linktest/container";
  std::size_t read = 0;
  for (const auto* name : {"a1", "a2", "a3", "a4", "a5", "a9", "a13"}) {
    CAPTURE(name);
    const auto container = Container::open((folder / (std::string(name) + ".sion")).string());
    REQUIRE(container);
    std::ifstream in(folder / (std::string(name) + ".golden.json"));
    const auto golden = nlohmann::json::parse(in);
    REQUIRE(golden["parts"].size() == container->files().size());
    for (std::size_t f = 0; f < container->files().size(); ++f) {
      const auto& file = container->files()[f];
      const auto& expected = golden["parts"][f];
      const auto& h = file.header();
      CHECK(expected["meta_big_endian"] == (h.metadata_order == ByteOrder::big));
      CHECK(expected["data_big_endian"] == (h.data_order == ByteOrder::big));
      CHECK(expected["sion_version"] == std::to_string(h.library_version / 1000) + "." +
                                            std::to_string(h.library_version % 1000) + "." +
                                            std::to_string(h.library_patch));
      CHECK(expected["fileformat"] == h.format);
      CHECK(expected["fsblksize"] == h.file_system_block);
      CHECK(expected["ntasks"] == h.ranks);
      CHECK(expected["nfiles"] == h.files);
      CHECK(expected["filenumber"] == h.file_number);
      CHECK(expected["prefix"] == h.name);
      CHECK(expected["maxusedchunks"] == file.blocks());
      CHECK(expected["start_of_data"] == file.data_begin());
      CHECK(expected["globalskip"] == file.block_stride());
      CHECK(expected["start_of_metablock2"] == file.second_metablock());
      CHECK(expected["file_size"] == file.bytes().size());
      for (std::uint32_t r = 0; r < file.ranks(); ++r) {
        CHECK(expected["globalranks"][r] == file.global_rank(r));
        CHECK(expected["chunksizes"][r] == file.chunk_size(r));
        CHECK(expected["startptr"][r] == file.chunk_begin(r, 0));
        CHECK(expected["blockcount"][r] == file.block_count(r));
        for (std::uint32_t b = 0; b < file.blocks(); ++b)
          CHECK(expected["blocksizes"][b][r] == file.block_size(r, b));
      }
      CHECK((expected["mapping"].is_null() ? 0 : expected["mapping"].size()) == file.mapping_size());
    }
    for (std::uint32_t rank = 0; rank < container->ranks(); ++rank)
      CHECK(golden["streams"][rank]["bytes"] == container->stream(rank).size());
    ++read;
  }
  CHECK(read == 7);
}

TEST_CASE("every container that is written is read back, whatever its layout") {
  const TestFolder folder;
  for (const std::uint32_t ranks : {1U, 2U, 5U, 40U})
    for (const std::uint32_t most_bytes : {0U, 300U, 5000U}) {
      const auto streams = random_streams(ranks, most_bytes);
      for (std::uint32_t n = 0; n < 64; ++n) {
        WriteOptions options;
        if ((n & 1U) != 0) options.metadata_order = ByteOrder::big;
        if ((n & 2U) != 0) options.data_order = ByteOrder::big;
        options.aligned = (n & 4U) != 0;
        if ((n & 8U) != 0) options.chunk_bytes = 700;
        if ((n & 16U) != 0) options.file_system_block = 512;
        if ((n & 32U) != 0) options.files = std::min(ranks, 3U);
        CAPTURE(ranks);
        CAPTURE(most_bytes);
        CAPTURE(n);
        for (std::uint32_t k = 0; k < 3; ++k) folder.new_file(file_name("c.sion", k));
        const auto path = folder.file("c.sion");
        REQUIRE(write_container(path, streams_of(streams), options));
        const auto container = Container::open(path);
        REQUIRE(container);
        CHECK(container->files().size() == options.files);
        CHECK(container->data_order() == options.data_order);
        REQUIRE(container->ranks() == ranks);
        bool same = true;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
          same = same && content_of(container->stream(rank)) == streams[rank];
        CHECK(same);
        const auto& first = container->files().front();
        if (options.aligned) CHECK(first.chunk_begin(first.ranks() - 1, 0) % options.file_system_block == 0);
        CHECK(first.header().name == "c.sion");
      }
    }
  CHECK(folder.files() == 3);  // the last container's, and nothing else
}

TEST_CASE("a packed container has the layout of SIONlib's collective mode") {
  // Chunk sizes and places of the file that LinkTest 1.2p1 wrote for 4 ranks (np4_default.sion).
  const TestFolder folder;
  const auto path = folder.file("c.sion");
  REQUIRE(write_container(path, streams_of({std::string(553, 'a'), std::string(337, 'b'),
                                            std::string(337, 'c'), std::string(337, 'd')})));
  const auto container = Container::open(path);
  REQUIRE(container);
  const auto& f = container->files().front();
  CHECK(f.chunk_size(0) == 553);
  CHECK(f.chunk_size(3) == 2869);
  CHECK(f.chunk_begin(3, 0) == 5323);
  CHECK(f.second_metablock() == 8192);
  CHECK(f.bytes().size() == 8256);
}

TEST_CASE("a stream is read from any position, across blocks, and knows where its bytes lie") {
  const TestFolder folder;
  const auto path = folder.file("c.sion");
  std::string letters(26, '\0');
  std::iota(letters.begin(), letters.end(), 'a');
  WriteOptions options;
  options.chunk_bytes = 4;
  options.file_system_block = 1;
  REQUIRE(write_container(path, streams_of({letters, "xyz"}), options));
  const auto container = Container::open(path);
  REQUIRE(container);
  const auto stream = container->stream(0);
  for (std::size_t from = 0; from <= letters.size(); ++from)
    for (std::size_t n = 0; n <= letters.size() - from; ++n) {
      std::string some(n, '\0');
      stream.read(from, some.data(), n);
      CHECK(some == letters.substr(from, n));
    }
  const auto bytes = content_of(path);
  for (std::size_t i = 0; i < letters.size(); ++i) CHECK(bytes[stream.file_offset(i)] == letters[i]);
  CHECK(stream.file_offset(26) == stream.file_offset(25) + 1);
  CHECK(content_of(container->stream(1)) == "xyz");
}

TEST_CASE("an old container's chunks are rounded up to the file system's block") {
  // Format 3 stores what was asked for. Two ranks, blocks of 512 bytes: 1088 + 2 * 16 = 1120, so that the
  // data begins at 1536; a chunk of 100 takes 512.
  const TestFolder folder;
  const auto path = folder.file("c.sion");
  WriteOptions options;
  options.aligned = true;
  options.file_system_block = 512;
  REQUIRE(write_container(path, streams_of({std::string(100, 'a'), std::string(100, 'b')}), options));
  auto bytes = with(content_of(path), 16, std::int32_t{3});
  for (const std::size_t rank : {0U, 1U}) bytes = with(bytes, 1076 + 16 + 8 * rank, std::int64_t{100});
  const auto container = Container::in_memory(path, bytes);
  REQUIRE(container);
  CHECK(content_of(container->stream(1)) == std::string(100, 'b'));
  CHECK(container->stream(1).file_offset(0) == 1536 + 512);
}

TEST_CASE("errors in a container name the place and what was expected") {
  const TestFolder folder;
  const auto path = folder.file("c.sion");
  REQUIRE(write_container(path, streams_of({"abc", "de"})));
  const auto good = content_of(path);
  REQUIRE(container_error(good).empty());
  constexpr std::int64_t kHuge = std::int64_t{1} << 60U;
  // With 2 ranks: global ranks at 1076, chunk sizes at 1092, number of blocks at 1108, pointer at 1112, data
  // from 4096 to 8192, then block counts and sizes.
  CHECK(container_error("") ==
        "x.sion:+0: does not start with the letters 'sion'\n  the file is not a SION container");
  CHECK(container_error(good.substr(0, 100)) ==
        "x.sion:+100: header: the file ends here, expected at least 1088 bytes\n  the file is truncated");
  CHECK(container_error(with(good, 5, char{1})) ==
        "x.sion:+4: byte order: is 00 01 00 00, expected the outer two bytes to be equal, the inner two as "
        "well, and each 00 or 01");
  CHECK(container_error(with(good, 16, std::int32_t{6})) == "x.sion:+16: file format: is 6, expected 3 to 5");
  CHECK(container_error(with(good, 20, std::int32_t{0})) ==
        "x.sion:+20: file system's block: is 0, expected 1 or more");
  CHECK(container_error(with(good, 24, std::int32_t{-1})) ==
        "x.sion:+24: number of ranks: is -1, expected 1 or more");
  CHECK(container_error(with(good, 24, std::int32_t{1000})) ==
        "x.sion:+24: number of ranks: is 1000, but the file's 8224 bytes have room for at most 446");
  CHECK(container_error(with(good, 32, std::int32_t{1})) ==
        "x.sion:+32: file number: is 1, expected 0\n"
        "  open the first file of the container, whose name ends without a number");
  CHECK(container_error(with(good, 40, std::int32_t{51})) ==
        "x.sion:+36: flags: the ranks' data has keys before its records (mode 51), which is not supported");
  CHECK(container_error(with(good, 1076, std::int64_t{1})) ==
        "x.sion:+1084: global rank: is 1, which occurs twice");
  CHECK(container_error(with(good, 1076, std::int64_t{2})) ==
        "x.sion:+1076: global rank: is 2, expected 0 to 1");
  CHECK(container_error(with(good, 1092, std::int64_t{-3})) ==
        "x.sion:+1092: chunk size: is -3, expected 0 or more");
  CHECK(container_error(with(good, 1100, std::int64_t{0x7fffffffffffffff})) ==
        "x.sion:+1100: chunk size: is 9223372036854775807, expected at most 9223372036854771708 after the "
        "chunks before it");
  CHECK(container_error(with(good, 1092, std::int64_t{4})) ==
        "x.sion:+1112: second metablock: is at 8192, but 1 block of 4097 bytes from 4096 end at 8193");
  CHECK(container_error(with(good, 1108, std::int32_t{1'000'000'000})) ==
        "x.sion:+1108: number of blocks: is 1000000000, but the 32 bytes of the second metablock have room "
        "for 1\n  the file is truncated");
  CHECK(container_error(with(with(with(good, 1092, kHuge), 1100, kHuge), 1108, std::int32_t{-1}))
            .starts_with("x.sion:+1108: number of blocks: is -1, but"));
  CHECK(container_error(good + std::string("\x03\0\0\0", 4)) ==
        "x.sion:+8224: mapping: has 3 ranks, expected 0 to 0");
  CHECK(container_error(with(good, 1112, std::int64_t{0})) ==
        "x.sion:+1112: second metablock: is at 0, expected an offset within the file's 8224 bytes\n"
        "  the program that wrote the file ended before closing it");
  CHECK(container_error(good.substr(0, 8220)) ==
        "x.sion:+1108: number of blocks: is 1, but the 28 bytes of the second metablock have room for 0\n"
        "  the file is truncated");
  CHECK(container_error(with(good, 8192, std::int64_t{2})) ==
        "x.sion:+8192: number of blocks of a rank: is 2, expected 0 to 1");
  CHECK(container_error(with(good, 8192 + 16, std::int64_t{4})) ==
        "x.sion:+8208: size of a block: is 4, expected 0 to 3");
}

TEST_CASE("the files of a container must belong together") {
  const TestFolder folder;
  const auto path = folder.file("c.sion");
  WriteOptions options;
  options.files = 2;
  REQUIRE(write_container(path, streams_of({"abc", "de", "f"}), options));
  const auto second = path + ".000001";
  const auto error = [&] {
    const auto c = Container::open(path);
    return c ? "" : to_string(c.error());
  };
  const auto good = content_of(second);
  CHECK(error().empty());

  std::ofstream(second, std::ios::binary) << with(good, 32, std::int32_t{2});
  CHECK(error() == second + ":+32: file number: is 2, expected 1");
  std::ofstream(second, std::ios::binary) << with(good, 28, std::int32_t{3});
  CHECK(error() == second + ":+28: number of files: is 3, but that of " + path + " is 2");
  std::ofstream(second, std::ios::binary) << with(with(good, 5, char{1}), 6, char{1});
  CHECK(error() == second + ":+4: byte order: of the data differs from that of " + path);
  std::ofstream(second, std::ios::binary) << with(good, 1076, std::int64_t{0});
  CHECK(error() == second + ":+1076: global rank: is 0, which occurs twice");
  std::ofstream(second, std::ios::binary)
      << with(with(good, 1076, std::int64_t{2}), 1084, std::int64_t{1});  // the ranks change places
  CHECK(error().find("mapping: rank 1 is number 0 of file 1, but its file declares number 1 of file 1") !=
        std::string::npos);
  fs::remove(second);
  CHECK(error() == second + ": cannot be read: No such file or directory\n  " + path +
                       " declares itself the first of 2 files");
  std::ofstream(second, std::ios::binary) << good;
  CHECK(error().empty());
  CHECK(to_string(Container::open(second).error()) ==
        second +
            ":+32: file number: is 1, expected 0\n"
            "  open the first file of the container, whose name ends without a number");
}

TEST_CASE("a container that cannot be written leaves nothing behind") {
  const TestFolder folder;
  const auto written = write_container(folder.file("no/such/folder.sion"), streams_of({"a"}));
  REQUIRE_FALSE(written);
  CHECK(written.error().kind == Error::Kind::unreadable);
  CHECK(folder.files() == 0);
}
