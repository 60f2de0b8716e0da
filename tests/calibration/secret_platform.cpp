#include "tests/calibration/secret_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "measuring/standard_set/standard_set.hpp"
#include "measuring/testbed/noisy_testbed.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/random.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline::calibrate {
namespace {

constexpr std::uint32_t kNodes = 40, kCpus = 6;  // 20 pairs send 40 messages at once, 6 ranks share the links

double between(Random& random, double low, double high) {
  constexpr std::uint32_t kParts = 1'000'000;
  return low * std::pow(high / low, random.below(kParts) / double{kParts});
}

Network& network_of(Platform& p) {
  return p.machines.front().network;
}

const Network& network_of(const Platform& p) {
  return p.machines.front().network;
}

const NodeGroup& first_group(const Platform& p) {
  return p.machines.front().nodes.front();
}

// A power of two that takes `latencies` to transfer, at least `least`.
std::uint64_t long_transfer(const Platform& p, double latencies, std::uint64_t least) {
  const auto& n = network_of(p);
  const double bytes = latencies * n.latency.in_seconds() * n.bandwidth.in_bytes_per_second();
  return std::bit_ceil(std::max(least, static_cast<std::uint64_t>(bytes)));
}

double seconds(const Platform& p, double bytes) {
  return network_of(p).latency.in_seconds() + bytes / network_of(p).bandwidth.in_bytes_per_second();
}

// The cost of the sender's call is part of the time of a message, not of its latency.
double latency(const Platform& p) {
  return (network_of(p).latency + first_group(p).overheads.send).in_seconds();
}

bool limit_shows(const Platform& secret, double noise) {
  const auto& mpi = secret.mpi;
  if (!mpi.rendezvous_from) return false;
  const double message = seconds(secret, static_cast<double>(count(*mpi.rendezvous_from)));
  // A jump of half the noise is plain from dozens of points on both sides, each of dozens of samples.
  if (mpi.handshake.in_seconds() > noise / 2 * message) return true;
  const double transfer = message - network_of(secret).latency.in_seconds();
  return mpi.send_completes == Mpi::SendCompletes::transfer && transfer > noise / 2 * message;
}

std::string limit_text(const Platform& p) {
  return p.mpi.rendezvous_from ? to_text(*p.mpi.rendezvous_from) : "-";
}

std::string servers_found(Count n) {
  return n == kUnlimited ? "inf" : fmt::format("{}", n);
}

}  // namespace

Platform secret_platform(std::uint64_t seed) {
  Random random(seed);
  Platform p;
  p.name = fmt::format("secret-{}", seed);
  NodeGroup nodes;
  nodes.count = kNodes;
  nodes.cpus = kCpus;
  p.machines.emplace_back();
  auto& n = network_of(p);
  n.latency = Duration::seconds(between(random, 0.5e-6, 1e-3));
  n.bandwidth = Bandwidth::bytes_per_second(between(random, 10e6 / 8, 400e9 / 8));
  n.latency_at = random.one_in(2) ? Network::LatencyAt::cpu : Network::LatencyAt::flight;
  n.buses = random.one_in(5) ? kUnlimited : 1 + random.below(32);
  const Count links = 1 + random.below(4);
  nodes.links = {Links::Kind::full_duplex, links, links};
  if (n.latency_at == Network::LatencyAt::flight)
    nodes.overheads.send = Duration::seconds(n.latency.in_seconds() * between(random, 0.01, 0.2));
  nodes.intra_node.latency = Duration::seconds(n.latency.in_seconds() * between(random, 0.3, 0.9));
  nodes.intra_node.bandwidth =
      Bandwidth::bytes_per_second(n.bandwidth.in_bytes_per_second() * between(random, 1, 10));
  nodes.intra_node.buses = random.one_in(2) ? kUnlimited : 1 + random.below(4);
  p.machines.front().nodes.push_back(nodes);
  if (random.one_in(5)) return p;
  p.mpi.rendezvous_from = Bytes{std::uint64_t{512} << random.below(12)};
  if (!random.one_in(4)) p.mpi.handshake = Duration::seconds(n.latency.in_seconds() * between(random, 1, 3));
  if (random.one_in(2)) p.mpi.send_completes = Mpi::SendCompletes::transfer;
  return p;
}

Expected<measure::Measurement> measured_secret(const Platform& secret, double noise, std::uint64_t seed) {
  auto testbed = SimulatedTestbed::create(secret, kNodes * kCpus);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  measure::NoisyTestbed noisy(*std::move(testbed), {noise, seed});
  measure::CalibrationOptions options;
  options.largest = long_transfer(secret, 64, options.largest);
  options.concurrent = long_transfer(secret, 8, options.concurrent);
  options.repetition.precision = 0.01;
  options.max_steps = 40;
  auto set = measure::calibration_set(noisy, options);
  std::erase_if(set.suites, [](const auto& plan) { return plan.pattern == measure::Pattern::collective; });
  auto measured = measure::measure_suites(noisy, set.suites);
  if (!measured.failed.empty()) return tl::unexpected(std::move(measured.failed.front().error));
  auto m = measure::measurement_on(noisy);
  m.suites = std::move(measured.suites);
  return m;
}

Comparison compare(const Platform& secret, const Platform& found, double noise) {
  Comparison c;
  c.latency_error = latency(found) / latency(secret) - 1;
  c.bandwidth_error =
      network_of(found).bandwidth.in_bytes_per_second() / network_of(secret).bandwidth.in_bytes_per_second() -
      1;
  // Where all buses are taken before a node's links are, more links do not show.
  const auto buses = network_of(secret).buses, links = first_group(secret).links.out;
  const bool links_show = buses == kUnlimited || buses > links;
  c.links_found = links_show ? first_group(found).links == first_group(secret).links
                             : first_group(found).links.kind == Links::Kind::unlimited ||
                                   first_group(found).links == first_group(secret).links;
  c.buses_found = network_of(found).buses == network_of(secret).buses;
  c.limit_shows = limit_shows(secret, noise);
  c.limit_right = found.mpi.rendezvous_from == secret.mpi.rendezvous_from ||
                  (!c.limit_shows && !found.mpi.rendezvous_from);
  c.latency_at_right = network_of(found).latency_at == network_of(secret).latency_at;
  return c;
}

std::string comparison_heading() {
  return fmt::format("{:>4}{:>12}{:>9}{:>14}{:>9}{:>4}{:>4}{:>5}{:>5}{:>10}{:>10}{:>8}{:>8}\n", "seed",
                     "latency", "error", "bandwidth", "error", "L", "", "B", "", "limit", "", "shows", "at");
}

std::string comparison_line(std::uint64_t seed, const Platform& secret, const Platform& found, double noise) {
  const auto c = compare(secret, found, noise);
  const auto& s = network_of(secret);
  const auto& f = network_of(found);
  return fmt::format("{:>4}{:>12}{:>8.2f}%{:>14.5g}{:>8.2f}%{:>4}{:>4}{:>5}{:>5}{:>10}{:>10}{:>8}{:>8}\n",
                     seed, to_text(s.latency).substr(0, 11), 100 * c.latency_error,
                     s.bandwidth.in_bytes_per_second() * 8e-6, 100 * c.bandwidth_error,
                     servers_found(first_group(secret).links.out),
                     servers_found(first_group(found).links.out), servers_found(s.buses),
                     servers_found(f.buses), limit_text(secret), limit_text(found),
                     c.limit_shows ? "yes" : "no", c.latency_at_right ? "right" : "WRONG");
}

}  // namespace busline::calibrate
