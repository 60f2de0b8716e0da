#include "workloads/load_workload.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "workloads/dim/read_dim.hpp"
#include "workloads/dumpi/format/meta_file.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 256;  // bytes of a file that tell its format

Error at(const std::string& path, Error::Kind kind, std::string message, std::string hint = {}) {
  Error e;
  e.kind = kind;
  e.path = path;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

struct Format {
  const char* name;
  bool (*recognises)(const fs::path& path, bool is_folder, std::string_view head);
  Expected<Program> (*read)(const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
                            SalvageReport& salvaged);
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

// The registry of formats: a new one is a reader and an entry here.
constexpr std::array<Format, 2> kFormats{{
    {"Dimemas trace",
     [](const fs::path&, bool is_folder, std::string_view head) {
       return !is_folder && looks_like_dim(head);
     },
     [](const std::string& path, const WorkloadOptions&, Diagnostics& diagnostics, SalvageReport&) {
       return read_dim(path, diagnostics);
     },
     only_itself},
    {"DUMPI trace",
     [](const fs::path& path, bool is_folder, std::string_view) {
       return is_folder || path.extension() == ".meta" || path.extension() == ".bin";
     },
     [](const std::string& path, const WorkloadOptions& options, Diagnostics& diagnostics,
        SalvageReport& salvaged) { return read_dumpi(path, options.dumpi, diagnostics, salvaged); },
     files_of_dumpi},
}};

Expected<std::string> head_of(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string head(kHead, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!in.eof() && !in)
    return tl::unexpected(at(path, Error::Kind::unreadable, std::strerror(errno == 0 ? EIO : errno)));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

// A folder with one .dim and no .meta means that file.
fs::path the_trace_in(const fs::path& folder) {
  fs::path dim;
  std::size_t dims = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".meta") return folder;
    if (entry.path().extension() != ".dim") continue;
    dim = entry.path();
    ++dims;
  }
  return dims == 1 ? dim : folder;
}

}  // namespace

Expected<Workload> load_workload(const std::string& path, const WorkloadOptions& options,
                                 Diagnostics& diagnostics) {
  std::error_code error;
  fs::path place(path);
  bool is_folder = fs::is_directory(place, error);
  if (is_folder) {
    place = the_trace_in(place);
    is_folder = fs::is_directory(place, error);
  }
  std::string head;
  if (!is_folder) {
    auto read = head_of(place.string());
    if (!read) return tl::unexpected(std::move(read.error()));
    head = std::move(*read);
  }
  const auto* format = std::find_if(kFormats.begin(), kFormats.end(),
                                    [&](const Format& f) { return f.recognises(place, is_folder, head); });
  if (format == kFormats.end())
    return tl::unexpected(at(path, Error::Kind::bad_input, "no format of workloads that is known here",
                             "expected a Dimemas trace (.dim), a DUMPI .meta file, or a folder with one"));
  SalvageReport salvaged;
  auto program = format->read(place.string(), options, diagnostics, salvaged);
  if (!program) return tl::unexpected(std::move(program.error()));
  auto name = fs::path(path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return Workload{name.filename().string(), format->name, format->files(place, options), std::move(*program),
                  std::move(salvaged)};
}

}  // namespace busline
