#include "workloads/write_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "workloads/dim/write_dim.hpp"
#include "workloads/dumpi/from_program/write_dumpi.hpp"
#include "workloads/files/output_file.hpp"
#include "workloads/program/program_file.hpp"
#include "workloads/ti/write_ti.hpp"

namespace busline {
namespace {

// Writes a single file, which appears when it is complete.
template <class Write>
Expected<bool> to_file(const std::string& path, Write write) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto written = write(*file);
  if (!written || !*written) return written;
  if (auto done = file->commit(); !done) return tl::unexpected(std::move(done.error()));
  return true;
}

Expected<bool> to_goal(const WriteRequest& r, GoalForm form) {
  return to_file(r.path, [&r, form](ByteSink& sink) {
    return write_goal(r.workload.program, form, r.goal, sink, r.diagnostics, r.progress);
  });
}

// The registry of output formats. To add one, add a writer and an entry here.
constexpr std::array<OutputFormat, 6> kWrittenFormats{{
    {kDimemasTrace, ".dim", "holds no one-sided transfers, probes or buffered sends",
     [](const WriteRequest& r) {
       return to_file(r.path, [&r](ByteSink& sink) {
         return write_dim(r.workload.program, r.workload.name, sink, r.diagnostics, r.progress);
       });
     }},
    {kProgramFile, ".program", "holds everything",
     [](const WriteRequest& r) {
       return to_file(r.path, [&r](ByteSink& sink) {
         return write_program(r.workload.program, r.origin, sink, r.progress);
       });
     }},
    {kDumpiTrace, ".meta", "holds no one-sided transfers or threads",
     [](const WriteRequest& r) {
       return write_dumpi(r.workload.program, r.path, r.diagnostics, r.progress);
     }},
    {kTiTrace, ".ti", "a list of files for SMPI's replay; holds what SMPI replays",
     [](const WriteRequest& r) { return write_ti(r.workload.program, r.path, r.diagnostics, r.progress); }},
    {kGoalText, ".goal", "for LogGOPSim and ATLAHS; spells out collectives, holds no one-sided transfers",
     [](const WriteRequest& r) { return to_goal(r, GoalForm::text); }},
    {kGoalBinary, ".goal.bin", "the same as txt2bin makes it",
     [](const WriteRequest& r) { return to_goal(r, GoalForm::binary); }},
}};

}  // namespace

std::span<const OutputFormat> output_formats() {
  return kWrittenFormats;
}

const OutputFormat* output_format(const std::string& path) {
  const auto* const found = std::find_if(kWrittenFormats.begin(), kWrittenFormats.end(),
                                         [&](const OutputFormat& f) { return path.ends_with(f.extension); });
  return found == kWrittenFormats.end() ? nullptr : found;
}

std::string output_extensions() {
  std::string text;
  for (std::size_t i = 0; i < kWrittenFormats.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                            ? ""
                        : i + 1 == kWrittenFormats.size() ? " or "
                                                          : ", ",
                        kWrittenFormats[i].extension);
  return text;
}

Expected<bool> write_workload(const Workload& workload, const Origin& origin, const std::string& path,
                              Diagnostics& diagnostics, const std::function<bool(double)>& progress,
                              const GoalOutput& goal) {
  const auto* const format = output_format(path);
  if (format == nullptr) {
    return refuse_file(Error::Kind::bad_option, path,
                       fmt::format("unknown format: expected a name that ends in {}", output_extensions()));
  }
  Diagnostics news;
  auto written = format->write({workload, origin, path, news, progress, goal});
  for (auto& n : news) {
    n.path = path;
    diagnostics.push_back(std::move(n));
  }
  if (!written && written.error().path.empty() && !workload.files.empty())
    written.error().path = workload.files.front();
  return written;
}

}  // namespace busline
