#include "validation/cluster/ethernet_frame.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace busline::cluster;

namespace {

using Frame = std::vector<std::uint8_t>;

// A TCP segment to host 2 with headers of 20 bytes each and `payload` bytes.
Frame segment(std::size_t payload) {
  Frame f(14 + 20 + 20 + payload);
  const auto address = mac_address(HostId{2});
  std::copy(address.begin(), address.end(), f.begin());
  f[12] = 8;
  f[14] = 0x45;
  f[16] = static_cast<std::uint8_t>((40 + payload) >> 8);
  f[17] = static_cast<std::uint8_t>(40 + payload);
  f[23] = 6;
  f[14 + 20 + 12] = 5 << 4;
  return f;
}

}  // namespace

TEST_CASE("a frame is forwarded to the host with its address") {
  auto f = segment(100);
  CHECK(destination(f, 3) == HostId{2});
  CHECK_FALSE(destination(f, 2));
  f[1] = 0xed;
  CHECK_FALSE(destination(f, 3));
  f[1] = 0xec;
  f[5] = 0;
  CHECK_FALSE(destination(f, 3));
  CHECK_FALSE(destination(Frame(5), 3));
}

TEST_CASE("broadcast and multicast frames go to all") {
  CHECK_FALSE(goes_to_all(segment(0)));
  CHECK(goes_to_all(Frame(60, 0xff)));
  CHECK(goes_to_all(Frame{0x33, 0x33, 0, 0, 0, 1}));
  CHECK_FALSE(goes_to_all({}));
}

TEST_CASE("only a TCP segment without payload is bare, padded or not") {
  auto f = segment(0);
  CHECK(is_bare_tcp_segment(f));
  f.resize(60);
  CHECK(is_bare_tcp_segment(f));
  CHECK_FALSE(is_bare_tcp_segment(segment(1)));
  CHECK_FALSE(is_bare_tcp_segment(segment(8000)));
  f[23] = 17;  // UDP
  CHECK_FALSE(is_bare_tcp_segment(f));
  f = segment(0);
  f[13] = 6;  // ARP
  CHECK_FALSE(is_bare_tcp_segment(f));
}

TEST_CASE("headers that claim more than the frame has are not read") {
  auto f = segment(0);
  f[14] = 0x4f;  // an IP header of 60 bytes
  CHECK_FALSE(is_bare_tcp_segment(f));
  for (std::size_t size = 0; size < 54; ++size) CHECK_FALSE(is_bare_tcp_segment(Frame(size, 0x08)));
}
