// The closed forms of collectives: T = FAN_IN + FAN_OUT, FAN = (L + SIZE / BW) * factor. Which figures go
// into them is DimemasCosts's business (costs.hpp). Sources: docs/model.md, sections 5.2 to 5.4 and 5.7
// (preset published), 6.1 and 6.2 (preset dimemas-5.5).
#pragma once
#include <cstdint>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/program/collective.hpp"

namespace busline {

/// One phase or level of a collective: (latency + bytes / bandwidth) * factor, rounded once.
struct FanCost {
  FanModel model = FanModel::none;
  Duration latency;
  Bandwidth bandwidth;
  std::uint64_t bytes = 0;
  std::uint64_t factor = 0;
  Duration time;
};

/// A collective once all members have arrived and the buses are free: it holds the buses for `held`, and the
/// ranks continue after held + flight.
struct CollectivePhases {
  FanCost fan_in, fan_out;  ///< the published formula; under dimemas-5.5 the level that costs most
  Duration held, flight;
  /// The share of the machines' network in both: a multiple of its latency (Network::latency), and ps
  /// proportional to 1 / its bandwidth.
  struct NetworkShare {
    double latencies = 0, transfer = 0;
  } network{};
};

/// Steps of a tree in which B messages can move at once: sum over its phases of ceil(C_i / B), with C_i =
/// ceil((P - 2^(i-1)) / 2^i). Buses 0: unlimited. P = 1 gives 0. Source: docs/model.md, section 5.2, formula
/// (4).
std::uint64_t tree_steps(std::uint64_t ranks, std::uint64_t buses);

/// The entry of an operation's row for this many bytes: the last that begins at them or below. Null: none.
const CollectiveCost* entry_for(const std::vector<CollectiveCost>& row, std::uint64_t bytes);

/// The row that applies to `kind` when neither the platform nor the machine lists it (docs/model.md,
/// section 5.7).
ClosedForm conventional_cost(CollectiveKind kind);

}  // namespace busline
