#include "measuring/runs/run_set_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/values.hpp"
#include "measuring/runs/run_set_fields.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::runs {
namespace {

using Json = nlohmann::ordered_json;

// The ranks that times or places are of.
Expected<void> check_ranks(const Cursor& at, std::string_view member, std::size_t there,
                           std::uint32_t ranks) {
  if (there == 0 || there == ranks) return {};
  return tl::unexpected(at.member(member)->error(fmt::format("found {} entries for {} ranks", there, ranks)));
}

}  // namespace

Expected<void> read_value(const Cursor& at, CallText& out) {
  std::string text;
  if (auto read = read_value(at, text); !read) return read;
  out.value = parse_call_ref(text);
  if (!out.value)
    return tl::unexpected(
        at.expected("a call and its number, such as \"MPI_Barrier:1\" or \"MPI_Reduce:-3\""));
  return {};
}
Json write_value(const CallText& v) {
  if (!v.value) return nullptr;
  return to_text(*v.value);
}

Json schema_of(const CallText&) {
  return {{"type", "string"}, {"pattern", ":-?[1-9][0-9]*$"}};
}

Expected<void> read_value(const Cursor& at, Variables& out) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object"));
  out.values.clear();
  for (const auto& [name, value] : at.value().items()) {
    auto& variable = out.values.emplace_back(Variable{name, {}});
    if (auto read = read_value(*at.member(name), variable.value); !read) return read;
  }
  return {};
}
Json write_value(const Variables& v) {
  auto object = Json::object();
  for (const auto& variable : v.values) object[variable.name] = variable.value;
  return object;
}

Json schema_of(const Variables&) {
  return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
}

Expected<void> read_value(const Cursor& at, PathText& out) {
  if (auto read = read_value(at, out.value); !read) return read;
  const std::filesystem::path path(out.value);
  if (path.empty() || out.value.find('\0') != std::string::npos) return tl::unexpected(at.expected("a path"));
  if (path.is_absolute()) return {};
  const auto plain = path.lexically_normal();
  if (*plain.begin() == "..")
    return tl::unexpected(at.error(
        fmt::format("{} leads out of the document's folder, expected a path inside it or an absolute path",
                    printable(out.value))));
  return {};
}
Json write_value(const PathText& v) {
  return v.value;
}
Json schema_of(const PathText&) {
  return {{"type", "string"}};
}

Expected<void> check(const Cursor& at, const Run& run) {
  if (run.exit_code == 0 && !run.time)
    return tl::unexpected(at.error("time_ps is missing, but exit_code does not report a failed run"));
  if (run.exit_code != 0 && run.time)
    return tl::unexpected(
        at.member("exit_code")
            ->error(fmt::format("a run with exit code {} cannot have time_ps", run.exit_code)));
  if (run.rank_times.empty()) return {};
  const auto longest = *std::max_element(run.rank_times.begin(), run.rank_times.end());
  if (run.time && *run.time != longest)
    return tl::unexpected(at.member("time_ps")->error(
        fmt::format("is {}, but the longest of rank_times_ps is {}", run.time->count(), longest.count())));
  return {};
}

Expected<void> check(const Cursor& at, const TracedRun& traced) {
  return check(at, traced.run);
}

Expected<void> check(const Cursor& at, const RunSet& set) {
  if (auto fits = check_ranks(at, "placement", set.placement.size(), set.ranks); !fits) return fits;
  for (std::size_t i = 0; i < set.runs.size(); ++i) {
    const auto runs = at.member("runs");
    if (auto fits = check_ranks(runs->element(i), "rank_times_ps", set.runs[i].rank_times.size(), set.ranks);
        !fits)
      return fits;
  }
  if (!set.traced) return {};
  return check_ranks(*at.member("traced"), "rank_times_ps", set.traced->run.rank_times.size(), set.ranks);
}

Expected<RunSet> parse_run_set(const Document& document) {
  const Cursor root(document);
  // Checked first, so that another kind of document is not reported as having unknown members.
  if (const auto schema = root.member("schema")) {
    SchemaName expected{kRunSetSchema};
    if (auto read = read_value(*schema, expected); !read) return tl::unexpected(std::move(read.error()));
  }
  RunSet set;
  if (auto read = read_value(root, set); !read) return tl::unexpected(std::move(read.error()));
  set.folder = std::filesystem::path(document.path()).parent_path().string();
  return set;
}

Expected<RunSet> parse_run_set(std::string text, std::string path) {
  return Document::parse(std::move(text), std::move(path)).and_then([](const Document& d) {
    return parse_run_set(d);
  });
}

Expected<RunSet> read_run_set(const std::string& path) {
  return Document::read(path).and_then([](const Document& d) { return parse_run_set(d); });
}

Json to_json(const RunSet& set) {
  return write_object(set);
}

Expected<void> write_run_set(const RunSet& set, const std::string& path) {
  return write_file(path, compact_text(to_json(set)));
}

}  // namespace busline::runs
