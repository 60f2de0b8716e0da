// Members of MPI groups, from the operations that made them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "workloads/dumpi/compile/communicator_log.hpp"

namespace busline::dumpi {

/// The ranks of the job that make up a communicator: those of the rank's own group, or of the remote one.
/// An empty range stands for "not known".
using GroupOf = std::function<std::span<const std::uint32_t>(std::uint32_t instance, bool remote)>;

/// The communicators that `group` was made from, directly or through other groups.
std::vector<std::uint32_t> instances_of(const std::vector<Group>& groups, std::uint32_t group);

/// Members of `group`, in order; nothing if a record names a rank that its group does not have, or if the
/// group was not made by recorded calls. Cost: the sizes of the groups that it was made from.
std::optional<std::vector<std::uint32_t>> members_of(const std::vector<Group>& groups, std::uint32_t group,
                                                     const GroupOf& group_of);

}  // namespace busline::dumpi
