#include "validation/cluster/ethernet_frame.hpp"

#include <algorithm>
#include <cstddef>

namespace busline::cluster {
namespace {

// Offsets and values of IEEE 802.3, RFC 791 and RFC 9293.
constexpr std::size_t kEthernetHeader = 14, kSmallestIpHeader = 20, kSmallestTcpHeader = 20;
constexpr std::size_t kEtherType = 12, kIpLength = 2, kIpProtocol = 9, kTcpDataOffset = 12;
constexpr std::uint16_t kIpv4 = 0x0800;
constexpr std::uint8_t kTcp = 6;

std::size_t big_endian(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::size_t>(bytes[at] << 8 | bytes[at + 1]);
}

}  // namespace

MacAddress mac_address(HostId host) {
  return {0x02, 0xec, 0, 0, 0, static_cast<std::uint8_t>(static_cast<std::uint32_t>(host) + 1)};
}

bool goes_to_all(std::span<const std::uint8_t> frame) {
  return !frame.empty() && (frame[0] & 1) != 0;
}

std::optional<HostId> destination(std::span<const std::uint8_t> frame, std::uint32_t hosts) {
  if (frame.size() < kEthernetHeader || frame[5] == 0 || frame[5] > hosts) return {};
  const HostId host{frame[5] - 1U};
  const auto address = mac_address(host);
  return std::equal(address.begin(), address.end(), frame.begin()) ? std::optional(host) : std::nullopt;
}

bool is_bare_tcp_segment(std::span<const std::uint8_t> frame) {
  if (frame.size() < kEthernetHeader + kSmallestIpHeader + kSmallestTcpHeader) return false;
  const auto ip = frame.subspan(kEthernetHeader);
  if (big_endian(frame, kEtherType) != kIpv4 || ip[kIpProtocol] != kTcp) return false;
  const std::size_t ip_header = (ip[0] & 15U) * 4U;
  if (ip_header + kSmallestTcpHeader > ip.size()) return false;
  const std::size_t tcp_header = (ip[ip_header + kTcpDataOffset] >> 4U) * 4U;
  return big_endian(ip, kIpLength) == ip_header + tcp_header;
}

}  // namespace busline::cluster
