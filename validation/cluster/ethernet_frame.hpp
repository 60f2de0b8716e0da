// The fields of forwarded frames that the switch reads.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "validation/cluster/switch_queue.hpp"

namespace busline::cluster {

using MacAddress = std::array<std::uint8_t, 6>;

/// For the data interface of a host: 02:ec:00:00:00:01 for host 0. (02: locally administered, IEEE 802.)
MacAddress mac_address(HostId host);

/// Broadcast and multicast go to all other hosts.
bool goes_to_all(std::span<const std::uint8_t> frame);

/// The host with the frame's destination address, if one of `hosts` hosts has it.
std::optional<HostId> destination(std::span<const std::uint8_t> frame, std::uint32_t hosts);

/// A TCP segment over IPv4 without payload. The Dimemas model knows no acknowledgements; queued behind the
/// bulk data of the other direction they would make full-duplex links half duplex.
bool is_bare_tcp_segment(std::span<const std::uint8_t> frame);

}  // namespace busline::cluster
