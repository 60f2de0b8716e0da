#include "validation/compare/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/document.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "measuring/runs/run_set_fields.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::compare {
namespace {

constexpr std::string_view kSchema = "busline/validation-baseline/1";

std::string border_text(const std::optional<CallRef>& call) {
  return call ? to_text(*call) : "";
}

auto key_of(const BaselineRun& r) {
  return std::tuple(r.machine, r.program, r.command, border_text(r.region.from), border_text(r.region.to));
}

bool is_before(const BaselineRun& a, const BaselineRun& b) {
  return key_of(a) < key_of(b);
}

// Two runs of one key, if there are any in an ordered list.
const BaselineRun* repeated(const std::vector<BaselineRun>& runs) {
  const auto found =
      std::adjacent_find(runs.begin(), runs.end(),
                         [](const BaselineRun& a, const BaselineRun& b) { return key_of(a) == key_of(b); });
  return found == runs.end() ? nullptr : &*found;
}

}  // namespace

void describe(Fields& f, BaselineRun& r) {
  f.required("machine", r.machine, "The name of the machine that was measured.");
  f.required("program", r.program, "The name of the run set.");
  f.required("command", r.command, "As started.");
  f.optional("region", r.region, "What was timed on each rank; left out for the whole run.");
  f.required("predicted_ps", Picoseconds{r.predicted}, "The predicted time of the region.");
  f.required("measured_ps", Also{Picoseconds{r.measured}, R"({"minimum": 1})"},
             "The median of the measured times.");
}

void describe(Fields& f, Baseline& b) {
  f.about(
      "docs/how-to/validating.md. A run is identified by all its members except the times; no two runs agree "
      "in all "
      "of these.");
  f.required("schema", SchemaName{kSchema});
  f.required("runs", b.runs, "Written by machine, program, command and region, read in any order.");
}

Expected<void> check(const Cursor& at, const BaselineRun& r) {
  if (r.measured == Duration()) return tl::unexpected(at.member("measured_ps")->expected("more than 0"));
  return {};
}

Expected<Baseline> baseline_of(std::span<const RunComparison> runs, const Judged& judged) {
  Baseline baseline;
  for (const auto i : judged.counted) {
    const auto& r = runs[i];
    baseline.runs.push_back({r.machine, r.program, r.command, r.region, r.predicted, r.measured.median});
  }
  std::stable_sort(baseline.runs.begin(), baseline.runs.end(), is_before);
  const auto* const twice = repeated(baseline.runs);
  if (twice == nullptr) return baseline;
  return refuse_option(
      "--baseline",
      fmt::format("found two run sets of {} on {} with the same command", twice->program, twice->machine),
      "a baseline identifies a run set by machine, name, command and region; name one with 'busline-measure "
      "record --name'");
}

Expected<Baseline> read_baseline(const std::string& path) {
  const auto document = Document::read(path);
  if (!document) return tl::unexpected(document.error());
  const Cursor root(*document);
  if (const auto schema = root.member("schema")) {
    SchemaName expected{kSchema};
    if (auto read = read_value(*schema, expected); !read) return tl::unexpected(std::move(read.error()));
  }
  Baseline baseline;
  if (auto read = read_value(root, baseline); !read) return tl::unexpected(std::move(read.error()));
  std::stable_sort(baseline.runs.begin(), baseline.runs.end(), is_before);
  if (const auto* const twice = repeated(baseline.runs))
    return tl::unexpected(
        root.member("runs")->error(fmt::format("{} on {} occurs twice", twice->program, twice->machine)));
  return baseline;
}

Expected<void> write_baseline(const Baseline& baseline, const std::string& path) {
  return write_file(path, compact_text(write_object(baseline)));
}

std::vector<BaselineChange> changes_since(const Baseline& before, const Baseline& now, double tolerance) {
  using Kind = BaselineChange::Kind;
  std::vector<BaselineChange> changes;
  auto old = before.runs.begin();
  const auto add = [&](Kind kind, const BaselineRun& run, double was, double is) {
    changes.push_back({kind, run.machine, run.program, was, is});
  };
  for (const auto& run : now.runs) {
    for (; old != before.runs.end() && is_before(*old, run); ++old) add(Kind::gone, *old, old->error(), 0);
    if (old == before.runs.end() || is_before(run, *old)) {
      add(Kind::added, run, 0, run.error());
      continue;
    }
    const auto growth = std::fabs(run.error()) - std::fabs(old->error());
    if (std::fabs(growth) > tolerance)
      add(growth > 0 ? Kind::worse : Kind::better, run, old->error(), run.error());
    ++old;
  }
  for (; old != before.runs.end(); ++old) add(Kind::gone, *old, old->error(), 0);
  return changes;
}

}  // namespace busline::compare
