#include "workloads/dumpi/compile/read_dumpi.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "workloads/dumpi/compile/job.hpp"
#include "workloads/dumpi/compile/survey.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/record.hpp"

namespace busline {
namespace {

using namespace dumpi;

// The reason why the file of a single rank cannot be simulated: it is damaged, or it is one of many.
Error error_of_single_rank(const std::string& path, Diagnostics& diagnostics) {
  const auto file = TraceFile::open(path, diagnostics);
  if (!file) return file.error();
  RecordReader reader(*file);
  std::uint64_t records = 0;
  while (reader.next() != nullptr) ++records;
  if (reader.error()) return *reader.error();
  Notices notices;
  const auto survey = survey_rank(*file, std::nullopt, notices);
  notices.tell(path, true, diagnostics);
  if (survey.stop && survey.records == records) return *survey.stop;  // there should be others
  Error e;
  e.path = path;
  e.message = "missing ranks: this file holds one rank of a job, and it can be read";
  if (survey.stop) e.message += fmt::format("; but {}: {}", survey.stop->where, survey.stop->message);
  e.hint = "give the trace's .meta file, or the folder that holds it";
  return e;
}

}  // namespace

Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics) {
  SalvageReport salvaged;
  return read_dumpi(meta_or_folder, options, diagnostics, salvaged);
}

Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics, SalvageReport& salvaged) {
  if (!std::isfinite(options.compute_scale) || options.compute_scale < 0) {
    return refuse_option("compute_scale",
                         fmt::format("is {}, expected a finite factor of 0 or more", options.compute_scale));
  }
  if (is_rank_file(meta_or_folder)) return tl::unexpected(error_of_single_rank(meta_or_folder, diagnostics));
  auto found = find_trace_files(meta_or_folder, diagnostics, options.salvage);
  if (!found) return tl::unexpected(std::move(found.error()));
  const auto open = [](const std::string& path, Diagnostics& told, Opening how) {
    return TraceFile::open(path, told, how);
  };
  return compile_job({std::move(found->meta), std::move(found->ranks), open}, options, diagnostics, salvaged);
}

}  // namespace busline
