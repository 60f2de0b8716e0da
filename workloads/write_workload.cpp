#include "workloads/write_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "workloads/dim/write_dim.hpp"
#include "workloads/dumpi/from_program/write_dumpi.hpp"
#include "workloads/output_file.hpp"
#include "workloads/program/program_file.hpp"

namespace busline {
namespace {

using Progress = std::function<bool(double)>;
using Writer = Expected<bool> (*)(const Workload& workload, const Origin& origin, ByteSink& sink,
                                  Diagnostics& diagnostics, const Progress& progress);

// The registry of formats that a Program is written in: a new one is a writer and an entry in both lists.
constexpr std::array<OutputFormat, 3> kFormats{{
    {"Dimemas trace", ".dim", "holds no one-sided transfers, probes and buffered sends"},
    {"Program file", ".program", "holds everything"},
    {"DUMPI trace", ".meta", "holds no one-sided transfers, threads and non-blocking collectives"},
}};
constexpr std::array<Writer, kFormats.size()> kWriters{
    [](const Workload& workload, const Origin&, ByteSink& sink, Diagnostics& diagnostics,
       const Progress& progress) {
      return write_dim(workload.program, workload.name, sink, diagnostics, progress);
    },
    [](const Workload& workload, const Origin& origin, ByteSink& sink, Diagnostics&,
       const Progress& progress) { return write_program(workload.program, origin, sink, progress); },
    nullptr,  // several files: write_dumpi
};

Expected<bool> write_file(Writer write, const Workload& workload, const Origin& origin,
                          const std::string& path, Diagnostics& diagnostics, const Progress& progress) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto written = write(workload, origin, *file, diagnostics, progress);
  if (!written || !*written) return written;
  if (auto done = file->commit(); !done) return tl::unexpected(std::move(done.error()));
  return true;
}

}  // namespace

std::span<const OutputFormat> output_formats() {
  return kFormats;
}

const OutputFormat* output_format(const std::string& path) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const OutputFormat& f) { return path.ends_with(f.extension); });
  return found == kFormats.end() ? nullptr : found;
}

std::string output_extensions() {
  std::string text;
  for (std::size_t i = 0; i < kFormats.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                     ? ""
                        : i + 1 == kFormats.size() ? " or "
                                                   : ", ",
                        kFormats[i].extension);
  return text;
}

Expected<bool> write_workload(const Workload& workload, const Origin& origin, const std::string& path,
                              Diagnostics& diagnostics, const std::function<bool(double)>& progress) {
  const auto* const format = output_format(path);
  if (format == nullptr) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.path = path;
    e.message = fmt::format("the format is not known: expected a name that ends in {}", output_extensions());
    return tl::unexpected(std::move(e));
  }
  Diagnostics news;
  const auto write = kWriters[static_cast<std::size_t>(format - kFormats.data())];
  auto written = write == nullptr ? write_dumpi(workload.program, path, news, progress)
                                  : write_file(write, workload, origin, path, news, progress);
  for (auto& n : news) {
    n.path = path;
    diagnostics.push_back(std::move(n));
  }
  if (!written && written.error().path.empty() && !workload.files.empty())
    written.error().path = workload.files.front();
  return written;
}

}  // namespace busline
