// The used and the omitted parts of an incomplete trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/salvage/consistent_part.hpp"

namespace busline {

/// A rank's file that could not be used in full.
struct PartOfFile {
  std::uint32_t rank = 0;
  std::string path;                       ///< empty: no file
  std::uint64_t records = 0;              ///< that were used
  std::optional<std::uint64_t> recorded;  ///< expected number, if the file states it
  std::optional<std::uint64_t> offset;    ///< of the first byte that was not used
  std::string why;                        ///< "MPI_Send record 121: is truncated"
};

struct SalvageReport {
  std::vector<PartOfFile> files;     ///< by rank; files used in full are not listed
  std::vector<EarlyEnd> early_ends;  ///< consequences of that and of unrecorded calls
  Unmatched unmatched;
  bool whole() const { return files.empty() && early_ends.empty() && unmatched == Unmatched{}; }
};

/// Reports it in warnings ("salvaged"), for a few ranks at most. `path`: the trace.
void tell(const SalvageReport& report, const std::string& path, Diagnostics& diagnostics);

}  // namespace busline
