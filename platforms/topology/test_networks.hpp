// For tests: a network from its family's parameters.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "platforms/topology/generate.hpp"

namespace busline {

/// Fails the test if it cannot be made.
inline Topology made(TopologyDescription description) {
  auto t = make_topology(description);
  if (!t) FAIL(to_string(t.error()));
  return *std::move(t);
}

inline Topology made(NetworkFamily family) {
  TopologyDescription d;
  d.family = std::move(family);
  return made(std::move(d));
}

/// The reason why it cannot be made.
inline std::string refusal(NetworkFamily family) {
  TopologyDescription d;
  d.family = std::move(family);
  const auto t = make_topology(d);
  return t ? "made" : to_string(t.error());
}

}  // namespace busline
