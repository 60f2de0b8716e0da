#include "workloads/scale_computation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/program_editor.hpp"

namespace busline {
namespace {

bool fits_pattern(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

tl::unexpected<Error> refused(const RegionScale& scale, std::string message, std::string hint) {
  Error e;
  e.where = fmt::format("scale '{}'", scale.region);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

/// The names, in quotes, up to some number of them.
std::string quoted(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 12;
  std::string text;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (shown++ == kMost) return text + ", ...";
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  }
  return text;
}

/// One region, as it is looked for.
class Region {
 public:
  Region(const RegionScale& scale, const Program& program) : factor_(scale.factor) {
    const std::string_view text = scale.region;
    if (const auto dots = text.find(".."); dots != std::string_view::npos) {
      between_ = true;
      before_ = text.substr(0, dots);
      after_ = text.substr(dots + 2);
      return;
    }
    for (const auto& name : program.call_names()) in_call_.push_back(fits_pattern(text, name));
    for (const auto& label : program.event_labels())
      if (fits_pattern(text, label.text)) values_.emplace(label.type, label.value);
  }

  void begin_strand() { active_ = {}; }
  /// A user event begins, or the last one of its type ends.
  void event(std::uint32_t type, std::int64_t value) {
    if (values_.empty()) return;
    if (value != 0) return active_.push_back({type, values_.contains({type, value})});
    const auto last =
        std::find_if(active_.rbegin(), active_.rend(), [&](const auto& a) { return a.first == type; });
    if (last != active_.rend()) active_.erase(std::next(last).base());
  }
  bool holds_elapsed(std::uint16_t call) const { return !between_ && in_call_[call]; }
  /// Empty names: the begin of the rank, and its end.
  bool holds(std::string_view call_before, std::string_view call_after) const {
    if (between_)
      return (before_.empty() || fits_pattern(before_, call_before)) &&
             (after_.empty() || fits_pattern(after_, call_after));
    return std::any_of(active_.begin(), active_.end(), [](const auto& a) { return a.second; });
  }
  double factor() const { return factor_; }
  bool found = false;

 private:
  double factor_;
  bool between_ = false;
  std::string_view before_, after_;
  std::vector<bool> in_call_;
  std::set<std::pair<std::uint32_t, std::int64_t>> values_;
  std::vector<std::pair<std::uint32_t, bool>> active_;  // types, and whether it is the region
};

bool begins_call(const Operation& op) {
  return op.call != 0 && (op.flags & Operation::first_of_call) != 0;
}

/// Of the first call that begins at `at` or later; empty at the end of the strand.
std::string_view name_of_call(const Program& program, const Strand& strand, std::uint64_t at) {
  for (; at < strand.end; ++at)
    if (begins_call(program.operations()[at])) return program.call_names()[program.operations()[at].call];
  return {};
}

void scale_strand(const Program& program, const Strand& strand, std::vector<Region>& regions,
                  ProgramEditor& editor) {
  for (auto& r : regions) r.begin_strand();
  std::string_view before, after = name_of_call(program, strand, strand.begin);
  for (auto at = strand.begin; at < strand.end; ++at) {
    const auto& op = program.operations()[at];
    if (begins_call(op)) {
      before = program.call_names()[op.call];
      after = name_of_call(program, strand, at + 1);
    }
    if (op.kind == OpKind::event)
      for (auto& r : regions) r.event(op.detail, op.amount);
    if (op.kind != OpKind::compute) continue;
    double factor = 1;
    const bool elapsed = (op.flags & Operation::elapsed) != 0;
    for (auto& r : regions)
      if (elapsed ? r.holds_elapsed(op.call) : r.holds(before, after)) {
        factor *= r.factor();
        r.found = true;
      }
    if (factor != 1) editor.set_duration(at, Duration::from_double(static_cast<double>(op.amount) * factor));
  }
}

std::string what_there_is(const Program& program) {
  std::set<std::string> calls, labels;
  std::set<std::uint16_t> called;
  for (const auto& op : program.operations()) called.insert(op.call);
  called.erase(0);
  for (const auto call : called) calls.insert(program.call_names()[call]);
  for (const auto& label : program.event_labels()) labels.insert(label.text);
  return fmt::format("calls: {}; events: {}", calls.empty() ? "none" : quoted(calls),
                     labels.empty() ? "none" : quoted(labels));
}

}  // namespace

Expected<Program> scale_computation(const Program& program, std::span<const RegionScale> scales) {
  std::vector<Region> regions;
  for (const auto& scale : scales) {
    if (!std::isfinite(scale.factor) || scale.factor < 0)
      return refused(
          scale, fmt::format("the factor is {}, expected a finite factor of 0 or more", scale.factor), "");
    if (scale.region.empty())
      return refused(scale, "the region has no name", "such as 'MPI_Init..MPI_Barrier' or 'solve'");
    regions.emplace_back(scale, program);
  }
  ProgramEditor editor(program);
  for (const auto& strand : program.strands()) scale_strand(program, strand, regions, editor);
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (!regions[i].found)
      return refused(scales[i], "no computation lies in this region", what_there_is(program));
  editor.forget_traced_run_time();
  return editor.finish();
}

}  // namespace busline
