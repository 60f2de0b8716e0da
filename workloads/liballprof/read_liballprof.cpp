#include "workloads/liballprof/read_liballprof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "workloads/files/mapped_file.hpp"
#include "workloads/liballprof/rank_calls.hpp"

namespace busline {

bool looks_like_liballprof(std::string_view head) {
  while (!head.empty()) {
    const auto end = std::min(head.find('\n'), head.size());
    const auto line = head.substr(0, end);
    if (line.starts_with("# collprof") || line.starts_with("MPI_Init:") ||
        line.starts_with("MPI_Init_thread:"))
      return true;
    if (!line.starts_with('#') && line.find_first_not_of(" \t\r") != line.npos) return false;
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

Expected<Program> read_liballprof(const std::vector<std::string>& files, const LiballprofOptions& options,
                                  Diagnostics& diagnostics) {
  if (files.empty()) return refuse_option("liballprof trace", "there is no file of rank 0");
  ProgramBuilder program(static_cast<std::uint32_t>(files.size()));
  liballprof::SharedCommunicators shared{{0}};
  double begin = std::numeric_limits<double>::max(), end = -begin;
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    const auto file = MappedFile::open(files[rank]);
    if (!file) return tl::unexpected(file.error());
    liballprof::RankCalls calls(program, shared, rank, options);
    auto text = file->text();
    bool good = true;
    for (std::uint64_t number = 1; !text.empty() && good; ++number) {
      const auto stop = std::min(text.find('\n'), text.size());
      const auto line = text.substr(0, stop);
      text.remove_prefix(std::min(stop + 1, text.size()));
      if (line.find_first_not_of(" \t\r") != line.npos) good = calls.read(number, line);
    }
    if (!good || !calls.finish()) {
      calls.error().path = files[rank];
      return tl::unexpected(std::move(calls.error()));
    }
    begin = std::min(begin, calls.begin_us());
    end = std::max(end, calls.end_us());
    if (calls.clamped() > 0)
      diagnostics.push_back(
          {Diagnostic::Severity::warning, "overlapping-calls",
           fmt::format("{} calls begin before the end of the call before; the time between counts as none",
                       calls.clamped()),
           files[rank]});
  }
  constexpr double kMicrosecond = 1e-6;
  if (end >= begin) program.set_traced_run_time(Duration::seconds((end - begin) * kMicrosecond));
  return program.build();
}

}  // namespace busline
