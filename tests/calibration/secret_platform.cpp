#include "tests/calibration/secret_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
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

/// One sample in so many takes ten times as long, on all ranks: something else had the network.
class TenfoldTestbed : public measure::Testbed {
 public:
  TenfoldTestbed(std::unique_ptr<measure::Testbed> usual, std::uint32_t once_in, std::uint64_t seed)
      : usual_(std::move(usual)), once_in_(once_in), seed_(seed) {}

  measure::TestbedKind kind() const override { return usual_->kind(); }
  const std::vector<measure::RankPlace>& placement() const override { return usual_->placement(); }
  measure::MeasuredMachine machine() const override { return usual_->machine(); }
  measure::MeasuringClock clock() const override { return usual_->clock(); }
  Duration elapsed() const override { return usual_->elapsed(); }
  Expected<measure::KernelSamples> run(const Kernel& kernel, const measure::RunPlan& plan) override {
    auto samples = usual_->run(kernel, plan);
    if (!samples || samples->empty()) return samples;
    Random random(seed_);
    for (const char c : plan.suite) random = Random(random.next() ^ static_cast<unsigned char>(c));
    random = Random(random.next() ^ plan.argument);
    for (std::size_t i = 0; i < samples->front().size(); ++i) {
      if (!Random(random.next() ^ (plan.first_repetition + i)).one_in(once_in_)) continue;
      for (auto& of_rank : *samples) of_rank[i].end = of_rank[i].begin + of_rank[i].length() * 10;
    }
    return samples;
  }

 private:
  std::unique_ptr<measure::Testbed> usual_;
  std::uint32_t once_in_;
  std::uint64_t seed_;
};

/// "4x2"; false if it is not one.
bool set_size(std::string_view text, NodeGroup& nodes) {
  unsigned count = 0, cpus = 0;
  int end = 0;
  if (std::sscanf(std::string(text).c_str(), "%3ux%3u%n", &count, &cpus, &end) != 2) return false;
  if (static_cast<std::size_t>(end) != text.size() || count == 0 || cpus == 0) return false;
  nodes.count = count;
  nodes.cpus = cpus;
  return true;
}

bool apply_word(std::string_view word, Platform& p) {
  auto& nodes = p.machines.front().nodes.front();
  auto& network = network_of(p);
  if (word == "eager1k") {
    p.mpi.rendezvous_from = Bytes{1024};
    p.mpi.handshake = network.latency * 2;
  } else if (word == "overheads") {
    network.latency_at = Network::LatencyAt::flight;
    nodes.overheads = {network.latency * 2, network.latency * 3};
  } else if (word == "half") {
    nodes.links = {Links::Kind::half_duplex, 2, 2};
  } else {
    return set_size(word, nodes);
  }
  return true;
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

std::optional<Platform> named_secret(std::string_view name) {
  const auto word = [&] {
    const auto end = std::min(name.find(':'), name.size());
    const auto first = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    return first;
  };
  std::uint64_t seed = 0;
  const auto number = word();
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seed);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  auto platform = secret_platform(seed);
  while (!name.empty())
    if (!apply_word(word(), platform)) return std::nullopt;
  return platform;
}

Expected<measure::Measurement> measured_secret(const Platform& secret, const SecretNoise& noise,
                                               std::uint64_t seed, bool collectives) {
  const auto& nodes = first_group(secret);
  auto testbed = SimulatedTestbed::create(secret, nodes.count * nodes.cpus);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  std::unique_ptr<measure::Testbed> noisy_testbed =
      std::make_unique<measure::NoisyTestbed>(*std::move(testbed), measure::Noise{noise.spread, seed});
  if (noise.tenfold_once > 0)
    noisy_testbed = std::make_unique<TenfoldTestbed>(std::move(noisy_testbed), noise.tenfold_once, seed);
  auto& noisy = *noisy_testbed;
  measure::CalibrationOptions options;
  options.largest = long_transfer(secret, 64, options.largest);
  options.concurrent = long_transfer(secret, 8, options.concurrent);
  options.repetition.precision = 0.01;
  options.max_steps = 40;
  auto set = measure::calibration_set(noisy, options);
  if (!collectives)
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
