#include "models/why/critical_path.hpp"

#include <utility>

namespace busline {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, kPathCauses> kNames{{
    {"compute", "computing"},
    {"cpu_wait", "waiting for a CPU"},
    {"overhead", "latency and overheads on CPUs"},
    {"handshake", "handshakes"},
    {"transfer", "transfers over the network"},
    {"memory", "transfers inside nodes"},
    {"wan", "transfers between machines"},
    {"sharing", "transfers slowed by others"},
    {"flight", "latency in flight"},
    {"collective", "collectives"},
    {"link_out", "waiting for an output link"},
    {"link_in", "waiting for an input link"},
    {"bus", "waiting for a bus"},
    {"port_out", "waiting for a memory port out"},
    {"port_in", "waiting for a memory port in"},
    {"memory_bus", "waiting for a memory bus"},
    {"wan_out", "waiting for a WAN link out"},
    {"wan_in", "waiting for a WAN link in"},
    {"connection_out", "waiting for a dedicated connection out"},
    {"connection_in", "waiting for a dedicated connection in"},
    {"turn", "waiting for a turn in a stream"},
}};

}  // namespace

std::string_view name_of(PathCause cause) {
  return kNames[static_cast<std::size_t>(cause)].first;
}

std::string_view description_of(PathCause cause) {
  return kNames[static_cast<std::size_t>(cause)].second;
}

}  // namespace busline
