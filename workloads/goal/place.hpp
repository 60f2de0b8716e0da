// Errors about a place in a GOAL schedule.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "sim/base/error.hpp"

namespace busline::goal {

/// Where the nodes of a rank stand in their file.
struct GoalPlaces {
  const std::string& path;
  std::uint32_t rank = 0;
  const std::vector<std::uint64_t>* lines = nullptr;  ///< of the nodes, in a text; null: a binary file
  std::uint64_t first_node = 0;                       ///< offset of node 0, in a binary file
};
inline constexpr std::uint64_t kNodeBytes = 39;  // in a binary file

inline Error error_at_node(const GoalPlaces& places, std::uint32_t node, std::string message,
                           Error::Kind kind = Error::Kind::bad_input) {
  Error e;
  e.kind = kind;
  e.path = places.path;
  if (places.lines != nullptr)
    e.line = (*places.lines)[node];
  else
    e.offset = places.first_node + node * kNodeBytes;
  e.where = fmt::format("rank {}, node {}", places.rank, node);
  e.message = std::move(message);
  return e;
}

}  // namespace busline::goal
