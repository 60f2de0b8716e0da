// busline_fuzz: libFuzzer's program for all targets, one of which BUSLINE_FUZZ names
// (docs/explanation/hardening.md).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/all_targets.hpp"

namespace {

// The environment tells, because libFuzzer takes all arguments and starts itself again with them.
busline::fuzz::FuzzTarget named_target() {
  const char* const name = std::getenv("BUSLINE_FUZZ");
  const auto all = busline::fuzz::all_targets();
  for (const auto& target : all)
    if (name != nullptr && std::string_view(target.name) == name) return target;
  std::fprintf(stderr, "BUSLINE_FUZZ must be one of");
  for (const auto& target : all) std::fprintf(stderr, " %s", target.name);
  std::fprintf(stderr, "\n");
  std::_Exit(2);  // not exit(): libFuzzer takes that for a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto target = named_target();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT(*-reinterpret-cast)
  if (size > target.most_bytes) return 0;
  if (const auto fault = target.fault(bytes); !fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
