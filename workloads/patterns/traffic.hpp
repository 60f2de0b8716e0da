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
  incast,       ///< all others to one rank, drawn
};
inline constexpr std::array<std::pair<std::string_view, TrafficPattern>, 6> kTrafficNames{
    {{"permutation", TrafficPattern::permutation},
     {"shift", TrafficPattern::shift},
     {"bisection", TrafficPattern::bisection},
     {"random", TrafficPattern::random},
     {"alltoall", TrafficPattern::alltoall},
     {"incast", TrafficPattern::incast}}};

struct Traffic {
  TrafficPattern pattern = TrafficPattern::permutation;
  std::uint32_t ranks = 64;    ///< at least 2
  std::uint32_t messages = 8;  ///< of each rank, one after the other
  Bytes size{1U << 20U};
  std::uint64_t seed = 1;  ///< of the random choices

  /// How much of a node's link the messages take if nothing else does: that of a sender or, with incast, of
  /// the receiver. 1: each message follows the one before it at once; 0: no messages.
  double load = 1;
  Bandwidth rate = Bandwidth::bytes_per_second(1.25e9);  ///< of the link; with a load below 1
  std::uint32_t burst =
      1;  ///< messages that follow at full rate, on average; their number and pauses are drawn
};

/// The target of each message, by rank; empty for a rank that rests. Alltoall has as many shifts as there are
/// messages, evenly spread, and never more than `ranks` - 1.
std::vector<std::vector<std::uint32_t>> traffic_targets(const Traffic& traffic);

/// Each rank puts its messages into the memory of their targets, each once the previous one has arrived, and
/// passes mark i when its message i has arrived. So on any platform, each rank has one message in flight, and
/// no rank waits for another. With a load below 1 it computes between its messages. Equal values give equal
/// Programs.
Program traffic_pattern(const Traffic& traffic);

}  // namespace busline
