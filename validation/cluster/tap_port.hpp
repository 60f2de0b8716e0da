// A network interface inside a namespace, whose other end is this process.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.hpp"
#include "validation/cluster/ethernet_frame.hpp"

namespace busline::cluster {

/// The interface of a host's data network: what the kernel sends through it is read here, what is written
/// here it receives. It disappears with this object, or with the process however that ends.
class TapPort {
 public:
  static constexpr auto kInterface = "data";

  /// Makes the interface in the network namespace that `ip netns` calls `network_namespace`, and brings it
  /// up. The calling thread comes back to its own namespace; needs CAP_SYS_ADMIN and CAP_NET_ADMIN. Errors:
  /// unreadable.
  static Expected<TapPort> open(const std::string& network_namespace, const MacAddress& address,
                                std::uint32_t mtu);

  TapPort(TapPort&& other) noexcept;
  TapPort& operator=(TapPort&& other) = delete;
  ~TapPort();

  int descriptor() const { return tap_; }
  Expected<void> set_mtu(std::uint32_t mtu);
  /// The size of the next frame, which is put into `buffer`; none if there is none now.
  std::optional<std::size_t> read(std::span<std::uint8_t> buffer);
  /// Whether the kernel took the frame.
  bool write(std::span<const std::uint8_t> frame);

 private:
  TapPort() = default;
  Expected<void> make(const MacAddress& address, std::uint32_t mtu);

  int tap_ = -1;
  int control_ = -1;  // a socket in the namespace, for settings of the interface
};

}  // namespace busline::cluster
