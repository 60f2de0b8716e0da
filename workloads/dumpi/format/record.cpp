#include "workloads/dumpi/format/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {

constexpr std::size_t kMostFixedBytes = 8 * kMostArguments;

// The arguments before a record's first list lie at fixed places: a single comparison of lengths covers them
// all, without a branch for each.
struct FixedPart {
  struct Place {
    std::uint8_t at = 0;           // bytes from the first argument
    std::uint8_t shift = 0;        // shift for the 8 bytes from there
    std::uint8_t is_unsigned = 0;  // 1 for single bytes
  };
  bool recorded = false;  // such records exist
  bool is_all = true;     // no argument is left
  std::uint8_t arguments = 0;
  std::uint8_t bytes = 0;
  std::array<Place, kMostArguments> places{};
};

namespace {

constexpr std::size_t kBiases = 8;  // the clocks' biases, before the first record
constexpr std::size_t kTimeStampBytes = 12;
constexpr std::ptrdiff_t kFunctionBytes = 2, kLeastRecord = 3;

constexpr std::uint8_t width_of(Shape shape) {
  switch (shape) {
    case Shape::byte:
      return 1;
    case Shape::int16:
      return 2;
    case Shape::int32:
      return 4;
    case Shape::int64:
      return 8;
    default:
      return 0;  // not a number
  }
}

constexpr std::array<FixedPart, kFunctions> make_fixed_parts() {
  std::array<FixedPart, kFunctions> all{};
  for (std::size_t f = 0; f < kFunctions; ++f) {
    auto& fixed = all[f];
    fixed.recorded = kLayouts[f].recorded;
    for (std::size_t i = 0; i < kLayouts[f].arguments; ++i) {
      const auto& a = kLayouts[f].all[i];
      const auto width = width_of(a.shape);
      if (width == 0 || a.root_only) break;
      fixed.places[i] = {fixed.bytes, static_cast<std::uint8_t>(64 - 8 * width), width == 1};
      fixed.bytes = static_cast<std::uint8_t>(fixed.bytes + width);
      ++fixed.arguments;
    }
    fixed.is_all = fixed.arguments == kLayouts[f].arguments;
  }
  return all;
}
constexpr std::array<FixedPart, kFunctions> kFixedParts = make_fixed_parts();

// Thread and times, by mask.
constexpr std::array<std::uint8_t, 256> make_prefix_bytes() {
  std::array<std::uint8_t, 256> all{};
  for (std::size_t mask = 0; mask < all.size(); ++mask)
    all[mask] = static_cast<std::uint8_t>(((mask & Record::has_thread) != 0 ? 2U : 0U) +
                                          ((mask & Record::has_cpu_time) != 0 ? kTimeStampBytes : 0U) +
                                          ((mask & Record::has_wall_time) != 0 ? kTimeStampBytes : 0U));
  return all;
}
constexpr std::array<std::uint8_t, 256> kPrefixBytes = make_prefix_bytes();

// Moves `at` past the stamps; returns the larger number of nanoseconds.
inline std::uint32_t read_stamps(const char*& at, Stamps& s) {
  s.entry_seconds = load_big_endian<std::uint16_t>(at);
  s.entry_nanoseconds = load_big_endian<std::uint32_t>(at + 2);
  s.exit_seconds = load_big_endian<std::uint16_t>(at + 6);
  s.exit_nanoseconds = load_big_endian<std::uint32_t>(at + 8);
  at += kTimeStampBytes;
  return std::max(s.entry_nanoseconds, s.exit_nanoseconds);
}

// A list of texts; returns its start, or nullptr.
const char* skip_texts(ByteCursor& cursor, std::uint32_t n) {
  const char* const at = cursor.here();
  for (std::uint32_t i = 0; i < n && cursor.ok(); ++i) {
    const auto length = cursor.read<std::int32_t>();
    if (length < 0) return nullptr;
    cursor.take(static_cast<std::uint32_t>(length), 1);
  }
  return cursor.ok() ? at : nullptr;
}

// A list of lists; `nested` reads one of them after its length.
template <class Nested>
const char* skip_lists(ByteCursor& cursor, std::uint32_t n, Nested nested) {
  const char* const at = cursor.here();
  for (std::uint32_t i = 0; i < n && cursor.ok(); ++i) {
    const auto length = cursor.read<std::int32_t>();
    if (length < 0 || nested(static_cast<std::uint32_t>(length)) == nullptr) return nullptr;
  }
  return cursor.ok() ? at : nullptr;
}

}  // namespace

Status Record::status(std::size_t i, std::size_t k) const {
  const std::size_t width = status_bytes(version);
  return load_status(arguments[i].data + k * width, width);
}

RecordReader::RecordReader(const TraceFile& file)
    : file_(file),
      begin_(file.bytes().data()),
      at_(begin_ + std::min(file.records_begin() + kBiases, file.records_end())),
      end_(begin_ + file.records_end()),
      limit_(begin_ + file.bytes().size()),
      old_(file.version() < kStructHasLists) {
  record_.version = file.version();
}

RecordReader::RecordReader(const TraceFile& file, std::string_view record)
    : file_(file),
      begin_(record.data()),
      at_(begin_),
      end_(begin_ + record.size()),
      limit_(end_),
      first_function_(kFirstMpi3),
      functions_(kFunctions),
      old_(file.version() < kStructHasLists) {
  record_.version = file.version();
}

// Fewer bytes remain than a record has.
const Record* RecordReader::next_at_end() {
  if (end_ == at_) return nullptr;  // the end mark is missing, as in some old files
  const auto function = end_ - at_ < kFunctionBytes ? kEndOfStream - 1 : load_big_endian<std::uint16_t>(at_);
  if (function == kEndOfStream || (finalized_ && function == function_id("MPI_Send"))) return nullptr;
  error_ = damaged(file_.path(), record_.offset, fmt::format("record {}", record_.number), "is truncated");
  return nullptr;
}

const Record* RecordReader::fail_without_function(std::uint16_t function) {
  error_ = damaged(file_.path(), record_.offset, fmt::format("record {}", record_.number),
                   fmt::format("is of function {}, expected one that leaves records, or {} at the end",
                               function, kEndOfStream));
  return nullptr;
}

// Mask, thread, times and counters.
inline bool RecordReader::decode_prefix() {
  const auto mask = static_cast<std::uint8_t>(at_[kFunctionBytes]);
  const char* at = at_ + kLeastRecord;
  record_.mask = mask;
  if ((mask & Record::unknown_bits) != 0)
    return fail(fmt::format("has unknown bits in its mask {:#04x}", mask)) != nullptr;
  if (end_ - at < kPrefixBytes[mask]) return fail("is truncated in its times") != nullptr;
  record_.thread = 0;
  if ((mask & Record::has_thread) != 0) {
    record_.thread = load_big_endian<std::uint16_t>(at);
    at += 2;
  }
  std::uint32_t most = 0;  // nanoseconds
  if ((mask & Record::has_cpu_time) != 0) most = read_stamps(at, record_.cpu);
  if ((mask & Record::has_wall_time) != 0) most = std::max(most, read_stamps(at, record_.wall));
  if (std::int64_t{most} >= kNanosecondsPerSecond)
    return fail(fmt::format("has a time with {} nanoseconds, expected less than a second", most)) != nullptr;
  at_ = at;
  record_.counters = {};
  return (mask & Record::has_counters) == 0 || decode_counters();
}

bool RecordReader::decode_counters() {
  ByteCursor cursor = cursor_here();
  const std::size_t n = 2U * cursor.read<std::uint8_t>();
  const char* const at = cursor.take(n, 8);
  if (at == nullptr) return fail("is truncated in its counters") != nullptr;
  record_.counters = {at, n};
  at_ = cursor.here();
  return true;
}

// Invariant values are held in local variables: as far as the compiler knows, storing an argument might
// change the originals.
inline void RecordReader::decode_places(const FixedPart& fixed, const char* from) {
  const char* const at = at_;
  const auto* place = fixed.places.data();
  const auto* const end = place + fixed.arguments;
  for (auto* argument = record_.arguments.data(); place != end; ++place, ++argument) {
    const auto bits = load_big_endian<std::int64_t>(from + place->at) >> place->shift;
    *argument = {at + place->at, place->is_unsigned != 0 ? bits & 0xff : bits};
  }
}

inline bool RecordReader::decode_fixed_part() {
  const auto function = record_.function;
  const auto& fixed = kFixedParts[function];
  if (old_ && function == function_id("MPI_Init") && file_.version() < kInitHasOneCount)
    at_ += std::min<std::ptrdiff_t>(end_ - at_, 4);
  if (end_ - at_ < fixed.bytes) return fail("is truncated") != nullptr;
  // Reads 8 bytes at each place; the last read may reach beyond the file.
  const auto in_file = limit_ - at_;
  if (in_file < fixed.bytes + 8)
    decode_near_end(static_cast<std::size_t>(in_file));
  else
    decode_places(fixed, at_);
  at_ += fixed.bytes;
  return true;
}

const Record* RecordReader::next() {
  if (error_) return nullptr;
  record_.offset = static_cast<std::uint64_t>(at_ - begin_);
  ++record_.number;
  if (end_ - at_ < kLeastRecord) return next_at_end();
  const auto function = load_big_endian<std::uint16_t>(at_);
  if (function == kEndOfStream) return nullptr;
  // Old files end with zeros, which would be an MPI_Send.
  if (finalized_ && function == function_id("MPI_Send")) return nullptr;
  if (function < first_function_ || function >= functions_ || !kFixedParts[function].recorded)
    return fail_without_function(function);
  record_.function = function;
  if (!decode_prefix() || !decode_fixed_part()) return nullptr;
  if (!kFixedParts[function].is_all && !decode_rest()) return nullptr;
  if (function == function_id("MPI_Finalize")) finalized_ = true;
  return &record_;
}

// Reads from a copy with spare room at its end.
void RecordReader::decode_near_end(std::size_t in_file) {
  std::array<char, kMostFixedBytes + 8> copy{};
  std::memcpy(copy.data(), at_, std::min(in_file, copy.size()));
  decode_places(kFixedParts[record_.function], copy.data());
}

// The arguments from the first list on.
bool RecordReader::decode_rest() {
  const auto function = record_.function;
  const auto& layout = kLayouts[function];
  ByteCursor cursor = cursor_here();
  for (std::size_t i = kFixedParts[function].arguments; i < layout.arguments; ++i) {
    auto& argument = record_.arguments[i];
    if (layout.all[i].root_only &&
        record_.arguments[layout.rank].number != record_.arguments[layout.root].number) {
      argument = {};
      continue;
    }
    const auto shape = old_ ? shape_in(file_.version(), function, i) : layout.all[i].shape;
    argument.data = cursor.here();
    switch (shape) {
      case Shape::byte:
        argument.number = cursor.read<std::uint8_t>();
        continue;
      case Shape::int16:
        argument.number = cursor.read<std::int16_t>();
        continue;
      case Shape::int32:
        argument.number = cursor.read<std::int32_t>();
        continue;
      case Shape::int64:
        argument.number = cursor.read<std::int64_t>();
        continue;
      default:
        break;
    }
    if (shape == Shape::statuses && (record_.mask & Record::has_statuses) == 0) {
      argument.number = 0;
      continue;
    }
    if (cursor.left() < sizeof(std::int32_t))
      return fail(fmt::format("is truncated in its {}", layout.all[i].name)) != nullptr;
    if (!decode_list(cursor, argument, shape)) {
      fail(fmt::format("{} has {} elements, which do not fit in the {} bytes that are left",
                       layout.all[i].name, argument.number, cursor.left()));
      return false;
    }
  }
  at_ = cursor.here();
  return cursor.ok() || fail("is truncated") != nullptr;
}

// A length and that many elements.
bool RecordReader::decode_list(ByteCursor& cursor, Argument& argument, Shape shape) const {
  const auto n = cursor.read<std::int32_t>();
  argument.number = n;
  argument.data = nullptr;
  if (n < 0 || !cursor.ok()) return false;
  const auto size = static_cast<std::uint32_t>(n);
  const auto texts = [&cursor](std::uint32_t length) { return skip_texts(cursor, length); };
  const auto integers = [&cursor](std::uint32_t length) { return cursor.take(length, 4); };
  switch (shape) {
    case Shape::text:
    case Shape::bytes:
      argument.data = cursor.take(size, 1);
      break;
    case Shape::int16s:
      argument.data = cursor.take(size, 2);
      break;
    case Shape::int32s:
      argument.data = cursor.take(size, 4);
      break;
    case Shape::statuses:
      argument.data = cursor.take(size, status_bytes(record_.version));
      break;
    case Shape::texts:
      argument.data = texts(size);
      break;
    case Shape::int32_lists:
      argument.data = skip_lists(cursor, size, integers);
      break;
    case Shape::text_lists:
      argument.data = skip_lists(cursor, size, texts);
      break;
    default:
      return false;
  }
  return argument.data != nullptr;
}

const Record* RecordReader::fail(const std::string& message) {
  error_ = error_in(record_, message);
  return nullptr;
}

Error RecordReader::error_in(const Record& record, const std::string& message) const {
  return damaged(file_.path(), record.offset,
                 fmt::format("{} record {}", kFunctionTable[record.function].name, record.number), message);
}

}  // namespace busline::dumpi
