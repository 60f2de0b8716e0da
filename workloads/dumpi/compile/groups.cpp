#include "workloads/dumpi/compile/groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace busline::dumpi {
namespace {

using Members = std::vector<std::uint32_t>;

bool has_two_operands(Group::Made made) {
  return made == Group::Made::set_union || made == Group::Made::set_intersection ||
         made == Group::Made::set_difference;
}
bool has_operand(Group::Made made) {
  return made >= Group::Made::incl;
}

// `group` and all its direct and indirect operands, in the order of creation: operands come first.
std::set<std::uint32_t> ancestry(const std::vector<Group>& groups, std::uint32_t group) {
  std::set<std::uint32_t> all;
  std::vector<std::uint32_t> open{group};
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    if (!all.insert(at).second) continue;
    const auto& g = groups[at];
    if (has_operand(g.made)) open.push_back(g.a);
    if (has_two_operands(g.made)) open.push_back(g.b);
  }
  return all;
}

// The places that ranges of (first, last, stride) name in a group of `size`, in order; at most `size`.
std::optional<std::vector<std::int32_t>> expand(const std::vector<std::int32_t>& ranges, std::size_t size) {
  std::vector<std::int32_t> places;
  for (std::size_t i = 0; i + 2 < ranges.size(); i += 3) {
    const std::int64_t first = ranges[i], last = ranges[i + 1], stride = ranges[i + 2];
    if (stride == 0) return std::nullopt;
    for (std::int64_t at = first; stride > 0 ? at <= last : at >= last; at += stride) {
      if (places.size() >= size || at < 0 || at >= static_cast<std::int64_t>(size)) return std::nullopt;
      places.push_back(static_cast<std::int32_t>(at));
    }
  }
  return places;
}

std::optional<Members> pick(const Members& from, const std::vector<std::int32_t>& places, bool keep) {
  std::vector<bool> named(from.size(), false);
  Members picked;
  for (const auto p : places) {
    const auto at = static_cast<std::size_t>(p);
    if (p < 0 || at >= from.size() || named[at]) return std::nullopt;
    named[at] = true;
    if (keep) picked.push_back(from[at]);
  }
  if (!keep)
    for (std::size_t i = 0; i < from.size(); ++i)
      if (!named[i]) picked.push_back(from[i]);
  return picked;
}

// Union: all of a, then those of b that are not in a. Intersection and difference keep the order of a.
Members combine(Group::Made made, const Members& a, const Members& b) {
  if (made == Group::Made::set_union) {
    const std::unordered_set<std::uint32_t> in_a(a.begin(), a.end());
    Members both = a;
    std::copy_if(b.begin(), b.end(), std::back_inserter(both), [&](auto r) { return !in_a.contains(r); });
    return both;
  }
  const std::unordered_set<std::uint32_t> in_b(b.begin(), b.end());
  Members kept;
  std::copy_if(a.begin(), a.end(), std::back_inserter(kept),
               [&](auto r) { return in_b.contains(r) == (made == Group::Made::set_intersection); });
  return kept;
}

}  // namespace

std::vector<std::uint32_t> instances_of(const std::vector<Group>& groups, std::uint32_t group) {
  std::vector<std::uint32_t> instances;
  for (const auto i : ancestry(groups, group))
    if (groups[i].instance != kNoInstance) instances.push_back(groups[i].instance);
  return instances;
}

std::optional<Members> members_of(const std::vector<Group>& groups, std::uint32_t group,
                                  const GroupOf& group_of) {
  using enum Group::Made;
  std::map<std::uint32_t, Members> known;
  for (const auto i : ancestry(groups, group)) {
    const auto& g = groups[i];
    std::optional<Members> members;
    switch (g.made) {
      case unknown:
        return std::nullopt;
      case empty:
        members.emplace();
        break;
      case local_group:
      case remote_group: {
        const auto ranks = group_of(g.instance, g.made == remote_group);
        if (ranks.empty()) return std::nullopt;
        members.emplace(ranks.begin(), ranks.end());
        break;
      }
      case incl:
      case excl:
        members = pick(known[g.a], g.ranks, g.made == incl);
        break;
      case range_incl:
      case range_excl:
        if (const auto places = expand(g.ranks, known[g.a].size()))
          members = pick(known[g.a], *places, g.made == range_incl);
        break;
      default:
        members = combine(g.made, known[g.a], known[g.b]);
    }
    if (!members) return std::nullopt;
    known[i] = std::move(*members);
  }
  return std::move(known[group]);
}

}  // namespace busline::dumpi
