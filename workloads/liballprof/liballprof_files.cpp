// Finds the files of a liballprof trace.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "sim/base/text_parts.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/liballprof/read_liballprof.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAllprofHead = 4096;

/// A name as "pmpi-trace-rank-", 3, ".txt"; nothing if no number ends it.
struct RankName {
  std::string before, after;
  std::uint32_t rank = 0;
};
std::optional<RankName> rank_name(const std::string& name) {
  const auto last = name.find_last_of("0123456789", std::min(name.rfind('.'), name.size()));
  if (last == name.npos) return std::nullopt;
  const auto before = name.find_last_not_of("0123456789", last);
  const auto first = before == name.npos ? 0 : before + 1;
  const auto rank = whole_number<std::uint32_t>(std::string_view(name).substr(first, last + 1 - first));
  if (!rank) return std::nullopt;
  return RankName{name.substr(0, first), name.substr(last + 1), *rank};
}

bool is_allprof_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const auto head = MappedFile::head(path.string(), kAllprofHead);
  return head && looks_like_liballprof(*head);
}

}  // namespace

std::vector<std::string> liballprof_files(const std::string& path) {
  std::error_code error;
  fs::path folder = path;
  std::optional<RankName> like;
  if (!fs::is_directory(folder, error)) {
    if (!is_allprof_file(path)) return {};
    like = rank_name(folder.filename().string());
    folder = folder.parent_path();
    if (!like) return {path};
    if (folder.empty()) folder = ".";
  }
  std::map<std::uint32_t, fs::path> ranks;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!is_hidden(entry.path().string())) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const auto& entry : entries) {
    const auto name = rank_name(entry.filename().string());
    if (!name || (like && (name->before != like->before || name->after != like->after))) continue;
    if (!like && !is_allprof_file(entry)) continue;
    if (!like) like = name;  // the first one decides
    ranks.emplace(name->rank, path.find('/') == path.npos && folder == "." ? entry.filename() : entry);
  }
  std::vector<std::string> files;
  for (const auto& [rank, file] : ranks) {
    if (rank != files.size()) break;
    files.push_back(file.string());
  }
  return files;
}

}  // namespace busline
