#include "workloads/load_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include "sim/base/quantity.hpp"
#include "workloads/dim/read_dim.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/otf2/anchor.hpp"
#include "workloads/otf2/read_otf2.hpp"
#include "workloads/paraver/read_paraver.hpp"
#include "workloads/program/program_file.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTellingBytes = 256;  // bytes of a file that determine its format

// Its name without .gz or .xz.
fs::path uncompressed(const fs::path& path) {
  return without_compression(path.string());
}

struct Format {
  const char* name;
  bool (*recognises)(const fs::path& path, bool is_folder, std::string_view head);
  /// Fills in the Program and everything else known only after reading.
  Expected<void> (*read)(const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
                         Workload& workload);
  std::vector<std::string> (*files)(const fs::path& path, const WorkloadOptions& options);
};

std::vector<std::string> only_itself(const fs::path& path, const WorkloadOptions&) {
  return {path.string()};
}

// The .meta file and the files of the ranks.
std::vector<std::string> files_of_dumpi(const fs::path& path, const WorkloadOptions& options) {
  Diagnostics told_before;
  auto found = dumpi::find_trace_files(path.string(), told_before, options.dumpi.salvage);
  if (!found) return only_itself(path, options);
  auto files = std::move(found->ranks);
  std::erase(files, std::string());  // ranks without a file
  files.insert(files.begin(), found->meta);
  return files;
}

Expected<void> keep(Expected<Program> program, Workload& workload) {
  if (!program) return tl::unexpected(std::move(program.error()));
  workload.program = std::move(*program);
  return {};
}

Expected<void> load_goal(const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
                         Workload& workload) {
  return keep(read_goal(path, options.goal, diagnostics), workload);
}

bool is_dumpi_file(const fs::path& path) {
  const auto type = uncompressed(path).extension();
  return type == ".meta" || type == ".bin";
}

bool has_metafile(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (uncompressed(entry.path()).extension() == ".meta" && !is_hidden(entry.path().string())) return true;
  return false;
}

// The registry of input formats. To add one, add a reader and an entry here. The last one takes all folders.
constexpr std::array<Format, 9> kReadFormats{{
    {kDimemasTrace,
     [](const fs::path&, bool is_folder, std::string_view head) {
       return !is_folder && looks_like_dim(head);
     },
     [](const std::string& path, const WorkloadOptions&, Diagnostics& diagnostics, Workload& workload) {
       return keep(read_dim(path, diagnostics), workload);
     },
     only_itself},
    {kProgramFile,
     [](const fs::path& path, bool is_folder, std::string_view head) {
       return !is_folder && (looks_like_program(head) || path.extension() == ".program");
     },
     [](const std::string& path, const WorkloadOptions&, Diagnostics&, Workload& workload) -> Expected<void> {
       auto file = read_program(path);
       if (!file) return tl::unexpected(std::move(file.error()));
       workload.program = std::move(file->program);
       workload.origin = std::move(file->origin);
       return {};
     },
     only_itself},
    {kGoalBinary,
     [](const fs::path&, bool is_folder, std::string_view head) {
       return !is_folder && looks_like_goal_binary(head);
     },
     load_goal, only_itself},
    {kGoalText,
     [](const fs::path&, bool is_folder, std::string_view head) {
       return !is_folder && looks_like_goal_text(head);
     },
     load_goal, only_itself},
    {kLiballprofTrace,
     [](const fs::path& path, bool is_folder, std::string_view head) {
       if (is_folder ? has_metafile(path) : !looks_like_liballprof(head)) return false;
       return !liballprof_files(path.string()).empty();
     },
     [](const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
        Workload& workload) {
       return keep(read_liballprof(liballprof_files(path), options.liballprof, diagnostics), workload);
     },
     [](const fs::path& path, const WorkloadOptions&) { return liballprof_files(path.string()); }},
    {kOtf2Archive,
     [](const fs::path& path, bool is_folder, std::string_view head) {
       return !is_folder && (otf2::looks_like_otf2(head) || path.extension() == ".otf2");
     },
     [](const std::string& path, const WorkloadOptions&, Diagnostics& diagnostics, Workload& workload) {
       return keep(read_otf2(path, diagnostics, std::thread::hardware_concurrency()), workload);
     },
     [](const fs::path& path, const WorkloadOptions&) { return otf2::files_of_archive(path.string()); }},
    {kParaverTrace,
     [](const fs::path&, bool is_folder, std::string_view head) {
       return !is_folder && looks_like_paraver(head);
     },
     [](const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
        Workload& workload) -> Expected<void> {
       ParaverOptions paraver = options.paraver;
       paraver.salvage = options.dumpi.salvage;
       auto trace = read_paraver(path, paraver, diagnostics);
       if (!trace) return tl::unexpected(std::move(trace.error()));
       workload.program = std::move(trace->program);
       workload.salvaged = std::move(trace->salvaged);
       workload.origin = {{"format", kParaverTrace}, {"source", path}};
       workload.origin.insert(workload.origin.end(), trace->header.begin(), trace->header.end());
       if (paraver.salvage) workload.origin.push_back({"option", "salvage"});
       return {};
     },
     [](const fs::path& path, const WorkloadOptions&) { return paraver_files(path.string()); }},
    {kTiTrace,
     [](const fs::path& path, bool is_folder, std::string_view head) {
       if (is_folder ? has_metafile(path) : is_dumpi_file(path)) return false;
       return looks_like_ti(head) || !ti_files(path.string()).empty();
     },
     [](const std::string& path, const WorkloadOptions& options, Diagnostics&, Workload& workload) {
       return keep(read_ti(ti_files(path), options.ti), workload);
     },
     [](const fs::path& path, const WorkloadOptions&) { return ti_files(path.string()); }},
    {kDumpiTrace,
     [](const fs::path& path, bool is_folder, std::string_view) { return is_folder || is_dumpi_file(path); },
     [](const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
        Workload& workload) {
       return keep(read_dumpi(path, options.dumpi, diagnostics, workload.salvaged), workload);
     },
     files_of_dumpi},
}};

// A folder with one .dim, .otf2 or .prv and no .meta means that file.
fs::path the_trace_in(const fs::path& folder) {
  fs::path trace;
  std::size_t traces = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_hidden(entry.path().string())) continue;
    const auto type = uncompressed(entry.path()).extension();
    if (type == ".meta") return folder;
    if (type != ".dim" && type != ".otf2" && type != ".prv") continue;
    trace = entry.path();
    ++traces;
  }
  return traces == 1 ? trace : folder;
}

struct Found {
  fs::path place;
  const Format* format = nullptr;  // nullptr: none
};

Expected<Found> find_format(const std::string& path) {
  std::error_code error;
  Found found{fs::path(path), nullptr};
  bool is_folder = fs::is_directory(found.place, error);
  if (is_folder) {
    found.place = the_trace_in(found.place);
    is_folder = fs::is_directory(found.place, error);
  }
  std::string head;
  if (!is_folder) {
    auto read = MappedFile::head(found.place.string(), kTellingBytes);
    if (!read) return tl::unexpected(std::move(read.error()));
    head = std::move(*read);
  }
  const auto* const format = std::find_if(kReadFormats.begin(), kReadFormats.end(), [&](const Format& f) {
    return f.recognises(found.place, is_folder, head);
  });
  if (format != kReadFormats.end()) found.format = format;
  return found;
}

}  // namespace

Expected<std::string> workload_format(const std::string& path) {
  return find_format(path).map(
      [](const Found& f) { return std::string(f.format == nullptr ? "" : f.format->name); });
}

std::vector<std::string> workload_files(const std::string& path, const WorkloadOptions& options) {
  const auto found = find_format(path);
  if (!found || found->format == nullptr) return {};
  return found->format->files(found->place, options);
}

Expected<Workload> load_workload(const std::string& path, const WorkloadOptions& options,
                                 Diagnostics& diagnostics) {
  const auto found = find_format(path);
  if (!found) return tl::unexpected(found.error());
  const auto& [place, format] = *found;
  if (format == nullptr)
    return tl::unexpected(
        file_error(Error::Kind::bad_input, path, "not a known workload format",
                   "expected a Dimemas or Paraver trace (.dim, .prv), a DUMPI .meta file, an OTF2 archive "
                   "(.otf2), a GOAL "
                   "schedule, a trace of SMPI or liballprof, a Program file, or a folder with one of these"));
  Workload workload;
  if (auto read = format->read(place.string(), options, diagnostics, workload); !read)
    return tl::unexpected(std::move(read.error()));
  if (!options.scales.empty()) {
    auto scaled = scale_computation(workload.program, options.scales);
    if (!scaled) {
      scaled.error().path = path;
      return tl::unexpected(std::move(scaled.error()));
    }
    workload.program = *std::move(scaled);
  }
  auto name = fs::path(path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  workload.name = name.filename().string();
  workload.format = format->name;
  workload.files = format->files(place, options);
  return workload;
}

Origin origin_of(const Workload& workload, const WorkloadOptions& options) {
  const auto add_scales = [&](Origin origin) {
    for (const auto& s : options.scales)
      origin.push_back({"option", fmt::format("scale {}={}", s.region, s.factor)});
    return origin;
  };
  if (!workload.origin.empty()) return add_scales(workload.origin);
  Origin origin{{"format", workload.format}};
  if (!workload.files.empty()) origin.push_back({"source", workload.files.front()});
  const DumpiOptions& o = options.dumpi;
  if (o.compute_scale != DumpiOptions{}.compute_scale)
    origin.push_back({"option", fmt::format("compute_scale {}", o.compute_scale)});
  if (o.cpu_time) origin.push_back({"option", "cpu_time"});
  if (o.keep_io) origin.push_back({"option", "keep_io"});
  if (o.rematch_wildcards) origin.push_back({"option", "rematch_wildcards"});
  if (o.salvage) origin.push_back({"option", "salvage"});
  const TiOptions& ti = options.ti;
  if (ti.flops_per_second != TiOptions{}.flops_per_second)
    origin.push_back({"option", fmt::format("host_speed {} flop/s", ti.flops_per_second)});
  if (ti.extra_bytes > 0) origin.push_back({"option", fmt::format("message_header {} B", ti.extra_bytes)});
  if (ti.detached_below > 0)
    origin.push_back({"option", fmt::format("detached_below {} B", ti.detached_below)});
  if (options.goal.unit != GoalOptions{}.unit)
    origin.push_back({"option", fmt::format("goal_unit {}", to_text(options.goal.unit))});
  using enum LiballprofOptions::Library;
  if (options.liballprof.library != unknown)
    origin.push_back(
        {"option", fmt::format("mpi {}", options.liballprof.library == mpich ? "mpich" : "open-mpi")});
  return add_scales(std::move(origin));
}

}  // namespace busline
