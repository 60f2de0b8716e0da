// libFuzzer target for the DUMPI files of a job (docs/dumpi.md, "How it is tested"): whatever the bytes of a
// file are, the reader gives records, a Program, or an error with its place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validation/damage/damaged_job.hpp"

// A byte of a file that the reader makes nothing of, the last one of the CPU clock's bias, says which rank of
// how many the file is of, and whether the other ranks have none or the same. So that files of traces can be
// seeds.
constexpr std::size_t kChoice = 11;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT(*-reinterpret-cast)
  const unsigned choice = size > kChoice ? data[kChoice] : 0U;
  const std::uint32_t ranks = 1 + (choice & 7U), rank = (choice >> 3 & 7U) % ranks;
  std::vector<std::optional<std::string>> files(ranks);
  if ((choice & 64U) != 0) files.assign(ranks, std::string(bytes));
  const auto reading = busline::DamagedJob(std::move(files)).read(rank, bytes);
  if (!reading.fault.empty()) {
    std::fprintf(stderr, "%s\n", reading.fault.c_str());
    std::abort();
  }
  return 0;
}
