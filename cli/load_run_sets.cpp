#include "cli/load_run_sets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "documents/fields/text_file.hpp"
#include "measuring/runs/read_run_sets.hpp"

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

}  // namespace busline::cli
