#include "cli/load_run_sets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "documents/fields/text_file.hpp"
#include "measuring/runs/read_run_sets.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {
namespace {

// Measurements of any kind, including damaged ones; or paths that cannot be inspected, such as folders and
// missing files.
bool is_document(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return true;
  const auto begin = text->find_first_not_of(" \t\r\n");
  return begin != std::string::npos && text->at(begin) == '{';
}

Error for_user(Error e, const std::string& path) {
  if (!is_document(path)) {
    e = {};
    e.path = path;
    e.message = "contains neither a run set nor a known kind of measurement";
    e.hint =
        "expected run sets, or results of LinkTest, SKaMPI, the OSU benchmarks or the Intel MPI Benchmarks";
  } else if (e.where == "/schema") {
    e.hint = "expected a run set or a measurement; the platform comes first: busline validate PLATFORM RUNS";
  }
  return e;
}

// A trace beside run sets is what its folder always stood for.
bool holds_trace(const std::string& path) {
  const auto files = workload_files(path, {});
  return !files.empty() && files.front() != path;
}

std::vector<std::string> names_of(const std::vector<runs::RunSet>& sets) {
  std::vector<std::string> names;
  for (const auto& set : sets)
    if (std::find(names.begin(), names.end(), set.name) == names.end()) names.push_back(set.name);
  return names;
}

}  // namespace

Expected<std::vector<runs::RunSet>> load_run_sets(const std::vector<std::string>& paths) {
  std::vector<runs::RunSet> all;
  for (const auto& path : paths) {
    auto sets = runs::read_run_sets(path);
    if (!sets) return tl::unexpected(for_user(std::move(sets.error()), path));
    std::move(sets->begin(), sets->end(), std::back_inserter(all));
  }
  return all;
}

Expected<std::vector<runs::RunSet>> load_traces(const std::string& path) {
  constexpr auto kHint = "--traces takes run sets: their documents, folders or parent folders";
  auto sets = runs::read_run_sets(path);
  if (!sets) {
    auto e = std::move(sets.error());
    if (!is_document(path)) return refuse_file(Error::Kind::bad_input, path, "is not a run set", kHint);
    if (e.where == "/schema" || e.hint.empty()) e.hint = kHint;
    return tl::unexpected(std::move(e));
  }
  if (std::any_of(sets->begin(), sets->end(), [](const runs::RunSet& s) { return s.traced.has_value(); }))
    return sets;
  return refuse_file(Error::Kind::bad_input, path, "has no trace in any of its run sets",
                     "record one with 'busline-measure record', without --no-trace");
}

Expected<std::vector<runs::RunSet>> choose_run_sets(const std::string& path, const std::string& program) {
  std::error_code unknown;
  const bool is_folder = std::filesystem::is_directory(path, unknown);
  if ((is_folder && holds_trace(path)) || !runs::holds_run_sets(path)) {
    if (program.empty()) return std::vector<runs::RunSet>();
    return refuse_option("--run", fmt::format("{} is not a run set", path),
                         "it chooses a program of a run set, which 'busline-measure record' makes");
  }
  auto sets = runs::read_run_sets(path);
  if (!sets || program.empty()) return sets;
  const auto names = names_of(*sets);
  std::erase_if(*sets, [&](const runs::RunSet& set) { return set.name != program; });
  if (!sets->empty()) return sets;
  const auto near = nearest_name(names, program);
  return refuse_option("--run", fmt::format("{} has no run set of '{}'", path, program),
                       near.empty() ? fmt::format("expected one of {}", fmt::join(names, ", "))
                                    : fmt::format("did you mean {}?", near));
}

tl::unexpected<Error> refuse_several(const std::vector<runs::RunSet>& sets, const std::string& option) {
  const auto names = names_of(sets);
  if (names.size() > 1)
    return refuse_option(
        option, fmt::format("is for one program, but there are run sets of {}", fmt::join(names, ", ")),
        fmt::format("choose one, such as --run {}", names.front()));
  std::vector<std::string> folders;
  for (const auto& set : sets) folders.push_back(set.folder);
  return refuse_option(option,
                       fmt::format("is for one run set, but there are {} of {}", sets.size(), names.front()),
                       fmt::format("name the folder of one of them: {}", fmt::join(folders, ", ")));
}

}  // namespace busline::cli
