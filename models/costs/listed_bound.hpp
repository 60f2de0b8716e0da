// The bound of link_bound.hpp for a v-form whose members list each peer's size: the bytes of every node are
// then known.
#pragma once
#include <optional>
#include <span>

#include "models/costs/costs.hpp"
#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// A member of a collective, and what it called.
struct CallOfMember {
  RankId rank{};
  const CollectiveArgs* args = nullptr;
};

/// The least time in which the bytes of the calls of all members, in any order, pass the links of the nodes.
/// Nothing if none lists sizes, if two threads of a rank call, or unless costs.binds_links(shape). Cost:
/// linear in the sum of the lists' lengths.
std::optional<Duration> listed_link_bound(const DimemasCosts& costs, const CommunicatorShape& shape,
                                          const Program& program, std::span<const CallOfMember> calls);

}  // namespace busline
