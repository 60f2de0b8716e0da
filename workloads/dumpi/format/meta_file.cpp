#include "workloads/dumpi/format/meta_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::dumpi {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostRanks = 1U << 24;
constexpr std::size_t kMostMetaBytes = 1U << 20;
constexpr std::uint64_t kMostSeconds = std::uint64_t{1} << 40;  // of a start time
constexpr int kMostVersion = 255;                               // one byte in the rank files
constexpr std::size_t kUsualDigits = 4;
constexpr std::size_t kMostDigits = 9;
constexpr std::size_t kMostNamed = 8;               // ranks or files in a message
constexpr std::uint32_t kMostLackingForOne = 1000;  // ranks without a file, for each that has one

// The value as a number, or an Error with its line.
template <class Int>
Expected<Int> number(const std::string& path, std::uint64_t line, std::string_view key,
                     std::string_view value, Int least, Int most) {
  Int n = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (code == std::errc() && end == value.data() + value.size() && n >= least && n <= most) return n;
  auto e = file_error(Error::Kind::bad_input, path,
                      fmt::format("{} is '{}', expected {} to {}", key, value.substr(0, 40), least, most));
  e.line = line;
  return tl::unexpected(std::move(e));
}

// The rank in a file name STEM-DIGITS.bin, which may be followed by the suffix of a compression.
std::optional<std::uint32_t> rank_in(std::string_view name, std::string_view stem, std::size_t& digits) {
  constexpr std::string_view kEnd = ".bin";
  name = without_compression(name);
  if (!name.starts_with(stem) || !name.ends_with(kEnd) || name.size() < stem.size() + 1 + kEnd.size())
    return std::nullopt;
  name.remove_prefix(stem.size());
  name.remove_suffix(kEnd.size());
  if (!name.starts_with('-')) return std::nullopt;
  name.remove_prefix(1);
  std::uint32_t rank = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), rank);
  if (code != std::errc() || end != name.data() + name.size() || name.size() > kMostDigits)
    return std::nullopt;
  digits = name.size();
  return rank;
}

Expected<std::string> find_meta(const std::string& given) {
  std::error_code code;
  if (!fs::is_directory(given, code)) return given;
  std::vector<std::string> metas;
  std::size_t binaries = 0;
  for (fs::directory_iterator at(given, code), end; !code && at != end; at.increment(code)) {
    const auto file = at->path().string();
    if (is_hidden(file)) continue;
    if (without_compression(file).ends_with(".meta")) metas.push_back(file);
    if (without_compression(file).ends_with(".bin")) ++binaries;
  }
  if (code)
    return tl::unexpected(file_error(Error::Kind::unreadable, given, "cannot be read: " + code.message()));
  std::sort(metas.begin(), metas.end());
  if (metas.size() == 1) return metas.front();
  if (metas.empty() && binaries == 0)
    return tl::unexpected(
        file_error(Error::Kind::bad_input, given, "the folder holds no DUMPI trace: no .meta file"));
  if (metas.empty())
    return tl::unexpected(file_error(
        Error::Kind::bad_input, given,
        fmt::format("missing ranks: {} .bin files, but no .meta file that says how many ranks there are",
                    binaries),
        "if they are all ranks of one job, write a .meta file with the lines numprocs=N and fileprefix=NAME "
        "for files NAME-0000.bin ..."));
  auto names = fmt::format(
      "{}", fmt::join(metas.begin(),
                      metas.begin() + static_cast<std::ptrdiff_t>(std::min(metas.size(), kMostNamed)), ", "));
  return tl::unexpected(file_error(Error::Kind::bad_option, given,
                                   fmt::format("the folder holds {} .meta files: {}", metas.size(), names),
                                   "name the one that you mean"));
}

}  // namespace

std::map<std::uint32_t, std::string> rank_files(const std::string& path_prefix) {
  const fs::path prefix(path_prefix);
  std::map<std::uint32_t, std::string> found;
  std::map<std::uint32_t, int> ratings;
  const auto folder = prefix.has_parent_path() ? prefix.parent_path() : fs::path(".");
  const auto stem = prefix.filename().string();
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::size_t digits = 0;
    const auto name = at->path().filename().string();
    const auto rank = rank_in(name, stem, digits);
    std::error_code not_there;
    if (!rank || !at->is_regular_file(not_there)) continue;
    const auto path = (prefix.has_parent_path() ? at->path() : at->path().filename()).string();
    const auto [entry, fresh] = found.try_emplace(*rank, path);
    const int rating = (digits == kUsualDigits ? 2 : 0) + (name.ends_with(".bin") ? 1 : 0);
    if (fresh || rating > ratings[*rank]) {
      entry->second = path;
      ratings[*rank] = rating;
    }
  }
  return found;
}

Expected<MetaFile> read_meta_file(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  std::string_view rest = file->text();
  if (rest.size() > kMostMetaBytes)
    return tl::unexpected(
        file_error(Error::Kind::bad_input, path, "is too long for the metafile of a DUMPI trace"));
  MetaFile meta;
  Version version;
  bool known = false;  // the file had some key of a metafile
  for (std::uint64_t line = 1; !rest.empty(); ++line) {
    auto text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    if (text.ends_with('\r')) text.remove_suffix(1);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const auto key = text.substr(0, equals), value = text.substr(equals + 1);
    if (key == "fileprefix") meta.prefix = value;
    if (key == "hostname") meta.host = value;
    if (key == "username") meta.user = value;
    if (key == "numprocs") {
      const auto n = number<std::uint32_t>(path, line, key, value, 1, kMostRanks);
      if (!n) return tl::unexpected(n.error());
      meta.ranks = *n;
    }
    // No reader needs these: a value that is not a number counts as missing.
    if (key == "startime")
      if (const auto n = number<std::uint64_t>(path, line, key, value, 0, kMostSeconds)) meta.start_time = *n;
    for (const auto& [name, part] :
         {std::pair{"version", &Version::major}, std::pair{"subversion", &Version::minor},
          std::pair{"subsubversion", &Version::patch}}) {
      if (key != name) continue;
      if (const auto n = number<int>(path, line, key, value, 0, kMostVersion)) {
        version.*part = *n;
        meta.version = version;
      }
    }
    known = known || key == "fileprefix" || key == "numprocs" || key == "version";
  }
  if (known) return meta;
  return tl::unexpected(
      file_error(Error::Kind::bad_input, path,
                 "is not the metafile of a DUMPI trace: no numprocs= and no fileprefix= line"));
}

Expected<TraceFiles> find_trace_files(const std::string& meta_or_folder, Diagnostics& diagnostics,
                                      bool may_lack) {
  const auto path = find_meta(meta_or_folder);
  if (!path) return tl::unexpected(path.error());
  auto meta = read_meta_file(*path);
  if (!meta) return tl::unexpected(meta.error());

  const fs::path folder = fs::path(*path).parent_path();
  const fs::path own = folder / fs::path(without_compression(*path)).stem();
  const fs::path named = meta->prefix.empty() ? own : folder / meta->prefix;  // stays as it is if absolute
  std::map<std::uint32_t, std::string> found;
  for (const auto& prefix : {named, folder / named.filename(), own})
    if (found.empty()) found = rank_files(prefix.string());
  if (found.empty())
    return tl::unexpected(
        file_error(Error::Kind::bad_input, *path,
                   fmt::format("all rank files are missing: no {}-0000.bin ...", named.string()),
                   "put the .bin files beside the .meta file"));
  if (!meta->ranks) {
    meta->ranks = found.rbegin()->first + 1;
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "unknown-ranks",
         fmt::format("no numprocs= line; going by the files there are {} ranks", *meta->ranks), *path});
  }
  const auto example = found.begin()->second;
  TraceFiles files{*path, {}};
  std::vector<std::uint32_t> missing;
  std::uint64_t present = 0;
  for (const auto& [rank, file] : found) present += rank < *meta->ranks ? 1U : 0U;
  // An implausibly large number of ranks is not believed.
  const bool complete = !may_lack || *meta->ranks / kMostLackingForOne > present;
  for (std::uint32_t r = 0; r < *meta->ranks && (!complete || missing.size() < kMostNamed); ++r) {
    const auto at = found.find(r);
    if (at == found.end() && complete)
      missing.push_back(r);
    else
      files.ranks.push_back(at == found.end() ? "" : std::move(at->second));
  }
  if (!missing.empty())
    return tl::unexpected(file_error(
        Error::Kind::bad_input, *path,
        fmt::format("missing ranks: {} of {} have no file, rank {}{}", *meta->ranks - present, *meta->ranks,
                    fmt::join(missing, ", "), *meta->ranks - present > missing.size() ? ", ..." : ""),
        fmt::format("the files are named like {}; 'busline simulate --salvage' uses those that exist",
                    example)));
  if (found.size() > present)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "more-files",
         fmt::format("there are files for {} ranks; numprocs is {}, the others are not used", found.size(),
                     *meta->ranks),
         *path});
  return files;
}

bool is_rank_file(const std::string& path) {
  std::error_code not_there;
  return without_compression(path).ends_with(".bin") && !fs::is_directory(path, not_there);
}

}  // namespace busline::dumpi
