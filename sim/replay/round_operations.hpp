// A round of a collective that is an algorithm, as operations of one of its members.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/algorithms/collective_plan.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Appends to `operations`: posts the receives, starts the sends, and then waits for all. `members` are the
/// ranks of the communicator; `new_slot()` gives each message a request, as a slot of the member's rank.
template <class NewSlot>
void add_round(const Round& round, const CollectivePlan& plan, const PlannedCollective& planned,
               std::uint32_t position, std::span<const std::uint32_t> members, const NewSlot& new_slot,
               std::vector<Operation>& operations) {
  const auto& sizes = plan.sizes(planned);
  const auto site = planned.site(static_cast<std::uint32_t>(members.size()), position);
  const auto begin = operations.size();
  const auto add = [&](OpKind kind, const Part& end, std::uint32_t sender) {
    Operation op;
    op.kind = kind;
    op.peer = members[end.peer];
    op.amount = static_cast<std::int64_t>(sizes.bytes(site, sender, end.blocks));
    op.detail = kPartChannel;
    op.request = new_slot();
    operations.push_back(op);
  };
  for (const auto& end : round.receives) add(OpKind::part_receive, end, end.peer);
  for (const auto& end : round.sends) add(OpKind::part_send, end, position);
  for (std::size_t i = begin, end = operations.size(); i < end; ++i) {
    auto wait = operations[i];
    wait.kind = wait.kind == OpKind::part_send ? OpKind::wait_send : OpKind::wait_recv;
    operations.push_back(wait);
  }
}

}  // namespace busline
