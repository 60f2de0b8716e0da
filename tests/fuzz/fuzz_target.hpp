// What is fed with untrusted bytes, by libFuzzer and by a test (docs/explanation/hardening.md).
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace busline::fuzz {

/// A reader, and what must hold for whatever it is given.
struct FuzzTarget {
  const char* name;
  /// What was done wrong with `bytes`; empty if all is as it must be. The caller must detect crashes, hangs
  /// and lack of memory.
  std::string (*fault)(std::string_view bytes);
  std::size_t most_bytes;  ///< longer inputs find nothing new, and take time
};

/// Readers of workloads, platforms, networks, measurements and quantities.
std::span<const FuzzTarget> reader_targets();

}  // namespace busline::fuzz
