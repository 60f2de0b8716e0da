#include <algorithm>
#include <bit>

#include "sim/algorithms/phases.hpp"

namespace busline::phases {
namespace {

/// The power of two of ranks that continue, and their numbering.
struct Folded {
  std::uint32_t power, extra;  // P', and P - P'
  explicit Folded(std::uint32_t ranks) : power(std::bit_floor(ranks)), extra(ranks - power) {}

  bool folds_away(std::uint32_t v) const { return v < 2 * extra && v % 2 == 1; }
  bool takes_in(std::uint32_t v) const { return v < 2 * extra && v % 2 == 0; }
  std::uint32_t number(std::uint32_t v) const { return v < 2 * extra ? v / 2 : v - extra; }
  std::uint32_t rank(std::uint32_t number) const { return number < extra ? 2 * number : number + extra; }
  std::uint32_t rounds() const { return static_cast<std::uint32_t>(std::bit_width(power)) - 1; }
  /// Blocks of the numbers from `number` on: one each, or, if each rank has one, also those of the ranks that
  /// folded away.
  Blocks blocks(const Site& s, std::uint32_t number, std::uint32_t count) const {
    const auto begin = [&](std::uint32_t n) {
      return s.blocks == power ? n : n <= extra ? 2 * n : n + extra;
    };
    return {begin(number), begin(number + count) - begin(number)};
  }
};

std::uint32_t fold_rounds(const Site& s) {
  return Folded(s.ranks).extra > 0 ? 1 : 0;
}
std::uint32_t power_rounds(const Site& s) {
  return Folded(s.ranks).rounds();
}

void fold(const Site& s, std::uint32_t, Round& out) {
  const Folded f(s.ranks);
  const auto v = s.relative();
  if (f.folds_away(v)) out.sends.push_back({s.absolute(v - 1), s.all()});
  if (f.takes_in(v)) out.receives.push_back({s.absolute(v + 1), s.all()});
}

void unfold_all(const Site& s, std::uint32_t, Round& out) {
  const Folded f(s.ranks);
  const auto v = s.relative();
  if (f.folds_away(v)) out.receives.push_back({s.absolute(v - 1), s.all()});
  if (f.takes_in(v)) out.sends.push_back({s.absolute(v + 1), s.all()});
}

void unfold_part(const Site& s, std::uint32_t, Round& out) {
  const Folded f(s.ranks);
  const auto v = s.relative();
  if (f.folds_away(v)) out.receives.push_back({s.absolute(v - 1), {v, 1}});
  if (f.takes_in(v)) out.sends.push_back({s.absolute(v + 1), {v + 1, 1}});
}

void doubling_all(const Site& s, std::uint32_t r, Round& out) {
  const Folded f(s.ranks);
  const auto v = s.relative();
  if (f.folds_away(v)) return;
  const auto partner = s.absolute(f.rank(f.number(v) ^ (1U << r)));
  out.receives.push_back({partner, s.all()});
  out.sends.push_back({partner, s.all()});
}

// With the partner at distance `mask` in the numbering; each holds `mask` numbers of their group of 2 mask.
struct Halves {
  std::uint32_t partner;
  Blocks mine, others;
};
Halves halves(const Site& s, const Folded& f, std::uint32_t mask) {
  const auto n = f.number(s.relative());
  const auto half = [&](std::uint32_t number) { return f.blocks(s, number & ~(mask - 1), mask); };
  return {s.absolute(f.rank(n ^ mask)), half(n), half(n ^ mask)};
}

void halving(const Site& s, std::uint32_t r, Round& out) {
  const Folded f(s.ranks);
  if (f.folds_away(s.relative())) return;
  const auto h = halves(s, f, f.power >> (r + 1));
  out.receives.push_back({h.partner, h.mine});
  out.sends.push_back({h.partner, h.others});
}

void doubling_parts(const Site& s, std::uint32_t r, Round& out) {
  const Folded f(s.ranks);
  if (f.folds_away(s.relative())) return;
  const auto h = halves(s, f, 1U << r);
  out.receives.push_back({h.partner, h.others});
  out.sends.push_back({h.partner, h.mine});
}

void gather_halves(const Site& s, std::uint32_t r, Round& out) {
  const Folded f(s.ranks);
  const auto v = s.relative();
  const auto mask = 1U << r;
  if (f.folds_away(v) || f.number(v) % mask != 0) return;
  const auto h = halves(s, f, mask);
  if ((f.number(v) & mask) != 0)
    out.sends.push_back({h.partner, h.mine});
  else
    out.receives.push_back({h.partner, h.others});
}

std::uint32_t scan_rounds(const Site& s) {
  return s.ranks <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(s.ranks - 1));
}

void scan_doubling(const Site& s, std::uint32_t r, Round& out) {
  const auto partner = s.position ^ (1U << r);
  if (partner >= s.ranks) return;
  out.receives.push_back({partner, s.all()});
  out.sends.push_back({partner, s.all()});
}

}  // namespace

const SchedulePhase kFold{fold_rounds, fold};
const SchedulePhase kUnfoldAll{fold_rounds, unfold_all};
const SchedulePhase kUnfoldPart{fold_rounds, unfold_part};
const SchedulePhase kDoublingAll{power_rounds, doubling_all};
const SchedulePhase kHalving{power_rounds, halving};
const SchedulePhase kDoublingParts{power_rounds, doubling_parts};
const SchedulePhase kGatherHalves{power_rounds, gather_halves};
const SchedulePhase kScanDoubling{scan_rounds, scan_doubling};

}  // namespace busline::phases
