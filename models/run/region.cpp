#include "models/run/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busline {
namespace {

bool begins_call(const Operation& op) {
  return (op.flags & Operation::first_of_call) != 0;
}

/// Position of the first operation of the strand's call `n` of that name.
std::optional<std::uint64_t> find_call(const Program& p, const Strand& s, std::uint16_t call,
                                       std::int64_t number) {
  const auto ops = p.operations();
  const bool backwards = number < 0;
  auto left = std::llabs(number);
  const auto length = s.end - s.begin;
  for (std::uint64_t i = 0; i < length; ++i) {
    const auto at = backwards ? s.end - 1 - i : s.begin + i;
    if (ops[at].call == call && begins_call(ops[at]) && --left == 0) return at;
  }
  return std::nullopt;
}

/// One past the last operation of the call that begins at `at`.
std::uint64_t end_of_call(const Program& p, const Strand& s, std::uint64_t at) {
  const auto ops = p.operations();
  const auto call = ops[at].call;
  for (++at; at < s.end && !begins_call(ops[at]) && ops[at].call == call; ++at) {
  }
  return at;
}

/// The user events that mean entering a region of this name.
std::vector<const EventLabel*> labels_of(const Program& p, std::string_view name) {
  std::vector<const EventLabel*> labels;
  for (const auto& label : p.event_labels())
    if (label.text == name && label.value != 0) labels.push_back(&label);
  return labels;
}

/// Position of the user event that enters the strand's region `number` of these.
std::optional<std::uint64_t> find_entry(const Program& p, const Strand& s,
                                        const std::vector<const EventLabel*>& labels, std::int64_t number) {
  const auto enters = [&](const Operation& op) {
    return op.kind == OpKind::event &&
           std::any_of(labels.begin(), labels.end(), [&](const EventLabel* label) {
             return label->type == op.detail && label->value == op.amount;
           });
  };
  const auto length = s.end - s.begin;
  auto left = std::llabs(number);
  for (std::uint64_t i = 0; i < length; ++i) {
    const auto at = number < 0 ? s.end - 1 - i : s.begin + i;
    if (enters(p.operations()[at]) && --left == 0) return at;
  }
  return std::nullopt;
}

/// Position of the event that leaves the region entered at `entry`, or the strand's end. Regions of one type
/// nest; the value 0 leaves the last one.
std::uint64_t find_exit(const Program& p, const Strand& s, std::uint64_t entry) {
  const auto type = p.operations()[entry].detail;
  std::uint64_t depth = 0;
  for (auto at = entry; at < s.end; ++at) {
    const auto& op = p.operations()[at];
    if (op.kind != OpKind::event || op.detail != type) continue;
    if (op.amount != 0)
      ++depth;
    else if (--depth == 0)
      return at;
  }
  return s.end;
}

Error no_such_call(const Program& p, const CallRef& ref, bool is_region) {
  Error e;
  e.kind = Error::Kind::bad_option;
  std::vector<std::string> names(p.call_names().begin(), p.call_names().end());
  for (const auto& label : p.event_labels()) names.push_back(label.text);
  if (is_region) {
    e.message = fmt::format("no rank enters {} {} times", ref.call, std::llabs(ref.number));
    e.hint = "'busline inspect' counts the regions of a workload";
  } else if (!p.find_call(ref.call)) {
    e.message = fmt::format("no rank calls {}", ref.call);
    const auto near = nearest_name(names, ref.call);
    e.hint = near.empty() ? "'busline inspect' lists the calls of a workload"
                          : fmt::format("did you mean {}?", near);
  } else {
    e.message = fmt::format("no rank calls {} {} times", ref.call, std::llabs(ref.number));
    e.hint = "'busline inspect' counts the calls of a workload";
  }
  return e;
}

}  // namespace

Expected<IdVector<StrandId, RegionBorders>> find_borders(const Program& program, const Region& region) {
  IdVector<StrandId, RegionBorders> borders;
  for (const auto& s : program.strands()) borders.push_back({s.begin, s.end});
  for (const bool from : {true, false}) {
    const auto& ref = from ? region.from : region.to;
    if (!ref) continue;
    const auto call = program.find_call(ref->call);
    const auto labels = call ? std::vector<const EventLabel*>() : labels_of(program, ref->call);
    bool found = false;
    for (const auto i : borders.ids()) {
      const auto& s = program.strands()[raw(i)];
      auto& border = from ? borders[i].from : borders[i].to;
      if (call) {
        const auto at = find_call(program, s, *call, ref->number);
        if (!at) continue;
        border = from ? end_of_call(program, s, *at) : *at;
      } else {
        const auto at = find_entry(program, s, labels, ref->number);
        if (!at) continue;
        border = from ? *at : find_exit(program, s, *at);
      }
      found = true;
    }
    if (!found) return tl::unexpected(no_such_call(program, *ref, !labels.empty()));
  }
  return borders;
}

}  // namespace busline
