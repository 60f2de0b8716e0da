#include "workloads/dumpi/compile/notices.hpp"

#include <fmt/format.h>

#include "workloads/dumpi/compile/mpi3.hpp"

namespace busline::dumpi {

std::string list_calls(const std::array<std::uint64_t, kFunctions>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], kFunctionTable[i].name);
  return text;
}

std::string list_calls(const std::map<std::string, std::uint64_t>& mpi3) {
  std::string text;
  for (const auto& [name, n] : mpi3)
    if (!is_local_mpi3(name)) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  return text;
}

void Notices::tell(const std::string& path, bool keep_io, Diagnostics& diagnostics) const {
  const auto warn = [&](const char* code, std::string message) {
    diagnostics.push_back({Diagnostic::Severity::warning, code, std::move(message), path});
  };
  if (const auto calls = list_calls(not_simulated); !calls.empty())
    warn("not-simulated", fmt::format("in the trace, but not simulated: {}", calls));
  if (const auto calls = list_calls(on_files); !calls.empty() && !keep_io)
    warn("file-time", fmt::format("file calls take no time ('--keep io' keeps theirs): {}", calls));
  if (const auto calls = list_calls(mpi3); !calls.empty())
    warn("mpi-3", fmt::format("MPI-3 calls are not simulated and take no time: {}", calls));
  if (unaligned_ranks > 0)
    diagnostics.push_back({Diagnostic::Severity::note, "unaligned-start",
                           fmt::format("{} ranks begin with MPI_Init_thread, which the tracer does not "
                                       "align: they start together, although they may not have",
                                       unaligned_ranks),
                           path});
  if (ranks_without_time > 0)
    warn("no-times", fmt::format("{} ranks were recorded without times: their computation takes no time",
                                 ranks_without_time));
  if (ranks_with_cpu_time_only > 0)
    warn("cpu-times", fmt::format("{} ranks were recorded without wall times: computation is CPU time",
                                  ranks_with_cpu_time_only));
  if (negative_gaps > 0)
    warn("negative-gap", fmt::format("{} calls begin before the previous call of their thread ended; the "
                                     "computation between them takes no time",
                                     negative_gaps));
  if (rollovers > 0)
    warn("clock-rollover",
         fmt::format("the ranks' clocks passed a multiple of 65536 s {} times: the run took "
                     "longer than 18 hours, or a file is damaged",
                     rollovers));
  if (differing_lengths > 0)
    warn("length-mismatch",
         fmt::format("{} records hold a list that is not as long as their count says", differing_lengths));
  if (unknown_requests > 0)
    warn("unknown-request", fmt::format("no recorded call made {} completed requests; nothing waits for them",
                                        unknown_requests));
  if (assumed_cancelled > 0)
    warn("assumed-cancelled", fmt::format("{} receives were cancelled with an outcome that was not recorded; "
                                          "they are left out",
                                          assumed_cancelled));
  if (const auto calls = list_calls(on_unknown_windows); !calls.empty())
    warn("unknown-window", fmt::format("on windows that no recorded call made (MPI-3's MPI_Win_allocate "
                                       "does, for example), and not simulated: {}",
                                       calls));
  if (open_transfers > 0)
    warn("open-epoch", fmt::format("no recorded call completes {} one-sided transfers (MPI-3 calls such as "
                                   "MPI_Win_flush leave no record); they move when their window is freed",
                                   open_transfers));
}

}  // namespace busline::dumpi
