// The bytes of a Program file (docs/reference/program-file.md): a header, a table of sections, and the
// sections. Numbers are little-endian; the big tables are arrays of the structs that the replay uses, so a
// mapped file needs no copy of them.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline::program_file {

using namespace std::string_view_literals;

/// Like PNG's: a byte that text does not contain, a name, and line ends that a transfer as text would change.
inline constexpr auto kMagic =
    "\x89"
    "BUSLINE\r\n\x1a\n"sv;
inline constexpr std::uint32_t kVersion = 2;       ///< with block lists
inline constexpr std::uint32_t kFirstVersion = 1;  ///< without; written where there are none
inline constexpr std::size_t kAlignment = 64;      ///< of every section
inline constexpr bool kSameByteOrder = std::endian::native == std::endian::little;  ///< others are rejected

/// In the order of the file, each once.
enum class Section : std::uint32_t {
  origin,         ///< texts: key, value, key, value, ...
  strands,        ///< StrandRecord
  operations,     ///< Operation
  channels,       ///< Channel
  wildcards,      ///< Wildcard
  collectives,    ///< CollectiveRecord
  request_slots,  ///< 4-byte numbers, by rank
  communicators,  ///< lists of 4-byte numbers
  call_names,     ///< texts
  labels,         ///< LabelRecord, then the bytes of their texts
  block_lists,    ///< 8-byte numbers: how many, the end of each, then the sizes of all
};
inline constexpr std::size_t kSections = 11;
constexpr std::size_t sections_of(std::uint32_t version) {
  return version == kFirstVersion ? kSections - 1 : kSections;
}
inline constexpr std::array<std::string_view, kSections> kSectionNames{
    "origin",        "strands",       "operations", "channels",     "wildcards",  "collectives",
    "request slots", "communicators", "call names", "event labels", "block lists"};

struct Header {
  std::array<char, 12> magic{};
  std::uint32_t version = kVersion;
  std::uint64_t file_bytes = 0;
  std::uint64_t checksum = 0;         ///< of header and section table, with 0 in this place
  std::int64_t traced_run_time = -1;  ///< ps; -1: not known
  std::uint32_t sections = kSections;
  std::array<std::uint32_t, 5> zero{};
};
struct SectionEntry {
  Section section{};
  std::uint32_t zero = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< without the padding after it, which is 0
  std::uint64_t checksum = 0;
};
struct Front {
  Header header;
  std::array<SectionEntry, kSections> sections;  ///< as many as the version has, and then the first section
};
/// Bytes of header and section table.
constexpr std::size_t front_size(std::uint32_t version) {
  return sizeof(Header) + sections_of(version) * sizeof(SectionEntry);
}
static_assert(sizeof(Header) == 64 && sizeof(SectionEntry) == 32 && sizeof(Front) == 64 + kSections * 32);
static_assert(offsetof(Header, version) == 12 && offsetof(Header, file_bytes) == 16 &&
              offsetof(Header, checksum) == 24 && offsetof(Header, traced_run_time) == 32 &&
              offsetof(Header, sections) == 40);
static_assert(offsetof(SectionEntry, offset) == 8 && offsetof(SectionEntry, bytes) == 16 &&
              offsetof(SectionEntry, checksum) == 24);

// ---- numbers with a meaning: when these change, so does kVersion

static_assert(static_cast<int>(OpKind::compute) == 0 && static_cast<int>(OpKind::wait_send) == 7 &&
              static_cast<int>(OpKind::collective) == 10 && static_cast<int>(OpKind::get) == 14 &&
              static_cast<int>(OpKind::again) == 19);
static_assert(Operation::first_of_call == 1 && Operation::synchronous == 2 && Operation::buffered == 4 &&
              Operation::elapsed == 8);
static_assert(kCollectiveKinds == 30 && static_cast<int>(CollectiveKind::exscan) == 16 &&
              static_cast<int>(CollectiveKind::finalize) == 29);

// ---- the tables whose structs have no padding

static_assert(sizeof(Operation) == 24 && offsetof(Operation, kind) == 0 && offsetof(Operation, flags) == 1 &&
              offsetof(Operation, call) == 2 && offsetof(Operation, peer) == 4 &&
              offsetof(Operation, amount) == 8 && offsetof(Operation, detail) == 16 &&
              offsetof(Operation, request) == 20);
static_assert(sizeof(Channel) == 16 && offsetof(Channel, source) == 0 &&
              offsetof(Channel, destination) == 4 && offsetof(Channel, communicator) == 8 &&
              offsetof(Channel, tag) == 12);
static_assert(sizeof(Wildcard) == 16 && offsetof(Wildcard, source) == 0 &&
              offsetof(Wildcard, destination) == 4 && offsetof(Wildcard, communicator) == 8 &&
              offsetof(Wildcard, tag) == 12);

// ---- those whose structs have: the same with names for it, so that it is 0 in a file

struct StrandRecord {
  std::uint32_t rank = 0, zero = 0;
  std::uint64_t begin = 0, end = 0;
};
static_assert(sizeof(StrandRecord) == sizeof(Strand) && sizeof(Strand) == 24 && offsetof(Strand, rank) == 0 &&
              offsetof(Strand, begin) == 8 && offsetof(Strand, end) == 16);

struct CollectiveRecord {
  std::uint8_t kind = 0, sync = 0, is_root = 0, zero = 0;
  std::uint32_t communicator = 0, root = 0, block_list = 0;
  std::uint64_t send_bytes = 0, recv_bytes = 0;
};
static_assert(sizeof(CollectiveRecord) == sizeof(CollectiveArgs) && sizeof(CollectiveArgs) == 32 &&
              sizeof(bool) == 1 && offsetof(CollectiveArgs, kind) == 0 &&
              offsetof(CollectiveArgs, sync) == 1 && offsetof(CollectiveArgs, is_root) == 2 &&
              offsetof(CollectiveArgs, communicator) == 4 && offsetof(CollectiveArgs, root) == 8 &&
              offsetof(CollectiveArgs, block_list) == 12 && offsetof(CollectiveArgs, send_bytes) == 16 &&
              offsetof(CollectiveArgs, recv_bytes) == 24);

struct LabelRecord {
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;  ///< of its text
  std::int64_t value = 0;
};
static_assert(sizeof(LabelRecord) == 16);

inline Error wrong_byte_order(const std::string& path) {
  return file_error(Error::Kind::unsupported, path,
                    "Program files are little-endian, and this machine is not",
                    "use the trace that it was made from");
}

/// Where the next section begins after `end`.
constexpr std::uint64_t aligned(std::uint64_t end) {
  return (end + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace busline::program_file
