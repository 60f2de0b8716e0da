// The length of a CPU burst on a machine: node speed, and Dimemas's modules (docs/model.md, section 2.1).
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

/// Keeps the open modules of each strand. The Machine must outlive it.
class BurstLengths {
 public:
  BurstLengths(const Machine& machine, std::size_t strands) : machine_(machine) {
    if (!machine.modules.empty()) open_.resize(strands);
    for (const auto& n : machine.nodes) scaled_ = scaled_ || n.speed != 1;
  }

  /// Traced time divided by the open module's ratio and the node's speed, rounded once.
  std::int64_t length(StrandId strand, NodeId node, const Operation& burst) const {
    const bool in_module = !open_.empty() && !open_[strand].empty();
    if (!in_module && !scaled_) return burst.amount;
    if ((burst.flags & Operation::elapsed) != 0) return burst.amount;
    return scaled_length(strand, node, burst.amount, in_module);
  }

  /// An event with a value opens the module of that type and value; value 0 closes the innermost of the type.
  void user_event(StrandId strand, const Operation& op) {
    if (!open_.empty()) open_or_close(strand, op.detail, op.amount);
  }

 private:
  std::int64_t scaled_length(StrandId strand, NodeId node, std::int64_t traced, bool in_module) const;
  void open_or_close(StrandId strand, std::uint32_t type, std::int64_t value);

  const Machine& machine_;
  bool scaled_ = false;                                  // some node's speed is not 1
  IdVector<StrandId, std::vector<std::uint32_t>> open_;  // innermost last; empty without modules
};

}  // namespace busline
