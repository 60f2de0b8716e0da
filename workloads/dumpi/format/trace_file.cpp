#include "workloads/dumpi/format/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace busline::dumpi {
namespace {

constexpr std::uint64_t kFooterMagic = 0xf007fee7;
constexpr std::size_t kCounters = kCountedFunctions + 1;  // the last one is the total

}  // namespace

Expected<TraceFile> TraceFile::open(const std::string& path, Diagnostics& diagnostics, Opening how) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return tl::unexpected(std::move(mapped.error()));
  TraceFile file(path);
  file.file_ = std::move(*mapped);
  if (auto read = file.read_parts(diagnostics, how); !read) return tl::unexpected(std::move(read.error()));
  return file;
}

Expected<TraceFile> TraceFile::in_memory(std::string path, std::string_view bytes, Diagnostics& diagnostics,
                                         Opening how) {
  TraceFile file(std::move(path));
  file.bytes_ = bytes;
  if (auto read = file.read_parts(diagnostics, how); !read) return tl::unexpected(std::move(read.error()));
  return file;
}

Expected<void> TraceFile::read_parts(Diagnostics& diagnostics, Opening how) {
  if (bytes().empty()) {
    auto e = damaged(path_, 0, "", "the file is empty");
    e.hint = "the rank was killed before the tracer wrote its buffer; trace the run again";
    return tl::unexpected(std::move(e));
  }
  Tolerance tolerance(how, diagnostics);
  auto index = read_index(path_, bytes(), how, diagnostics);
  if (!index) return tl::unexpected(std::move(index.error()));
  auto& at = index->at;
  if (at[kFooter] != 0 && at[kFooter] < at[kBody]) {
    auto e =
        damaged(path_, index->begin, "index",
                fmt::format("the footer is at {}, before the call records at {}", at[kFooter], at[kBody]));
    if (!tolerance.accepts(e)) return tl::unexpected(std::move(e));
    at[kFooter] = 0;
  }
  using Reader = Expected<void> (TraceFile::*)(std::uint64_t);
  constexpr std::array<std::pair<Part, Reader>, 5> kReaders{{{kHeader, &TraceFile::read_header},
                                                             {kFooter, &TraceFile::read_footer},
                                                             {kCounterLabels, &TraceFile::read_counters},
                                                             {kSizes, &TraceFile::read_sizes},
                                                             {kLabels, &TraceFile::read_labels}}};
  for (const auto& [part, reader] : kReaders) {
    if (at[part] == 0) continue;
    auto read = (this->*reader)(at[part]);
    if (read) continue;
    if (!tolerance.accepts(read.error())) return read;
    at[part] = 0;
  }
  records_begin_ = static_cast<std::size_t>(at[kBody]);
  records_end_ = index->begin;
  for (const auto offset : at)
    if (offset > at[kBody]) records_end_ = std::min(records_end_, static_cast<std::size_t>(offset));
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
