#include "workloads/dumpi/format/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace busline::dumpi {
namespace {

constexpr std::size_t kBiases = 8;  // the clocks' biases, before the first record
constexpr std::size_t kStampBytes = 12;
constexpr std::uint32_t kNanosecondsPerSecond = 1'000'000'000;

Stamps read_stamps(const char* at) {
  Stamps s;
  s.entry_seconds = load_big_endian<std::uint16_t>(at);
  s.entry_nanoseconds = load_big_endian<std::uint32_t>(at + 2);
  s.exit_seconds = load_big_endian<std::uint16_t>(at + 6);
  s.exit_nanoseconds = load_big_endian<std::uint32_t>(at + 8);
  return s;
}

// A list of texts; gives where it begins, or nullptr.
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
  const char* const at = arguments[i].data + k * status_size;
  Status s;
  s.bytes = load_big_endian<std::int32_t>(at);
  s.source = load_big_endian<std::int32_t>(at + 4);
  s.cancelled = at[8] != 0;
  s.tag = status_size == status_bytes(kNewestKnown) ? load_big_endian<std::int32_t>(at + 10) : -1;
  return s;
}

RecordReader::RecordReader(const TraceFile& file)
    : file_(file),
      cursor_(file.bytes().substr(0, file.records_end()), file.records_begin() + kBiases),
      old_(file.version() < kStructHasLists) {
  record_.status_size = status_bytes(file.version());
}

const Record* RecordReader::next() {
  if (error_) return nullptr;
  if (cursor_.ok() && cursor_.left() == 0) return nullptr;  // the end mark is missing, as in some old files
  record_.offset = cursor_.position();
  ++record_.number;
  const auto function = cursor_.read<std::uint16_t>();
  if (function == kEndOfStream && cursor_.ok()) return nullptr;
  // Old files end with zeros, which would be an MPI_Send.
  if (finalized_ && function == function_id("MPI_Send")) return nullptr;
  if (!cursor_.ok() || function >= kFunctions || !kLayouts[function].recorded) {
    error_ =
        damaged(file_.path(), record_.offset, fmt::format("record {}", record_.number),
                cursor_.ok() ? fmt::format("is of function {}, which does not exist", function) : "is cut");
    return nullptr;
  }
  record_.function = function;
  if (!decode_prefix() || !decode_arguments()) return nullptr;
  if (function == function_id("MPI_Finalize")) finalized_ = true;
  return &record_;
}

bool RecordReader::decode_prefix() {
  const auto mask = cursor_.read<std::uint8_t>();
  record_.mask = mask;
  if ((mask & Record::unknown_bits) != 0)
    return fail(fmt::format("has unknown bits in its mask {:#04x}", mask)) != nullptr;
  record_.thread = (mask & Record::has_thread) != 0 ? cursor_.read<std::uint16_t>() : std::uint16_t{0};
  for (const auto clock : {Record::has_cpu_time, Record::has_wall_time}) {
    if ((mask & clock) == 0) continue;
    const char* const at = cursor_.take(kStampBytes, 1);
    if (at == nullptr) return fail("is cut in its times") != nullptr;
    auto& stamps = clock == Record::has_cpu_time ? record_.cpu : record_.wall;
    stamps = read_stamps(at);
    if (stamps.entry_nanoseconds >= kNanosecondsPerSecond || stamps.exit_nanoseconds >= kNanosecondsPerSecond)
      return fail(fmt::format("has a time with {} nanoseconds, expected less than a second",
                              std::max(stamps.entry_nanoseconds, stamps.exit_nanoseconds))) != nullptr;
  }
  if ((mask & Record::has_counters) != 0 && cursor_.take(cursor_.read<std::uint8_t>(), 16) == nullptr)
    return fail("is cut in its counters") != nullptr;
  return cursor_.ok() || fail("is cut") != nullptr;
}

bool RecordReader::decode_arguments() {
  const auto function = record_.function;
  const auto& layout = kLayouts[function];
  if (old_ && function == function_id("MPI_Init") && file_.version() < kInitHasOneCount)
    cursor_.read<std::int32_t>();
  for (std::size_t i = 0; i < layout.arguments; ++i) {
    auto& argument = record_.arguments[i];
    if (layout.all[i].root_only &&
        record_.arguments[layout.rank].number != record_.arguments[layout.root].number) {
      argument = {};
      continue;
    }
    const auto shape = old_ ? shape_in(file_.version(), function, i) : layout.all[i].shape;
    argument.data = cursor_.here();
    switch (shape) {
      case Shape::byte:
        argument.number = cursor_.read<std::uint8_t>();
        continue;
      case Shape::int16:
        argument.number = cursor_.read<std::int16_t>();
        continue;
      case Shape::int32:
        argument.number = cursor_.read<std::int32_t>();
        continue;
      case Shape::int64:
        argument.number = cursor_.read<std::int64_t>();
        continue;
      default:
        break;
    }
    if (shape == Shape::statuses && (record_.mask & Record::has_statuses) == 0) {
      argument.number = 0;
      continue;
    }
    if (!decode_list(argument, shape)) {
      fail(fmt::format("{} has {} elements, which do not fit in the {} bytes that are left",
                       layout.all[i].name, argument.number, cursor_.left()));
      return false;
    }
  }
  return cursor_.ok() || fail("is cut") != nullptr;
}

// A length and that many elements.
bool RecordReader::decode_list(Argument& argument, Shape shape) {
  const auto n = cursor_.read<std::int32_t>();
  argument.number = n;
  argument.data = nullptr;
  if (n < 0 || !cursor_.ok()) return false;
  const auto size = static_cast<std::uint32_t>(n);
  const auto texts = [this](std::uint32_t length) { return skip_texts(cursor_, length); };
  const auto integers = [this](std::uint32_t length) { return cursor_.take(length, 4); };
  switch (shape) {
    case Shape::text:
    case Shape::bytes:
      argument.data = cursor_.take(size, 1);
      break;
    case Shape::int16s:
      argument.data = cursor_.take(size, 2);
      break;
    case Shape::int32s:
      argument.data = cursor_.take(size, 4);
      break;
    case Shape::statuses:
      argument.data = cursor_.take(size, record_.status_size);
      break;
    case Shape::texts:
      argument.data = texts(size);
      break;
    case Shape::int32_lists:
      argument.data = skip_lists(cursor_, size, integers);
      break;
    case Shape::text_lists:
      argument.data = skip_lists(cursor_, size, texts);
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
