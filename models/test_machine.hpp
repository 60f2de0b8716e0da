// For tests of the models: a machine whose times are easy to add up.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "platforms/description/platform.hpp"
#include "sim/results/resource_name.hpp"

namespace busline {

/// In picoseconds.
inline constexpr std::int64_t kUs = 1'000'000;
/// The size whose transfer takes kTransfer on the network of test_machine().
inline constexpr Bytes kSize{1000};
inline constexpr std::int64_t kTransfer = 10 * kUs;

/// 100 MB/s and no latency.
inline Platform test_machine(std::uint32_t nodes, Links links = {}, Count buses = kUnlimited) {
  Platform p;
  p.machines.resize(1);
  auto& m = p.machines[0];
  m.nodes.resize(1);
  m.nodes[0].count = nodes;
  m.nodes[0].links = links;
  m.network.bandwidth = Bandwidth::bytes_per_second(1e8);
  m.network.buses = buses;
  return p;
}

constexpr Links full(Count in, Count out) {
  return {Links::Kind::full_duplex, in, out};
}
constexpr Links full(Count n) {
  return full(n, n);
}

/// The resource of this name; fails the test if it is missing.
inline const ResourceResult& resource(const Result& r, const std::string& name) {
  for (const auto& x : r.resources)
    if (name_of(x) == name) return x;
  FAIL("no resource " << name);
  return r.resources.front();
}

}  // namespace busline
