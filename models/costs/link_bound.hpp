// The least that a collective moves over the links of the nodes, whatever algorithm carries it out. Closed
// forms know nothing of links, so they can promise less time than these bytes take.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// Where the members of a communicator are: `here` of its `ranks` on one of `nodes` nodes.
struct MembersOfNode {
  std::uint64_t ranks = 0, nodes = 0, here = 0;
};

/// The bytes that such a node must send, or must receive: 0 for an operation without data, and on a single
/// node. `bytes`: each rank's part, as CollectiveArgs counts it. Holds for every node if
/// binds_every_node(kind), else for the root's node or in the mean over the nodes. An Alltoallv's size is a
/// mean over the peers, which is taken for each peer's. Source: for sums, Patarasuk and Yuan, "Bandwidth
/// optimal all-reduce algorithms for clusters of workstations" (2009), section 3.
double bytes_through_node(CollectiveKind kind, const MembersOfNode& node, std::uint64_t bytes);
bool binds_every_node(CollectiveKind kind);

/// The parts of the members of a v-form: the largest, and their sum.
struct OwnParts {
  std::uint64_t most = 0;
  double all = 0;
};
/// Whether they differ among so many members.
bool is_uneven(const OwnParts& parts, std::uint64_t ranks);
/// The least that such a node moves if parts differ: for a Gatherv and a Scatterv the root's node, which may
/// have the largest parts itself; for others in the mean over the nodes.
double uneven_bytes_through_node(CollectiveKind kind, const MembersOfNode& node, const OwnParts& parts);

/// Counts the collectives of a run that are faster than this allows.
class LinkBoundCounter {
 public:
  void count(CollectiveKind kind, Duration time, Duration least);
  /// The operations with such collectives.
  std::vector<BelowLinkBound> found() const;

 private:
  std::array<BelowLinkBound, kCollectiveKinds> all_{};
};

/// The warning about them, code "below-link-bound": each operation with the two times, and what to do.
/// Nothing without any.
std::optional<Diagnostic> link_bound_warning(const std::vector<BelowLinkBound>& found);
/// How many times longer the bytes of such collectives need than the closed forms say; for the worst
/// operation.
double worst_ratio(const std::vector<BelowLinkBound>& found);

}  // namespace busline
