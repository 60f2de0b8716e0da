#include "workloads/dumpi/format/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace busline::dumpi {
namespace {

constexpr std::string_view kMagic = "\xff\xaa\xdd\x44\x55\x4d\x50\x49";
constexpr std::uint64_t kFooterMagic = 0xf007fee7;
constexpr std::size_t kBodyStart = kMagic.size();
constexpr std::size_t kCounters = kCountedFunctions + 1;  // the last one is the total

// The entries of the index that follow its magic, newest form. Older forms lack the first ones.
enum Entry : std::size_t { kSizes, kLabels, kCounterLabels, kHeader, kBody, kFooter, kKeyvals, kEntries };
constexpr std::array<const char*, kEntries> kEntryNames{
    "datatype sizes", "function labels", "counter labels", "header", "call records", "footer", "key values"};

}  // namespace

Error damaged(const std::string& path, std::uint64_t offset, std::string where, std::string message) {
  Error e;
  e.kind = Error::Kind::bad_input;
  e.path = path;
  e.offset = offset;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint = "the file is cut or damaged, or not of this trace";
  return e;
}

Expected<TraceFile> TraceFile::open(const std::string& path, Diagnostics& diagnostics) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return tl::unexpected(std::move(mapped.error()));
  TraceFile file(path, std::move(*mapped));
  const auto read = file.read_index(diagnostics);
  if (!read) return tl::unexpected(read.error());
  return file;
}

// The index is the end of the file: the magic, then 8-byte offsets, 0 where there is no such part. It grew
// from 40 to 64 bytes over the years.
Expected<void> TraceFile::read_index(Diagnostics& diagnostics) {
  const auto all = bytes();
  if (all.empty()) {
    auto e = damaged(path_, 0, "", "the file is empty");
    e.hint = "the rank was killed before the tracer wrote its buffer; trace the run again";
    return tl::unexpected(std::move(e));
  }
  if (!all.starts_with(kMagic))
    return fail(0, "", "does not begin with the 8 bytes of a DUMPI trace (ff aa dd \"DUMPI\")");
  std::size_t first = 0;  // the first entry that this form has
  const auto length = [&] { return 8 * (kEntries + 1 - first); };
  while (all.size() < kBodyStart + length() || !all.substr(all.size() - length()).starts_with(kMagic))
    if (++first > kHeader)
      return fail(all.size(), "", "does not end with an index of 64, 56, 48 or 40 bytes");

  const std::size_t index = all.size() - length();
  std::array<std::uint64_t, kEntries> at{};
  ByteCursor cursor(all, index + kMagic.size());
  for (std::size_t i = first; i < kEntries; ++i) {
    const auto place = cursor.position();
    at[i] = cursor.read<std::uint64_t>();
    if (at[i] != 0 && (at[i] < kBodyStart || at[i] >= index))
      return fail(place, "index",
                  fmt::format("{} at {}, expected {} to {}", kEntryNames[i], at[i], kBodyStart, index - 1));
    if (at[i] == 0 && i != kKeyvals && i != kBody)
      diagnostics.push_back({Diagnostic::Severity::warning, "missing-part",
                             fmt::format("the file has no {}", kEntryNames[i]), path_, place});
  }
  if (at[kBody] == 0) return fail(index, "index", "the file has no call records");

  records_begin_ = static_cast<std::size_t>(at[kBody]);
  records_end_ = index;
  for (const auto offset : at)
    if (offset > at[kBody]) records_end_ = std::min(records_end_, static_cast<std::size_t>(offset));
  if (at[kFooter] != 0 && at[kFooter] < at[kBody])
    return fail(index, "index",
                fmt::format("the footer is at {}, before the call records at {}", at[kFooter], at[kBody]));

  using Reader = Expected<void> (TraceFile::*)(std::uint64_t);
  constexpr std::array<std::pair<Entry, Reader>, 5> kReaders{{{kHeader, &TraceFile::read_header},
                                                              {kFooter, &TraceFile::read_footer},
                                                              {kCounterLabels, &TraceFile::read_counters},
                                                              {kSizes, &TraceFile::read_sizes},
                                                              {kLabels, &TraceFile::read_labels}}};
  for (const auto& [entry, reader] : kReaders)
    if (at[entry] != 0)
      if (auto done = (this->*reader)(at[entry]); !done) return done;
  if (version_ > kNewestKnown)
    diagnostics.push_back({Diagnostic::Severity::warning, "unknown-version",
                           fmt::format("written by version {}.{}.{}, newer than {}.{}.{}: read as that",
                                       version_.major, version_.minor, version_.patch, kNewestKnown.major,
                                       kNewestKnown.minor, kNewestKnown.patch),
                           path_, at[kHeader]});
  return {};
}

Expected<void> TraceFile::read_header(std::uint64_t at) {
  ByteCursor cursor(bytes(), static_cast<std::size_t>(at));
  version_.major = cursor.read<std::uint8_t>();
  version_.minor = cursor.read<std::uint8_t>();
  version_.patch = cursor.read<std::uint8_t>();
  cursor.read<std::uint64_t>();  // start time
  cursor.read_text16();          // host
  cursor.read_text16();          // user
  const auto dimensions = cursor.read<std::int32_t>();
  if (dimensions < 0 || cursor.take(static_cast<std::uint32_t>(dimensions), 4) == nullptr)
    return fail(cursor.position(), "header", "a length is wrong, or the header is cut");
  return {};
}

Expected<void> TraceFile::read_footer(std::uint64_t at) {
  ByteCursor cursor(bytes(), static_cast<std::size_t>(at));
  if (cursor.read<std::uint64_t>() != kFooterMagic)
    return fail(at, "footer", "does not begin with its 8 bytes (00 00 00 00 f0 07 fe e7)");
  const char* const called = cursor.take(kCounters, 4);
  const char* const ignored = cursor.take(kCounters, 4);
  if (ignored == nullptr) return fail(at, "footer", "the footer is cut");
  called_ = {called, kCounters};
  ignored_ = {ignored, kCounters};
  return {};
}

// The number of elements that a list claims, if they can be there: `each` is the least size of one.
Expected<std::uint32_t> TraceFile::read_count(ByteCursor& cursor, const char* where, std::size_t each) {
  const auto at = cursor.position();
  const auto n = cursor.read<std::int32_t>();
  if (!cursor.ok() || n < 0 || static_cast<std::size_t>(n) > cursor.left() / each)
    return fail(at, where, fmt::format("has {} elements, expected 0 to {}", n, cursor.left() / each));
  return static_cast<std::uint32_t>(n);
}

Expected<void> TraceFile::read_counters(std::uint64_t at) {
  ByteCursor cursor(bytes(), static_cast<std::size_t>(at));
  const auto n = read_count(cursor, "counter labels", 2);
  if (!n) return tl::unexpected(n.error());
  for (std::uint32_t i = 0; i < *n; ++i) cursor.read_text16();
  if (!cursor.ok()) return fail(at, "counter labels", "the list is cut");
  return {};
}

Expected<void> TraceFile::read_sizes(std::uint64_t at) {
  ByteCursor cursor(bytes(), static_cast<std::size_t>(at));
  const auto n = read_count(cursor, "datatype sizes", 4);
  if (!n) return tl::unexpected(n.error());
  type_sizes_ = {cursor.here(), *n};
  return {};
}

Expected<void> TraceFile::read_labels(std::uint64_t at) {
  ByteCursor cursor(bytes(), static_cast<std::size_t>(at));
  const auto n = read_count(cursor, "function labels", 10);
  if (!n) return tl::unexpected(n.error());
  labels_.reserve(*n);
  for (std::uint32_t i = 0; i < *n; ++i) {
    const auto key = cursor.read<std::uint64_t>();
    labels_.push_back({key, cursor.read_text16()});
  }
  if (!cursor.ok()) return fail(at, "function labels", "the list is cut");
  return {};
}

tl::unexpected<Error> TraceFile::fail(std::uint64_t offset, const char* where, std::string message) const {
  return tl::unexpected(damaged(path_, offset, where, std::move(message)));
}

}  // namespace busline::dumpi
