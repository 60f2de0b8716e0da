#include "workloads/otf2/local_definitions.hpp"

#include <limits>

#include "workloads/otf2/definitions.hpp"
#include "workloads/otf2/record_reader.hpp"

namespace busline::otf2 {
namespace {

__extension__ using WideTicks = __int128;

constexpr std::uint8_t kMapsRegions = 3, kMapsComms = 6, kMapsWindows = 8;  // OTF2_MappingType
constexpr std::uint8_t kSparse = 1;                                         // OTF2_IdMapMode

// A table of pairs, or of global ids by local id.
bool take_mapping(Cursor c, LocalDefinitions& made) {
  const auto type = c.byte();
  auto n = c.number();
  const bool sparse = c.byte() == kSparse;
  if (n > c.left()) return false;  // an entry has at least a byte
  IdMap none;
  IdMap& map = type == kMapsRegions   ? made.regions
               : type == kMapsComms   ? made.comms
               : type == kMapsWindows ? made.windows
                                      : none;
  for (std::uint64_t i = 0; i < n && c.ok(); ++i) {
    const auto first = c.number();
    if (sparse)
      map.set(first, c.number());
    else
      map.set(i, first);
  }
  return c.ok();
}

}  // namespace

Expected<LocalDefinitions> read_local_definitions(std::string_view file, std::uint64_t chunk_size,
                                                  const std::string& path) {
  LocalDefinitions made;
  RecordReader records(file, RecordReader::Kind::definitions, chunk_size);
  while (records.next()) {
    const auto& r = records.record();
    auto c = r.cursor();
    bool good = true;
    if (r.type == static_cast<std::uint8_t>(LocalDefinitionType::mapping_table)) {
      good = take_mapping(c, made);
    } else if (r.type == static_cast<std::uint8_t>(LocalDefinitionType::clock_offset)) {
      const auto time = c.fixed<std::uint64_t>();
      made.clock.add_offset(time, static_cast<std::int64_t>(c.number()));
      good = c.ok();
    }
    if (!good)
      return tl::unexpected(damage_at(path, r.offset, "a local definition ends before its last value"));
  }
  if (records.fault()) return tl::unexpected(damage_at(path, records.position(), *records.fault()));
  made.clock.finish();
  return made;
}

void LocationClock::finish() {
  std::stable_sort(offsets_.begin(), offsets_.end(),
                   [](const Offset& a, const Offset& b) { return a.time < b.time; });
  const auto same = [](const Offset& a, const Offset& b) { return a.time == b.time; };
  offsets_.erase(std::unique(offsets_.begin(), offsets_.end(), same), offsets_.end());
}

std::int64_t LocationClock::global(std::uint64_t time) {
  WideTicks t = time;
  if (offsets_.size() == 1) t += offsets_.front().offset;
  if (offsets_.size() > 1) {
    while (line_ + 2 < offsets_.size() && time >= offsets_[line_ + 1].time) ++line_;
    while (line_ > 0 && time < offsets_[line_].time) --line_;
    const auto &a = offsets_[line_], &b = offsets_[line_ + 1];
    // A double holds the slope well enough: OTF2's library takes one, too.
    const auto slope = (static_cast<double>(b.offset) - static_cast<double>(a.offset)) /
                       static_cast<double>(b.time - a.time);
    const auto since = static_cast<double>(t - WideTicks{a.time});
    const auto drift = slope * since;
    constexpr double kMostDrift = 9e18;
    t += a.offset;
    t += drift > kMostDrift    ? WideTicks{std::numeric_limits<std::int64_t>::max()}
         : drift < -kMostDrift ? WideTicks{std::numeric_limits<std::int64_t>::min()}
                               : WideTicks{static_cast<std::int64_t>(drift < 0 ? drift - 0.5 : drift + 0.5)};
  }
  constexpr WideTicks kMost = kMostTicks;
  return static_cast<std::int64_t>(t > kMost ? kMost : t < -kMost ? -kMost : t);
}

}  // namespace busline::otf2
