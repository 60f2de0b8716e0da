#include "workloads/dumpi/format/part_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "workloads/dumpi/format/big_endian.hpp"

namespace busline::dumpi {
namespace {

// The magic and the offsets of the parts; old forms lack the first ones. The index grew from 40 to 64 bytes
// over the years.
constexpr std::size_t length_of_form(std::size_t first) {
  return kMagic.size() + 8 * (kParts - first);
}

constexpr std::size_t kSearched = 256;  // bytes at the end, searched for a misplaced index

struct Place {
  std::size_t begin = 0;
  std::size_t first = 0;  // the first part that this form of the index has
};

std::optional<Place> at_the_end(std::string_view all) {
  for (std::size_t first = 0; first <= kHeader; ++first) {
    const auto length = length_of_form(first);
    if (all.size() < kBodyStart + length) continue;
    const auto index = all.substr(all.size() - length);
    if (!index.starts_with(kMagic)) continue;
    // A new index that lost its last offsets looks like an old one, but says that the records are elsewhere.
    const char* const body = index.data() + kMagic.size() + 8 * (kBody - first);
    if (first == 0 || load_big_endian<std::uint64_t>(body) == kBodyStart)
      return Place{all.size() - length, first};
  }
  return std::nullopt;
}

// Where an index probably begins.
std::optional<std::size_t> last_magic(std::string_view all) {
  const auto from = all.size() - std::min(kSearched, all.size());
  const auto at = all.substr(from).rfind(kMagic);
  if (at == all.npos || from + at < kBodyStart) return std::nullopt;
  return from + at;
}

// The possible place of a defective index of the newest form, and its defect.
struct Doubtful {
  std::optional<Place> place;
  std::uint64_t offset = 0;
  std::string wrong;
};

Doubtful doubtful_index(std::string_view all) {
  constexpr auto kLength = length_of_form(0);
  const auto size = all.size();
  if (const auto begin = last_magic(all)) {
    if (size - *begin < kLength)
      return {std::nullopt, size,
              fmt::format("is truncated in its index: only {} bytes of it exist", size - *begin)};
    const auto end = *begin + kLength;
    return {Place{*begin, 0}, end,
            fmt::format("{} bytes follow the index, which should end the file", size - end)};
  }
  constexpr auto kBodyEntry = 8 * (kParts - kBody);  // from the end
  if (size >= kBodyStart + kLength &&
      load_big_endian<std::uint64_t>(all.data() + size - kBodyEntry) == kBodyStart)
    return {Place{size - kLength, 0}, size - kLength,
            "the index does not begin with its 8 bytes (ff aa dd \"DUMPI\")"};
  return {std::nullopt, size, "is truncated: it does not end with an index of 64, 56, 48 or 40 bytes"};
}

}  // namespace

Error damaged(const std::string& path, std::uint64_t offset, std::string where, std::string message) {
  Error e;
  e.kind = Error::Kind::bad_input;
  e.path = path;
  e.offset = offset;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint =
      "the file is truncated, damaged or not of this trace; 'busline simulate --salvage' uses what is intact";
  return e;
}

bool Tolerance::accepts(const Error& wrong) {
  if (how_ == Opening::whole) return false;
  diagnostics_.push_back(
      {Diagnostic::Severity::warning, "damaged-part",
       wrong.where.empty() ? wrong.message : fmt::format("{}: {}", wrong.where, wrong.message), wrong.path,
       wrong.offset});
  return true;
}

Expected<PartIndex> read_index(const std::string& path, std::string_view bytes, Opening how,
                               Diagnostics& diagnostics) {
  Tolerance tolerance(how, diagnostics);
  auto place = at_the_end(bytes);
  if (!bytes.starts_with(kMagic)) {
    auto e = damaged(path, 0, "", "does not begin with the 8 bytes of a DUMPI trace (ff aa dd \"DUMPI\")");
    if (!place || !tolerance.accepts(e)) return tl::unexpected(std::move(e));
  }
  PartIndex index;
  index.begin = bytes.size();
  index.at[kBody] = kBodyStart;
  if (!place) {
    auto doubtful = doubtful_index(bytes);
    auto e = damaged(path, doubtful.offset, "", std::move(doubtful.wrong));
    if (!tolerance.accepts(e)) return tl::unexpected(std::move(e));
    place = doubtful.place;
    if (!place) return index;
  }
  index.begin = place->begin;
  index.first = place->first;
  ByteCursor cursor(bytes, place->begin + kMagic.size());
  for (std::size_t i = place->first; i < kParts; ++i) {
    const auto from = cursor.position();
    auto& at = index.at[i] = cursor.read<std::uint64_t>();
    if (at >= kBodyStart && at < index.begin) continue;
    if (at == 0 && i != kBody) {
      if (i != kKeyvals)
        diagnostics.push_back({Diagnostic::Severity::warning, "missing-part",
                               fmt::format("the file has no {}", kPartNames[i]), path, from});
      continue;
    }
    auto e = damaged(
        path, from, "index",
        at == 0 ? "the file has no call records"
                : fmt::format("{} at {}, expected {} to {}", kPartNames[i], at, kBodyStart, index.begin - 1));
    if (!tolerance.accepts(e)) return tl::unexpected(std::move(e));
    at = i == kBody ? kBodyStart : 0;
  }
  return index;
}

}  // namespace busline::dumpi
