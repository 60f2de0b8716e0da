// libFuzzer target for the DUMPI files of a job (docs/dumpi.md, "How it is tested"): whatever the bytes are,
// the reader gives records, a Program, or an error with its place. The first byte says which rank of how many
// the file is of; the other ranks have none, or the same one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/damage/damaged_job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t ranks = 1 + (data[0] & 7U), rank = (data[0] >> 3 & 7U) % ranks;
  const bool same_for_all = (data[0] & 64U) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1,
                               size - 1);  // NOLINT(*-reinterpret-cast)
  std::vector<std::optional<std::string>> files(ranks);
  if (same_for_all) files.assign(ranks, std::string(bytes));
  const auto reading = busline::DamagedJob(std::move(files)).read(rank, bytes);
  if (!reading.fault.empty()) {
    std::fprintf(stderr, "%s\n", reading.fault.c_str());
    std::abort();
  }
  return 0;
}
