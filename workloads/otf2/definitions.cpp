#include "workloads/otf2/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "workloads/otf2/record_reader.hpp"

namespace busline::otf2 {
namespace {

constexpr std::uint8_t kCommLocations = 4, kCommGroup = 5, kCommSelf = 6;  // OTF2_GroupType
constexpr std::uint8_t kMpi = 4;                                           // OTF2_Paradigm
constexpr std::uint8_t kArtificial = 31;                                   // OTF2_RegionRole
constexpr std::uint32_t kGlobalMembers = 1;                                // OTF2_GroupFlag
constexpr std::size_t kMostCalls = 60'000;  // a Program numbers them with 16 bits

struct Group {
  std::uint8_t type = 0, paradigm = 0;
  std::uint32_t flags = 0;
  std::vector<std::uint64_t> members;
};

// A communicator whose groups are not resolved yet: definitions may come in any order.
struct OpenComm {
  std::uint32_t id = 0, name = 0, group = 0, remote = 0;
  bool is_inter = false;
};

class DefinitionReader {
 public:
  DefinitionReader(std::string_view file, std::uint64_t chunk_size, const std::string& path)
      : records_(file, RecordReader::Kind::definitions, chunk_size), path_(path) {}

  Expected<Definitions> read() {
    while (records_.next())
      if (!take(records_.record()))
        return tl::unexpected(damage_at(
            path_, records_.record().offset,
            fmt::format("a definition of type {} ends before its last value", records_.record().type)));
    if (records_.fault()) return tl::unexpected(damage_at(path_, records_.position(), *records_.fault()));
    if (made_.ticks_per_second == 0)
      return tl::unexpected(damage_at(path_, 0, "no clock properties, or a clock without resolution"));
    std::unordered_map<std::string, std::int64_t> user_regions;
    std::set<std::string> calls;
    for (const auto& [id, region] : regions_) {
      made_.region_ids.emplace(id, static_cast<std::uint32_t>(made_.regions.size()));
      made_.regions.push_back(region_of(text(region.name)));
      auto& made = made_.regions.back();
      if (made.of == RegionClass::user && region.is_artificial) made.of = RegionClass::artificial;
      if (made.is_call()) calls.insert(made.name);
      if (made.of == RegionClass::user)
        made.event = user_regions.try_emplace(made.name, static_cast<std::int64_t>(user_regions.size() + 1))
                         .first->second;
    }
    if (calls.size() > kMostCalls)
      return refuse_file(
          Error::Kind::unsupported, path_,
          fmt::format("{} different calls of MPI, expected at most {}", calls.size(), kMostCalls));
    for (const auto name : metrics_) made_.metrics.push_back(text(name));
    for (std::size_t i = 0; i < made_.locations.size(); ++i)
      made_.locations[i].name = text(location_names_[i]);
    if (!find_ranks())
      return refuse_file(Error::Kind::bad_input, path_, "no group of locations that are MPI ranks",
                         "only traces of MPI programs can be simulated");
    resolve_comms();
    for (const auto& [id, comm] : windows_) {
      const auto at = made_.comm_ids.find(comm);
      made_.window_ids.emplace(id, static_cast<std::uint32_t>(made_.windows.size()));
      made_.windows.push_back(at == made_.comm_ids.end() ? static_cast<std::uint32_t>(made_.comms.size())
                                                         : at->second);
    }
    return std::move(made_);
  }

 private:
  bool take(const Record& r) {
    auto c = r.cursor();
    switch (static_cast<DefinitionType>(r.type)) {
      case DefinitionType::clock_properties:
        made_.ticks_per_second = c.number();
        return c.ok();
      case DefinitionType::text: {
        const auto id = c.number32();
        texts_[id] = c.text();
        return c.ok();
      }
      case DefinitionType::location: {
        Location l;
        l.id = c.number();
        location_names_.push_back(c.number32());
        c.byte();  // its type
        l.events = c.number();
        made_.locations.push_back(std::move(l));
        return c.ok();
      }
      case DefinitionType::region: {
        const auto id = c.number32();
        auto& region = regions_[id];
        region.name = c.number32();
        const bool good = c.ok();
        c.number32();                              // description
        c.byte();                                  // role of version 1.0
        for (int i = 0; i < 3; ++i) c.number32();  // file and lines
        c.number32();                              // canonical name
        region.is_artificial = c.byte() == kArtificial;
        return good;  // older archives have no more
      }
      case DefinitionType::metric_member: {
        c.number32();
        metrics_.push_back(c.number32());
        return c.ok();
      }
      case DefinitionType::group:
        return take_group(c);
      case DefinitionType::communicator: {
        OpenComm comm;
        comm.id = c.number32();
        comm.name = c.number32();
        comm.group = c.number32();
        comms_.push_back(comm);
        return c.ok();
      }
      case DefinitionType::inter_communicator: {
        OpenComm comm;
        comm.id = c.number32();
        comm.name = c.number32();
        comm.group = c.number32();
        comm.remote = c.number32();
        comm.is_inter = true;
        comms_.push_back(comm);
        return c.ok();
      }
      case DefinitionType::rma_window: {
        const auto id = c.number32();
        c.number32();  // name
        windows_[id] = c.number32();
        return c.ok();
      }
      default:
        return true;
    }
  }

  // Type, paradigm and flags stand behind the members: before version 1.3 there were none.
  bool take_group(Cursor c) {
    Group g;
    const auto id = c.number32();
    c.number32();  // name
    c.byte();      // type of version 1.0
    const auto n = c.number32();
    if (n > c.left()) return false;  // a member has at least a byte
    g.members.resize(n);
    for (auto& m : g.members) m = c.number();
    g.type = c.byte();
    g.paradigm = c.byte();
    g.flags = c.number32();
    // EZTrace gives the same id to the locations and to the group of all ranks.
    if (c.ok()) (g.type == kCommLocations ? location_groups_ : groups_)[id] = std::move(g);
    return c.ok();
  }

  std::string text(std::uint32_t id) const {
    const auto at = texts_.find(id);
    return at == texts_.end() ? std::string() : std::string(at->second);
  }

  // Rank r is the r-th member of the locations of MPI.
  bool find_ranks() {
    const auto group = std::find_if(location_groups_.begin(), location_groups_.end(),
                                    [](const auto& g) { return g.second.paradigm == kMpi; });
    if (group == location_groups_.end() || group->second.members.empty()) return false;
    std::unordered_map<std::uint64_t, std::uint32_t> locations;
    for (std::size_t i = 0; i < made_.locations.size(); ++i)
      locations.emplace(made_.locations[i].id, static_cast<std::uint32_t>(i));
    for (const auto id : group->second.members) {
      const auto at = locations.find(id);
      const auto rank = static_cast<std::uint32_t>(made_.ranks.size());
      if (at == locations.end() || !rank_of_location_.emplace(id, rank).second) return false;
      made_.ranks.push_back(at->second);
    }
    return true;
  }

  void resolve_comms() {
    for (const auto& open : comms_) {
      Comm comm;
      comm.is_inter = open.is_inter;
      const auto group = groups_.find(open.group);
      comm.is_self = !open.is_inter && group != groups_.end() && group->second.type == kCommSelf;
      comm.is_valid =
          comm.is_self || (members_of(open.group, comm.members) &&
                           (!open.is_inter || members_of(open.remote, comm.remote)) && are_distinct(comm));
      const auto self = static_cast<std::uint32_t>(made_.comms.size());
      if (made_.comm_ids.emplace(open.id, self).second) made_.comms.push_back(std::move(comm));
    }
    std::vector<std::uint32_t> all(made_.ranks.size());
    std::iota(all.begin(), all.end(), 0U);
    const auto is_all = [&](std::uint32_t c) {
      return !made_.comms[c].is_inter && made_.comms[c].is_valid && made_.comms[c].members == all;
    };
    made_.world = static_cast<std::uint32_t>(made_.comms.size());
    for (const auto& open : comms_) {
      const auto c = made_.comm_ids.at(open.id);
      if (!is_all(c)) continue;
      const bool named = text(open.name) == "MPI_COMM_WORLD";
      if (named || made_.world == made_.comms.size()) made_.world = c;
      if (named) break;
    }
  }

  bool members_of(std::uint32_t id, std::vector<std::uint32_t>& ranks) const {
    const auto at = groups_.find(id);
    if (at == groups_.end() || at->second.type != kCommGroup || at->second.members.empty()) return false;
    for (const auto m : at->second.members) {
      if ((at->second.flags & kGlobalMembers) != 0) {
        const auto rank = rank_of_location_.find(m);
        if (rank == rank_of_location_.end()) return false;
        ranks.push_back(rank->second);
      } else {
        if (m >= made_.ranks.size()) return false;
        ranks.push_back(static_cast<std::uint32_t>(m));
      }
    }
    return true;
  }

  static bool are_distinct(const Comm& comm) {
    auto all = comm.members;
    all.insert(all.end(), comm.remote.begin(), comm.remote.end());
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
  }

  RecordReader records_;
  const std::string& path_;
  Definitions made_;
  std::unordered_map<std::uint32_t, std::string_view> texts_;
  struct OpenRegion {
    std::uint32_t name = 0;
    bool is_artificial = false;
  };
  std::map<std::uint32_t, OpenRegion> regions_;     // by id
  std::map<std::uint32_t, std::uint32_t> windows_;  // communicators by id
  std::map<std::uint32_t, Group> groups_, location_groups_;
  std::vector<OpenComm> comms_;
  std::vector<std::uint32_t> metrics_, location_names_;
  std::unordered_map<std::uint64_t, std::uint32_t> rank_of_location_;
};

}  // namespace

Error damage_at(const std::string& path, std::size_t offset, std::string message) {
  auto e = file_error(Error::Kind::bad_input, path, std::move(message));
  e.offset = offset;
  return e;
}

Expected<Definitions> read_definitions(std::string_view file, std::uint64_t chunk_size,
                                       const std::string& path) {
  return DefinitionReader(file, chunk_size, path).read();
}

}  // namespace busline::otf2
