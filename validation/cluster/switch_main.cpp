// cluster_switch: the data network of an emulated cluster. `cluster.sh` calls it; docs/how-to/cluster.md
// explains it.
//
//   cluster_switch words HOSTS WORD...     checks settings, and prints all of them, one a line
//   cluster_switch record HOSTS WORD...    the same, as a data set records them
//   cluster_switch start PREFIX HOSTS FOLDER
//       The settings are the lines of FOLDER/settings. Opens an interface in each of the namespaces
//       PREFIX-h0, ..., and returns when frames are being forwarded, by a process left behind that writes to
//       FOLDER/switch.log. SIGHUP has that read the settings again; SIGTERM and SIGINT end it. What holds is
//       in FOLDER/in_force.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validation/cluster/forwarding.hpp"
#include "validation/cluster/network_settings.hpp"

namespace {

using namespace busline;
using namespace busline::cluster;
namespace fs = std::filesystem;

constexpr int kBadOption = 2, kBadSystem = 5;
// Above the ranks, so that a frame leaves when it is due however busy they are.
constexpr int kPriority = 50;

volatile std::sig_atomic_t g_stop = 0;
volatile std::sig_atomic_t g_reload = 0;

int fail(int code, const std::string& message) {
  fmt::print(stderr, "cluster_switch: {}\n", message);
  return code;
}

std::uint32_t host_count(std::string_view text) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() && n <= kMostHosts ? n : 0;
}

std::string joined(const NetworkSettings& settings) {
  std::string lines;
  for (const auto& word : to_words(settings)) lines += word + "\n";
  return lines;
}

Expected<NetworkSettings> read_settings(const fs::path& folder) {
  std::ifstream in(folder / "settings");
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) words.push_back(line);
  return parse_network_settings(words);
}

void tell_what_holds(const fs::path& folder, const NetworkSettings& settings) {
  std::ofstream(folder / "in_force") << joined(settings);
}

// Frames should leave on time: no page faults, no coarse timers, no waiting for a CPU.
void claim_time() {
  if (::mlockall(MCL_CURRENT) != 0) fmt::print("cannot lock memory: {}\n", std::strerror(errno));
  ::prctl(PR_SET_TIMERSLACK, 1000UL);
  sched_param priority{};
  priority.sched_priority = kPriority;
  if (::sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
    fmt::print("no real-time priority ({}): times will be less accurate\n", std::strerror(errno));
}

// Lets go of the terminal and of what the caller waits for.
bool detach(const fs::path& log) {
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (in < 0 || out < 0) return false;
  ::setsid();
  for (const auto& [from, to] : {std::pair(in, 0), {out, 1}, {out, 2}})
    if (::dup2(from, to) < 0) return false;
  return true;
}

int forward(const fs::path& folder, std::vector<TapPort> ports, NetworkSettings settings) {
  // Signals arrive only while the loop waits, so none is missed between a look at the flags and the wait.
  sigset_t ours, others;
  sigemptyset(&ours);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ours, signal);
  ::sigprocmask(SIG_BLOCK, &ours, &others);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigdelset(&others, signal);
  std::signal(SIGTERM, [](int) { g_stop = 1; });
  std::signal(SIGINT, [](int) { g_stop = 1; });
  std::signal(SIGHUP, [](int) { g_reload = 1; });

  Forwarding forwarding(std::move(ports), settings);
  const pid_t child = ::fork();
  if (child < 0) return fail(kBadSystem, std::string("cannot start a process: ") + std::strerror(errno));
  if (child > 0) std::_Exit(0);
  if (!detach(folder / "switch.log")) return kBadSystem;
  claim_time();
  tell_what_holds(folder, settings);
  while (g_stop == 0 && forwarding.work(others)) {
    if (g_reload == 0) continue;
    g_reload = 0;
    const auto read = read_settings(folder);
    const auto set = read.and_then([&](const NetworkSettings& s) { return forwarding.set(s); });
    if (set)
      tell_what_holds(folder, *read);
    else
      fmt::print("{}\n", to_string(set.error()));
    std::fflush(stdout);
  }
  const auto& s = forwarding.statistics();
  fmt::print("{} frames, {} dropped; written {:.2f} us late on average, {:.1f} us at most\n", s.frames,
             s.dropped, s.delivered == 0 ? 0 : s.late.in_seconds() * 1e6 / static_cast<double>(s.delivered),
             s.latest.in_seconds() * 1e6);
  return 0;
}

int start(const std::string& prefix, std::uint32_t hosts, const fs::path& folder) {
  const auto settings = read_settings(folder);
  if (!settings) return fail(kBadOption, to_string(settings.error()));
  std::vector<TapPort> ports;
  for (std::uint32_t i = 0; i < hosts; ++i) {
    auto port = TapPort::open(fmt::format("{}-h{}", prefix, i), mac_address(HostId{i}), settings->mtu);
    if (!port) return fail(kBadSystem, to_string(port.error()));
    ports.push_back(std::move(*port));
  }
  return forward(folder, std::move(ports), *settings);
}

int print(std::string_view form, std::uint32_t hosts, const std::vector<std::string>& words) {
  const auto settings = parse_network_settings(words);
  if (!settings) return fail(kBadOption, to_string(settings.error()));
  fmt::print("{}", form == "words" ? joined(*settings) : to_record(*settings, hosts) + "\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto is = [&](std::string_view command) { return words.size() >= 2 && words[0] == command; };
  const bool starts = is("start") && words.size() == 4;
  if (!starts && !is("words") && !is("record"))
    return fail(kBadOption, "expected words, record or start; this program is part of cluster.sh");
  const auto hosts = host_count(words[starts ? 2 : 1]);
  if (hosts == 0)
    return fail(kBadOption, fmt::format("{}: expected a number of hosts from 1 to {}", words[starts ? 2 : 1],
                                        kMostHosts));
  return starts ? start(words[1], hosts, words[3]) : print(words[0], hosts, {words.begin() + 2, words.end()});
}
