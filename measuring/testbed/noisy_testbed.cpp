#include "measuring/testbed/noisy_testbed.hpp"

#include <cmath>

#include "sim/base/random.hpp"

namespace busline::measure {
namespace {

// FNV-1a, 64 bits: the same everywhere, unlike std::hash.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

// The time as noise has it.
Duration scattered(Duration quiet, double factor) {
  return Duration::from_double(static_cast<double>(quiet.count()) * factor);
}

}  // namespace

Expected<KernelSamples> NoisyTestbed::run(const Kernel& kernel, const RunPlan& plan) {
  auto samples = quiet_->run(kernel, plan);
  if (!samples || noise_.spread == 0) return samples;
  const auto suite = Random(hash_of(plan.suite) ^ noise_.seed).next();
  const auto argument = Random(suite ^ plan.argument).next();
  for (std::size_t rank = 0; rank < samples->size(); ++rank)
    for (std::size_t i = 0; i < (*samples)[rank].size(); ++i) {
      Random random(Random(argument ^ (plan.first_repetition + i)).next() ^ rank);
      auto& span = (*samples)[rank][i];
      const double factor = std::exp(noise_.spread * random.normal());
      span.end = span.begin + scattered(span.length(), factor);
    }
  return samples;
}

Expected<ziatest::LaunchTimes> NoisyTestbed::launch(const ziatest::LaunchJob& job) {
  auto times = quiet_->launch(job);
  if (!times || noise_.spread == 0) return times;
  const auto nodes = Random(noise_.seed ^ job.exchange.nodes).next();
  const auto launch = Random(nodes ^ job.exchange.ranks_per_node).next();
  for (std::size_t rank = 0; rank < times->stamps.size(); ++rank) {
    Random random(launch ^ rank);
    const double factor = std::exp(noise_.spread * random.normal());
    for (auto& ends : times->ends)
      if (!ends.empty()) ends[rank] = scattered(ends[rank], factor);
    if (auto& stamp = times->stamps[rank]) stamp = scattered(*stamp, factor);
  }
  return times;
}

}  // namespace busline::measure
