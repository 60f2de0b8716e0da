#include "models/run/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

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

Error no_such_call(const Program& p, const CallRef& ref) {
  Error e;
  e.kind = Error::Kind::bad_option;
  const std::vector<std::string> names(p.call_names().begin(), p.call_names().end());
  if (!p.find_call(ref.call)) {
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
    bool found = false;
    for (const auto i : borders.ids()) {
      if (!call) break;
      const auto& s = program.strands()[raw(i)];
      const auto at = find_call(program, s, *call, ref->number);
      if (!at) continue;
      found = true;
      (from ? borders[i].from : borders[i].to) = from ? end_of_call(program, s, *at) : *at;
    }
    if (!found) return tl::unexpected(no_such_call(program, *ref));
  }
  return borders;
}

}  // namespace busline
