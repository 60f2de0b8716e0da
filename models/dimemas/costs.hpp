// What messages and collectives cost on an idle machine: the Dimemas formulas with a platform's figures put in
// (docs/model.md). The model uses it for every message; 'explain' prints it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/machine.hpp"
#include "sim/program.hpp"

namespace busline {

enum class Route : std::uint8_t { self, memory, network, wan, dedicated };

/// One message alone: the sender's CPU pays send_overhead, then links and bus are held for `transfer`, and
/// the message arrives `flight` after that; a receiver that is early pays nothing more, since its
/// receive_overhead passes while it waits.
struct MessageCost {
  Route route = Route::network;
  Duration send_overhead, receive_overhead, transfer, flight;
  std::uint32_t connection = 0;  ///< index into Platform::dedicated_connections, for Route::dedicated
};

/// One collective once everybody has arrived and the buses are free: the buses are held for `held`, the ranks
/// go on after held + flight.
struct CollectivePhases {
  Duration fan_in, fan_out;  ///< the published formula; under dimemas-5.5 the sums over its three levels
  Duration held, flight;
};

}  // namespace busline
