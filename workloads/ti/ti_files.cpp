// Finds the files of a time-independent trace.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "sim/base/text_parts.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/ti/rank_reader.hpp"
#include "workloads/ti/read_ti.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPathBytes = 4096;  // the longest path is in it

/// The rank that a file begins with; nothing if it does not belong to a trace.
std::optional<std::uint32_t> first_rank(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  const auto words = ti::words_of(head.substr(0, head.find('\n')));
  if (words.size() < 2) return std::nullopt;
  return words[1].find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == words[1].npos
             ? whole_number<std::uint32_t>(words[0])
             : std::nullopt;
}

std::optional<std::uint32_t> first_rank_of_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const auto head = MappedFile::head(path.string(), kPathBytes);
  return head ? first_rank(*head) : std::nullopt;
}

/// The path of an existing file that a line of a list names; else an empty path.
fs::path listed(const fs::path& folder, std::string_view line) {
  const auto words = ti::words_of(line);
  if (words.size() != 1) return {};
  std::error_code error;
  for (const auto& candidate : {folder / words[0], fs::path(words[0])})
    if (fs::is_regular_file(candidate, error)) return candidate;
  return {};
}

/// The files that a list names; none if it is not a list.
std::vector<std::string> files_of_list(const fs::path& list) {
  std::vector<std::string> files;
  const auto head = MappedFile::head(list.string(), kPathBytes);
  const auto folder = list.parent_path();
  if (!head || head->empty() || head->find('\0') != head->npos) return files;
  if (const auto first = listed(folder, head->substr(0, head->find('\n')));
      first.empty() || !first_rank_of_file(first))
    return files;
  const auto file = MappedFile::open(list.string());
  if (!file) return files;
  auto text = file->text();
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const auto path = listed(folder, line);
    // Missing files are reported when they are read.
    files.push_back((path.empty() ? folder / ti::words_of(line)[0] : path).string());
  }
  return files;
}

std::vector<std::string> files_of_folder(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!is_hidden(entry.path().string())) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  std::vector<std::pair<std::uint32_t, std::string>> ranks;
  for (const auto& path : entries) {
    if (const auto rank = first_rank_of_file(path)) {
      ranks.emplace_back(*rank, path.string());
    } else if (fs::is_regular_file(path, error)) {
      if (auto files = files_of_list(path); !files.empty()) return files;
    }
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::string> files;
  for (auto& [rank, path] : ranks) files.push_back(std::move(path));
  return files;
}

}  // namespace

bool looks_like_ti(std::string_view head) {
  return first_rank(head).has_value();
}

std::vector<std::string> ti_files(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return files_of_folder(path);
  if (first_rank_of_file(path)) return {path};
  return files_of_list(path);
}

}  // namespace busline
