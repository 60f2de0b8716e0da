#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "sim/algorithms/phases.hpp"
#include "sim/algorithms/rounds.hpp"

namespace busline::phases {
namespace {

std::uint32_t two_rounds(const Site& s) {
  return s.ranks > 1 ? 2 : 0;
}

enum class Load { all, parts, vector };  // vector: block v, at whichever rank has position v

// The blocks of v and its subtree when its parent is v - mask.
template <Load kLoad>
Blocks load(const Site& s, std::uint32_t v, std::uint32_t mask) {
  if (kLoad == Load::all) return s.all();
  return {kLoad == Load::vector ? v : s.absolute(v), std::min(mask, s.ranks - v)};
}

/// In each round, the ranks whose v has `mask` as its lowest bit meet their parents v - mask.
template <Load kLoad>
void tree_step(const Site& s, std::uint32_t mask, std::vector<Part>& of_child, std::vector<Part>& of_parent) {
  const auto v = s.relative();
  const auto low = v & (mask | (mask - 1));
  if (low == mask)
    of_child.push_back({s.absolute(v - mask), load<kLoad>(s, v, mask)});
  else if (low == 0 && s.ranks - v > mask)
    of_parent.push_back({s.absolute(v + mask), load<kLoad>(s, v + mask, mask)});
}

template <Load kLoad>
void tree_up(const Site& s, std::uint32_t r, Round& out) {
  tree_step<kLoad>(s, 1U << r, out.sends, out.receives);
}

template <Load kLoad>
void tree_down(const Site& s, std::uint32_t r, Round& out) {
  tree_step<kLoad>(s, 1U << (log2_rounds(s) - 1 - r), out.receives, out.sends);
}

template <Load kLoad>
void star(const Site& s, std::vector<Part>& of_leaf, std::vector<Part>& of_root) {
  if (s.position != s.root)
    return of_leaf.push_back({s.root, kLoad == Load::all ? s.all() : Blocks{s.position, 1}});
  for (std::uint32_t p = 0; p < s.ranks; ++p)
    if (p != s.root) of_root.push_back({p, kLoad == Load::all ? s.all() : Blocks{p, 1}});
}

template <Load kLoad>
void star_up(const Site& s, std::uint32_t, Round& out) {
  star<kLoad>(s, out.sends, out.receives);
}

// The root receives from one rank after the other, as a loop of MPI_Recv does: with rendezvous, the next
// handshake begins when the message before has arrived.
std::uint32_t one_by_one(const Site& s) {
  return s.position == s.root ? s.ranks - 1 : 1;
}

void star_up_in_order(const Site& s, std::uint32_t r, Round& out) {
  if (s.position != s.root) return star_up<Load::parts>(s, r, out);
  const auto p = r < s.root ? r : r + 1;
  out.receives.push_back({p, {p, 1}});
}

template <Load kLoad>
void star_down(const Site& s, std::uint32_t, Round& out) {
  star<kLoad>(s, out.receives, out.sends);
}

// One rank after the other: the root asks for a rank's block with an empty message.
std::uint32_t request_rounds(const Site& s) {
  return s.position == s.root ? s.ranks - 1 : 2;
}

void star_up_on_request(const Site& s, std::uint32_t r, Round& out) {
  if (s.position == s.root) {
    const auto p = s.absolute(r + 1);
    out.sends.push_back({p, {p, 0}});
    out.receives.push_back({p, {p, 1}});
  } else if (r == 0) {
    out.receives.push_back({s.root, {s.position, 0}});
  } else {
    out.sends.push_back({s.root, {s.position, 1}});
  }
}

/// A rank's place in a tree, counted from the root.
struct Family {
  std::optional<std::uint32_t> parent;
  std::vector<std::uint32_t> children;
};

Family in_binary_tree(const Site& s) {
  const auto v = s.relative();
  const auto of_level = std::bit_floor(v + 1);  // how many its level has
  Family f;
  if (v > 0) {
    const auto of_parents = of_level / 2, last_parent = of_level - 2;
    f.parent = v - of_parents <= last_parent ? v - of_parents : v - 2 * of_parents;
  }
  for (std::uint64_t child = std::uint64_t{v} + of_level; child < s.ranks && f.children.size() < 2;
       child += of_level)
    f.children.push_back(static_cast<std::uint32_t>(child));
  return f;
}

Family in_knomial_tree(const Site& s) {
  constexpr std::uint64_t kRadix = 4;
  const auto v = s.relative();
  std::uint64_t digit = 1;
  while (digit < s.ranks && v % (kRadix * digit) == 0) digit *= kRadix;
  Family f;
  if (v > 0) f.parent = static_cast<std::uint32_t>(v / (kRadix * digit) * (kRadix * digit));
  for (digit /= kRadix; digit > 0; digit /= kRadix)
    for (auto child = v + digit; child < std::min<std::uint64_t>(s.ranks, v + kRadix * digit); child += digit)
      f.children.push_back(static_cast<std::uint32_t>(child));
  return f;
}

Family in_doubling_tree(const Site& s) {
  const auto v = s.relative();
  Family f;
  if (v > 0) f.parent = v - std::bit_floor(v);
  for (std::uint64_t step = v == 0 ? 1 : std::uint64_t{2} * std::bit_floor(v); v + step < s.ranks; step *= 2)
    f.children.push_back(static_cast<std::uint32_t>(v + step));
  return f;
}

template <Family (*kPlace)(const Site&)>
void family_down(const Site& s, std::uint32_t r, Round& out) {
  const auto f = kPlace(s);
  if (r == 0 && f.parent) out.receives.push_back({s.absolute(*f.parent), s.all()});
  if (r == 1)
    for (const auto child : f.children) out.sends.push_back({s.absolute(child), s.all()});
}

template <Family (*kPlace)(const Site&)>
void family_up(const Site& s, std::uint32_t r, Round& out) {
  const auto f = kPlace(s);
  if (r == 0)
    for (const auto child : f.children) out.receives.push_back({s.absolute(child), s.all()});
  if (r == 1 && f.parent) out.sends.push_back({s.absolute(*f.parent), s.all()});
}

void chain_down(const Site& s, std::uint32_t r, Round& out) {
  const auto v = s.relative();
  if (r == 0 && v > 0) out.receives.push_back({s.absolute(v - 1), s.all()});
  if (r == 1 && v + 1 < s.ranks) out.sends.push_back({s.absolute(v + 1), s.all()});
}

void chain_up(const Site& s, std::uint32_t r, Round& out) {
  const auto v = s.relative();
  if (r == 0 && v + 1 < s.ranks) out.receives.push_back({s.absolute(v + 1), s.all()});
  if (r == 1 && v > 0) out.sends.push_back({s.absolute(v - 1), s.all()});
}

std::uint32_t pipeline_down_rounds(const Site& s) {
  return s.ranks > 1 ? s.blocks + 1 : 0;
}

// The root has everything, so that its blocks go out from round 0 on, one a round.
void pipeline_down(const Site& s, std::uint32_t r, Round& out) {
  const auto v = s.relative();
  if (v > 0 && r < s.blocks) out.receives.push_back({s.absolute(v - 1), {r, 1}});
  const auto sent = v > 0 ? r - 1 : r;  // none in a rank's round 0, and after the root's last
  if (v + 1 < s.ranks && sent < s.blocks) out.sends.push_back({s.absolute(v + 1), {sent, 1}});
}

std::uint32_t pipeline_up_rounds(const Site& s) {
  return s.ranks > 1 ? 2 * s.blocks : 0;
}

void pipeline_up(const Site& s, std::uint32_t r, Round& out) {
  const auto v = s.relative();
  if (r % 2 == 0 && v + 1 < s.ranks) out.receives.push_back({s.absolute(v + 1), {r / 2, 1}});
  if (r % 2 == 1 && v > 0) out.sends.push_back({s.absolute(v - 1), {r / 2, 1}});
}

}  // namespace

const SchedulePhase kTreeUpAll{log2_rounds, tree_up<Load::all>};
const SchedulePhase kTreeUpParts{log2_rounds, tree_up<Load::parts>};
const SchedulePhase kTreeDownAll{log2_rounds, tree_down<Load::all>};
const SchedulePhase kTreeDownParts{log2_rounds, tree_down<Load::parts>};
const SchedulePhase kTreeDownVector{log2_rounds, tree_down<Load::vector>};
const SchedulePhase kStarUpAll{one_round, star_up<Load::all>};
const SchedulePhase kStarUpPartsAtOnce{one_round, star_up<Load::parts>};
const SchedulePhase kStarUpParts{one_by_one, star_up_in_order};
const SchedulePhase kStarDownAll{one_round, star_down<Load::all>};
const SchedulePhase kStarDownParts{one_round, star_down<Load::parts>};
const SchedulePhase kStarUpOnRequest{request_rounds, star_up_on_request};
const SchedulePhase kBinaryUp{two_rounds, family_up<in_binary_tree>};
const SchedulePhase kBinaryDown{two_rounds, family_down<in_binary_tree>};
const SchedulePhase kKnomialUp{two_rounds, family_up<in_knomial_tree>};
const SchedulePhase kKnomialDown{two_rounds, family_down<in_knomial_tree>};
const SchedulePhase kDoublingTreeDown{two_rounds, family_down<in_doubling_tree>};
const SchedulePhase kChainUp{two_rounds, chain_up};
const SchedulePhase kChainDown{two_rounds, chain_down};
const SchedulePhase kPipelineDown{pipeline_down_rounds, pipeline_down};
const SchedulePhase kPipelineUp{pipeline_up_rounds, pipeline_up};

}  // namespace busline::phases
