// libFuzzer target for one DUMPI file (docs/dumpi.md, "How it is tested"): whatever the bytes are, the reader
// gives records with all their values, or an error with its place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "validation/damage/damaged_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT(*-reinterpret-cast)
  if (const auto fault = busline::fault_in_file(bytes); !fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
