// The words for what a LinkTest run was and found, as documents have them.
#pragma once
#include <fmt/format.h>

#include <string>

#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/linktest_result.hpp"

namespace busline::linktest {

constexpr const char* name_of(KernelKind k) {
  constexpr const char* kNames[] = {"semidirectional", "bidirectional", "unidirectional"};
  return kNames[static_cast<std::size_t>(k)];
}

constexpr const char* name_of(AccessPattern p) {
  constexpr const char* kNames[] = {"step-of-partner", "partner-of-step", "unmapped"};
  return kNames[static_cast<std::size_t>(p)];
}

constexpr const char* name_of(PairClass c) {
  constexpr const char* kNames[] = {"intra-node", "inter-node"};
  return kNames[static_cast<std::size_t>(c)];
}

constexpr const char* name_of(Verdict v) {
  constexpr const char* kNames[] = {"ordinary", "transient", "reproducible", "not-retested"};
  return kNames[static_cast<std::size_t>(v)];
}

/// "1.2p1", "2.1.16", as LinkTest writes them.
inline std::string version_text(const Version& v) {
  return fmt::format("{}.{}{}{}", v.major, v.minor, v.major == 1 ? "p" : ".", v.patch);
}

}  // namespace busline::linktest
