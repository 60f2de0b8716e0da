// The nodes of a measured job's ranks, as far as results record them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"

namespace busline::measure {

/// Facts that most benchmarks leave out of their results.
struct ImportOptions {
  std::uint32_t ranks = 0;  ///< of the job; 0: not known
  /// Rank r was on node r / ranks_per_node, at least 1. Used where a file does not name hosts.
  std::uint32_t ranks_per_node = 1;
  bool operator==(const ImportOptions&) const = default;
};

/// The node of each rank, counted from 0.
class JobNodes {
 public:
  explicit JobNodes(std::uint32_t ranks_per_node)
      : ranks_per_node_(ranks_per_node > 0 ? ranks_per_node : 1) {}
  /// By the host of each rank; nodes are numbered as their names appear.
  explicit JobNodes(const std::vector<std::string>& hosts);

  std::uint32_t of(std::uint32_t rank) const;
  std::vector<std::uint32_t> of(const std::vector<std::uint32_t>& ranks) const;
  /// The hosts' names by node; none if they are not known.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::uint32_t ranks_per_node_ = 1;
  std::vector<std::uint32_t> listed_;
  std::vector<std::string> names_;
};

/// The part of the machine that messages between ranks on these nodes cross; nothing for fewer than two
/// ranks.
std::optional<RouteClass> class_between(std::vector<std::uint32_t> nodes);

}  // namespace busline::measure
