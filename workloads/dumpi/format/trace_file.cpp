#include "workloads/dumpi/format/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace busline::dumpi {
namespace {

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
    e.hint =
        "the rank was killed before the tracer wrote its buffer; 'busline simulate --salvage' uses the other "
        "ranks";
    return tl::unexpected(std::move(e));
  }
  Tolerance tolerance(how, diagnostics);
  auto index = read_index(path_, bytes(), how, diagnostics);
  if (!index) return tl::unexpected(std::move(index.error()));
  index_ = *index;
  auto& at = index_.at;
  key_values_indexed_ = at[kKeyvals] != 0;
  if (at[kFooter] != 0 && at[kFooter] < at[kBody]) {
    auto e =
        damaged(path_, index_.begin, "index",
                fmt::format("the footer is at {}, before the call records at {}", at[kFooter], at[kBody]));
    if (!tolerance.accepts(e)) return tl::unexpected(std::move(e));
    at[kFooter] = 0;
  }
  using Reader = Expected<void> (TraceFile::*)(std::uint64_t);
  constexpr std::array<std::pair<Part, Reader>, 6> kReaders{
      {{kHeader, &TraceFile::read_header},
       {kFooter, &TraceFile::read_footer},
       {kCounterLabels, &TraceFile::read_counter_labels},
       {kSizes, &TraceFile::read_sizes},
       {kLabels, &TraceFile::read_labels},
       {kKeyvals, &TraceFile::read_key_values}}};
  for (const auto& [part, reader] : kReaders) {
    if (at[part] == 0) continue;
    auto read = (this->*reader)(at[part]);
    if (read) continue;
    if (!tolerance.accepts(read.error())) return read;
    at[part] = 0;
  }
  find_records();
  if (version() > kNewestKnown)
    diagnostics.push_back({Diagnostic::Severity::warning, "unknown-version",
                           fmt::format("written by version {}.{}.{}, newer than {}.{}.{}: read as the latter",
                                       version().major, version().minor, version().patch, kNewestKnown.major,
                                       kNewestKnown.minor, kNewestKnown.patch),
                           path_, at[kHeader]});
  return {};
}

// Where the next part, or the index, begins.
std::size_t TraceFile::end_of_part(std::uint64_t at) const {
  std::uint64_t end = index_.begin;
  for (const auto offset : index_.at)
    if (offset > at) end = std::min(end, offset);
  return static_cast<std::size_t>(end);
}

// The parts end before the index.
ByteCursor TraceFile::cursor_at(std::uint64_t at) const {
  return {bytes().substr(0, index_.begin), static_cast<std::size_t>(at)};
}

void TraceFile::find_records() {
  records_begin_ = static_cast<std::size_t>(index_.at[kBody]);
  records_end_ = end_of_part(index_.at[kBody]);
  ByteCursor cursor = cursor_at(records_begin_);
  cpu_bias_ = cursor.read<std::int32_t>();
  wall_bias_ = cursor.read<std::int32_t>();
}

Expected<void> TraceFile::read_header(std::uint64_t at) {
  ByteCursor cursor = cursor_at(at);
  Header h;
  h.version.major = cursor.read<std::uint8_t>();
  h.version.minor = cursor.read<std::uint8_t>();
  h.version.patch = cursor.read<std::uint8_t>();
  h.start_time = cursor.read<std::uint64_t>();
  h.host = cursor.read_text16();
  h.user = cursor.read_text16();
  const auto lengths = cursor.position();
  const auto dimensions = cursor.read<std::int32_t>();
  const char* const coordinates =
      dimensions < 0 ? nullptr : cursor.take(static_cast<std::uint32_t>(dimensions), 4);
  if (coordinates == nullptr)
    return fail(lengths, "header",
                fmt::format("one of its lengths does not fit in the {} bytes before the index",
                            index_.begin - std::min(lengths, index_.begin)));
  h.mesh_coordinates = {coordinates, static_cast<std::size_t>(dimensions)};
  // The sizes come last and were added late; a header without them is valid.
  ByteCursor rest(bytes().substr(0, end_of_part(at)), cursor.position());
  const auto sizes = rest.read<std::int32_t>();
  const char* const data = sizes < 0 ? nullptr : rest.take(static_cast<std::uint32_t>(sizes), 4);
  h.has_mesh_size = data != nullptr;
  if (h.has_mesh_size) h.mesh_size = {data, static_cast<std::size_t>(sizes)};
  header_ = h;
  return {};
}

Expected<void> TraceFile::read_footer(std::uint64_t at) {
  ByteCursor cursor = cursor_at(at);
  if (cursor.read<std::uint64_t>() != kFooterMagic)
    return fail(at, "footer", "does not begin with its 8 bytes (00 00 00 00 f0 07 fe e7)");
  const char* const called = cursor.take(kCounters, 4);
  const char* const ignored = cursor.take(kCounters, 4);
  if (ignored == nullptr) return fail(at, "footer", "the footer is truncated");
  called_ = {called, kCounters};
  ignored_ = {ignored, kCounters};
  // libdumpi writes its key values after the footer and omits them from the index.
  if (index_.at[kKeyvals] == 0 && end_of_part(at) > cursor.position() && read_key_values(cursor.position()))
    index_.at[kKeyvals] = cursor.position();
  return {};
}

// A list of elements of at least `least` bytes each; `skip` reads one.
template <class Element, class Skip>
Expected<void> TraceFile::read_list(ByteCursor cursor, Part part, std::size_t least, Sequence<Element>& list,
                                    Skip skip) {
  const auto at = cursor.position();
  const auto n = cursor.read<std::int32_t>();
  if (!cursor.ok() || n < 0 || static_cast<std::size_t>(n) > cursor.left() / least)
    return fail(at, kPartNames[part],
                fmt::format("has {} elements, expected 0 to {}", n, cursor.left() / least));
  const char* const first = cursor.here();
  for (std::int32_t i = 0; i < n && cursor.ok(); ++i) skip(cursor);
  if (!cursor.ok()) return fail(at, kPartNames[part], "the list is truncated");
  list = {first, static_cast<std::size_t>(n)};
  return {};
}

Expected<void> TraceFile::read_counter_labels(std::uint64_t at) {
  return read_list(cursor_at(at), kCounterLabels, 2, counter_labels_,
                   [](ByteCursor& cursor) { cursor.read_text16(); });
}

Expected<void> TraceFile::read_labels(std::uint64_t at) {
  return read_list(cursor_at(at), kLabels, 10, labels_, [](ByteCursor& cursor) {
    cursor.read<std::uint64_t>();
    cursor.read_text16();
  });
}

Expected<void> TraceFile::read_key_values(std::uint64_t at) {
  const ByteCursor cursor(bytes().substr(0, end_of_part(at)), static_cast<std::size_t>(at));
  return read_list(cursor, kKeyvals, 4, key_values_, [](ByteCursor& c) {
    c.read_text16();
    c.read_text16();
  });
}

Expected<void> TraceFile::read_sizes(std::uint64_t at) {
  ByteCursor cursor = cursor_at(at);
  const auto n = cursor.read<std::int32_t>();
  const char* const sizes = n < 0 ? nullptr : cursor.take(static_cast<std::uint32_t>(n), 4);
  if (sizes == nullptr)
    return fail(at, kPartNames[kSizes],
                fmt::format("has {} elements, expected 0 to {}", n, cursor.left() / 4));
  type_sizes_ = {sizes, static_cast<std::size_t>(n)};
  return {};
}

tl::unexpected<Error> TraceFile::fail(std::uint64_t offset, const char* where, std::string message) const {
  return tl::unexpected(damaged(path_, offset, where, std::move(message)));
}

}  // namespace busline::dumpi
