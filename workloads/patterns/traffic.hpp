// Synthetic traffic that loads a network: every rank sends message after message. The patterns are those by
// which networks are commonly judged (Dally, Towles, Principles and Practices of Interconnection Networks,
// chapter 3).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

enum class TrafficPattern : std::uint8_t {
  permutation,  ///< each to one other, all to different ones, drawn at random
  shift,        ///< each to the rank at a fixed distance ahead; the distance is drawn
  bisection,    ///< each of the first half exchanges with one of the second, drawn; a rank left over rests
  random,       ///< each message to another one, drawn
  alltoall,     ///< one shift after the other, from the nearest to the farthest
};
inline constexpr std::array<std::pair<std::string_view, TrafficPattern>, 5> kTrafficNames{
    {{"permutation", TrafficPattern::permutation},
     {"shift", TrafficPattern::shift},
     {"bisection", TrafficPattern::bisection},
     {"random", TrafficPattern::random},
     {"alltoall", TrafficPattern::alltoall}}};

struct Traffic {
  TrafficPattern pattern = TrafficPattern::permutation;
  std::uint32_t ranks = 64;    ///< at least 2
  std::uint32_t messages = 8;  ///< of each rank, one after the other
  Bytes size{1U << 20U};
  std::uint64_t seed = 1;  ///< of the random choices
};

/// The target of each message, by rank; empty for a rank that rests. Alltoall has as many shifts as there are
/// messages, evenly spread, and never more than `ranks` - 1.
std::vector<std::vector<std::uint32_t>> traffic_targets(const Traffic& traffic);

/// Each rank puts its messages into the memory of their targets, each once the previous one has arrived, and
/// passes mark i when its message i has arrived. So on any platform, each rank has one message in flight, and
/// no rank waits for another. Equal values give equal Programs.
Program traffic_pattern(const Traffic& traffic);

}  // namespace busline
