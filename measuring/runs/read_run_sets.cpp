#include "measuring/runs/read_run_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "documents/fields/cursor.hpp"
#include "documents/fields/document.hpp"
#include "measuring/runs/cluster_folder.hpp"
#include "measuring/runs/run_set_fields.hpp"
#include "measuring/runs/run_set_json.hpp"
#include "workloads/files/mapped_file.hpp"

namespace busline::runs {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;

Error unreadable(const std::string& path, const std::error_code& why) {
  return file_error(Error::Kind::unreadable, path, why.message());
}

Expected<std::vector<std::string>> folders_in(const std::string& path) {
  std::vector<std::string> all;
  std::error_code failed;
  for (fs::directory_iterator i(path, failed), end; !failed && i != end; i.increment(failed)) {
    std::error_code unknown;
    if (i->is_directory(unknown)) all.push_back(i->path().string());
  }
  if (failed) return tl::unexpected(unreadable(path, failed));
  std::sort(all.begin(), all.end());
  return all;
}

// Adds what a folder holds; nothing if that is not a run set.
Expected<void> add_folder(const std::string& path, int depth, std::vector<RunSet>& sets) {
  std::error_code unknown;
  if (const auto document = fs::path(path) / kRunSetFile; fs::exists(document, unknown)) {
    auto set = read_run_set(document.string());
    if (!set) return tl::unexpected(std::move(set.error()));
    sets.push_back(*std::move(set));
    return {};
  }
  if (is_cluster_folder(path)) {
    auto some = read_cluster_folder(path);
    if (!some) return tl::unexpected(std::move(some.error()));
    std::move(some->begin(), some->end(), std::back_inserter(sets));
    return {};
  }
  if (depth == kDeepest) return {};
  const auto folders = folders_in(path);
  if (!folders) return tl::unexpected(folders.error());
  for (const auto& folder : *folders)
    if (auto added = add_folder(folder, depth + 1, sets); !added) return added;
  return {};
}

bool is_run_set_document(const fs::path& path) {
  if (path.filename() == kRunSetFile) return true;
  const auto head = MappedFile::head(path.string(), 1);
  if (!head || *head != "{") return false;
  const auto document = Document::read(path.string());
  if (!document) return false;
  const auto schema = Cursor(*document).member("schema");
  return schema && schema->value() == kRunSetSchema;
}

bool folder_holds_run_sets(const std::string& path, int depth) {
  std::error_code unknown;
  if (fs::exists(fs::path(path) / kRunSetFile, unknown) || is_cluster_folder(path)) return true;
  if (depth == kDeepest) return false;
  const auto folders = folders_in(path);
  return folders && std::any_of(folders->begin(), folders->end(), [depth](const std::string& folder) {
           return folder_holds_run_sets(folder, depth + 1);
         });
}

}  // namespace

bool holds_run_sets(const std::string& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown) ? folder_holds_run_sets(path, 0)
                                         : fs::is_regular_file(path, unknown) && is_run_set_document(path);
}

Expected<std::vector<RunSet>> read_run_sets(const std::string& path) {
  std::vector<RunSet> sets;
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) {
    auto set = read_run_set(path);
    if (!set) return tl::unexpected(std::move(set.error()));
    sets.push_back(*std::move(set));
    return sets;
  }
  if (auto added = add_folder(path, 0, sets); !added) return tl::unexpected(std::move(added.error()));
  if (!sets.empty()) return sets;
  return refuse_file(Error::Kind::bad_input, path,
                     fmt::format("contains no run set: no {} in it or its folders", kRunSetFile),
                     "'busline-measure record' makes one");
}

}  // namespace busline::runs
