#include "validation/cluster/tap_port.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace busline::cluster {
namespace {

// Frames that a host has sent and the switch has not yet taken. The kernel keeps 1000 unless told otherwise
// and drops the others: an Alltoall of 256 KiB on 8 hosts with an MTU of 1500 is 1267 at once.
constexpr int kQueuedFrames = 100'000;

// What the operating system said last.
tl::unexpected<Error> system_error(std::string path, std::string what, std::string hint = {}) {
  return refuse_file(Error::Kind::unreadable, std::move(path), std::move(what) + ": " + std::strerror(errno),
                     std::move(hint));
}

ifreq named_request() {
  ifreq request{};
  std::strncpy(request.ifr_name, TapPort::kInterface, IFNAMSIZ - 1);
  return request;
}

// Has the thread in another network namespace for as long as this lives.
class NamespaceVisit {
 public:
  explicit NamespaceVisit(const std::string& path)
      : home_(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)),
        there_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        arrived_(home_ >= 0 && there_ >= 0 && ::setns(there_, CLONE_NEWNET) == 0) {}
  NamespaceVisit(const NamespaceVisit&) = delete;
  NamespaceVisit& operator=(const NamespaceVisit&) = delete;
  ~NamespaceVisit() {
    if (arrived_) ::setns(home_, CLONE_NEWNET);
    if (there_ >= 0) ::close(there_);
    if (home_ >= 0) ::close(home_);
  }
  bool arrived() const { return arrived_; }

 private:
  int home_, there_;
  bool arrived_;
};

}  // namespace

Expected<TapPort> TapPort::open(const std::string& network_namespace, const MacAddress& address,
                                std::uint32_t mtu) {
  const auto path = "/run/netns/" + network_namespace;
  const NamespaceVisit visit(path);
  if (!visit.arrived()) return system_error(path, "cannot enter this network namespace");
  TapPort port;
  if (const auto made = port.make(address, mtu); !made) return tl::unexpected(made.error());
  return port;
}

TapPort::TapPort(TapPort&& other) noexcept
    : tap_(std::exchange(other.tap_, -1)), control_(std::exchange(other.control_, -1)) {}

TapPort::~TapPort() {
  if (tap_ >= 0) ::close(tap_);
  if (control_ >= 0) ::close(control_);
}

Expected<void> TapPort::make(const MacAddress& address, std::uint32_t mtu) {
  constexpr auto kDevice = "/dev/net/tun";
  tap_ = ::open(kDevice, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (tap_ < 0) return system_error(kDevice, "cannot open it", "load the kernel module: modprobe tun");
  auto request = named_request();
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (::ioctl(tap_, TUNSETIFF, &request) < 0) return system_error(kDevice, "cannot create a TAP interface");
  control_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control_ < 0) return system_error(kInterface, "cannot open a socket to configure it");
  request = named_request();
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  std::copy(address.begin(), address.end(), request.ifr_hwaddr.sa_data);
  if (::ioctl(control_, SIOCSIFHWADDR, &request) < 0)
    return system_error(kInterface, "cannot set its address");
  if (const auto set = set_mtu(mtu); !set) return set;
  request = named_request();
  request.ifr_qlen = kQueuedFrames;
  if (::ioctl(control_, SIOCSIFTXQLEN, &request) < 0)
    return system_error(kInterface, "cannot set the length of its queue");
  request = named_request();
  request.ifr_flags = IFF_UP;
  if (::ioctl(control_, SIOCSIFFLAGS, &request) < 0) return system_error(kInterface, "cannot bring it up");
  return {};
}

Expected<void> TapPort::set_mtu(std::uint32_t mtu) {
  auto request = named_request();
  request.ifr_mtu = static_cast<int>(mtu);
  if (::ioctl(control_, SIOCSIFMTU, &request) < 0)
    return system_error(kInterface, fmt::format("cannot set its MTU to {}", mtu));
  return {};
}

std::optional<std::size_t> TapPort::read(std::span<std::uint8_t> buffer) {
  const auto size = ::read(tap_, buffer.data(), buffer.size());
  if (size <= 0) return {};
  return static_cast<std::size_t>(size);
}

bool TapPort::write(std::span<const std::uint8_t> frame) {
  return ::write(tap_, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size());
}

}  // namespace busline::cluster
