// The definitions of one location: the global ids behind those in its events, and how its clock runs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::otf2 {

/// Global ids by local ids; ids that it does not list are the same in both.
class IdMap {
 public:
  void set(std::uint64_t local, std::uint64_t global) {
    if (local == ids_.size())
      ids_.push_back(global);
    else
      others_[local] = global;
  }
  std::uint64_t of(std::uint64_t local) const {
    if (!others_.empty())
      if (const auto at = others_.find(local); at != others_.end()) return at->second;
    return local < ids_.size() ? ids_[local] : local;
  }

 private:
  std::vector<std::uint64_t> ids_;
  std::unordered_map<std::uint64_t, std::uint64_t> others_;
};

/// Half of the range, so that differences fit.
inline constexpr std::int64_t kMostTicks = std::int64_t{1} << 61U;

/// From a location's clock to the common one: linear between two measured offsets, and continued outside.
class LocationClock {
 public:
  void add_offset(std::uint64_t time, std::int64_t offset) { offsets_.push_back({time, offset}); }
  /// Sorts what was added. Call it once, before global().
  void finish();
  /// The common clock's ticks at a time of the location, at most kMostTicks and at least -kMostTicks.
  std::int64_t global(std::uint64_t time);

 private:
  struct Offset {
    std::uint64_t time = 0;
    std::int64_t offset = 0;
  };
  std::vector<Offset> offsets_;  // by time
  std::size_t line_ = 0;         // the last one used begins at this offset
};

struct LocalDefinitions {
  IdMap regions, comms, windows;
  LocationClock clock;
};

/// Reads NAME/LOCATION.def. `path` is for errors only. Memory is proportional to the file.
Expected<LocalDefinitions> read_local_definitions(std::string_view file, std::uint64_t chunk_size,
                                                  const std::string& path);

/// The index in a table for each id in the events of a location, if there is one.
class LocalIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  LocalIndex(const IdMap& map, const std::unordered_map<std::uint64_t, std::uint32_t>& table)
      : map_(map), table_(table), known_(kKept, kUnknown) {}

  std::uint32_t of(std::uint64_t local) {
    if (local >= kKept) return look_up(local);
    auto& known = known_[local];
    if (known == kUnknown) known = look_up(local);
    return known;
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xffff'fffe;
  static constexpr std::size_t kKept = 1024;
  std::uint32_t look_up(std::uint64_t local) const {
    const auto at = table_.find(map_.of(local));
    return at == table_.end() ? kNone : at->second;
  }

  const IdMap& map_;
  const std::unordered_map<std::uint64_t, std::uint32_t>& table_;
  std::vector<std::uint32_t> known_;  // by local id
};

}  // namespace busline::otf2
