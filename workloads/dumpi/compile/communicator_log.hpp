// What one rank's trace says about communicators and groups. The members are known only once the logs of all
// ranks are combined (communicators.hpp).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/handles.hpp"

namespace busline::dumpi {

/// A call that made a communicator, or took part in making one that does not hold this rank.
struct Creation {
  std::uint16_t function = 0;
  std::uint32_t parent = kWorldInstance;  ///< instance
  /// Number of earlier creating calls on the parent; of MPI_Comm_create_group, which only the new members
  /// call, of those with the same members.
  std::uint32_t ordinal = 0;
  bool member = false;              ///< this rank got a communicator
  std::int32_t color = 0, key = 0;  ///< Comm_split; color: `high` of Intercomm_merge, nodes of Graph_create
  std::int32_t local_leader = 0, remote_leader = 0, tag = 0;  ///< Intercomm_create
  std::uint32_t peer = kNoInstance;  ///< Intercomm_create: the communicator of the remote leader's rank
  std::uint32_t group = 0;           ///< Comm_create: index into CommunicatorLog::groups()
  /// Cart_create: sizes; Cart_sub: not 0 for those that remain; Comm_split_type, Comm_create_group,
  /// Dist_graph_create: the new members, as ranks of the parent.
  std::vector<std::int32_t> dimensions;
  bool reordered = false;                ///< ranks may differ from the parent's
  std::uint64_t offset = 0, record = 0;  ///< for messages
};

/// A group by the operation that made it.
struct Group {
  enum class Made : std::uint8_t {
    unknown,
    empty,
    local_group,   ///< of communicator `instance`
    remote_group,  ///< of inter-communicator `instance`
    incl,          ///< `ranks` of group a, likewise below
    excl,
    range_incl,  ///< `ranks` holds first, last, stride for each range
    range_excl,
    set_union,
    set_intersection,
    set_difference,
  };
  Made made = Made::unknown;
  std::uint32_t a = 0, b = 0;  ///< indices of earlier groups
  std::uint32_t instance = kNoInstance;
  std::vector<std::int32_t> ranks;
};

class CommunicatorLog {
 public:
  /// Call it with every record, before handles.apply. Returns the error in the record, or nothing.
  std::optional<std::string> apply(const Record& record, const HandleTable& handles);

  /// Creation k made instance kFirstInstance + k.
  const std::vector<Creation>& creations() const { return creations_; }
  const std::vector<Group>& groups() const { return groups_; }
  /// The group of each MPI_Win_post and MPI_Win_start, in order: index into groups().
  const std::vector<std::uint32_t>& epoch_groups() const { return epoch_groups_; }
  /// The rank's own rank in an instance and the instance's size, as MPI_Comm_rank and MPI_Comm_size returned
  /// them; or -1.
  struct Told {
    std::int32_t rank = -1, size = -1;
  };
  Told told(std::uint32_t instance) const { return instance < told_.size() ? told_[instance] : Told{}; }

 private:
  std::optional<std::string> log_creation(const Record& r, const Creator& creator,
                                          const HandleTable& handles);
  void log_group(const Record& r, const HandleTable& handles);
  void make_group(std::int64_t id, Group group);
  std::uint32_t group(std::int64_t id) const;
  Told& told_of(std::uint32_t instance);

  std::vector<Creation> creations_;
  std::vector<std::uint32_t> made_on_;  // creating calls so far, by parent instance
  std::map<std::pair<std::uint32_t, std::vector<std::int32_t>>, std::uint32_t> groups_made_;
  std::vector<Group> groups_{Group{}, Group{Group::Made::empty, 0, 0, kNoInstance, {}}};
  IdTable group_ids_;
  std::vector<std::uint32_t> epoch_groups_;
  std::vector<Told> told_;
};

inline constexpr const char* kUnknownCommunicatorHint =
    "recording was off when it was made, or an MPI-3 call (MPI_Comm_split_type, ...), which leaves no "
    "record, made it; or the file is damaged";
/// "no recorded call made communicator 7", for messages.
std::string unknown_communicator(std::int64_t id, std::uint32_t instance);

}  // namespace busline::dumpi
