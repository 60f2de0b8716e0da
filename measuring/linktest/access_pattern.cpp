#include "measuring/linktest/access_pattern.hpp"

#include <algorithm>

namespace busline::linktest {
namespace {

// The entry of `partner` among those of `rank`, which has none for itself.
std::uint32_t entry_of(std::uint32_t rank, std::uint32_t partner) {
  return partner < rank ? partner : partner - 1;
}
std::uint32_t partner_of(std::uint32_t rank, std::uint32_t entry) {
  return entry < rank ? entry : entry + 1;
}

// Whether the numbers of each row are distinct, up to `most`, apart from those that `is_free` lets through.
template <class IsFree>
bool distinct_in_rows(const AccessEntries& access, std::uint32_t columns, std::uint32_t most,
                      IsFree is_free) {
  std::vector<std::uint32_t> seen_by(std::size_t{most} + 1);
  for (std::uint32_t rank = 0; rank < access.ranks; ++rank)
    for (std::uint32_t i = 0; i < columns; ++i) {
      const auto v = access(rank, i);
      if (is_free(rank, v)) continue;
      if (v > most || seen_by[v] == rank + 1) return false;
      seen_by[v] = rank + 1;
    }
  return true;
}

bool names_partners(const AccessEntries& access, std::uint32_t columns) {
  const auto pauses = [](std::uint32_t rank, std::uint32_t v) { return v == rank; };
  if (!distinct_in_rows(access, columns, access.ranks - 1, pauses)) return false;
  bool met = false;
  for (std::uint32_t rank = 0; rank < access.ranks; ++rank)
    for (std::uint32_t i = 0; i < columns; ++i) {
      const auto partner = access(rank, i);
      if (partner == rank) continue;
      if (access(partner, i) != rank) return false;
      met = true;
    }
  return met;
}

// `least` is the number of the first step; with 1, a 0 means that two ranks never met.
bool names_steps(const AccessEntries& access, std::uint32_t least) {
  if (access.entries + 1 != access.ranks) return false;
  const auto never = [&](std::uint32_t, std::uint32_t v) { return v < least; };
  const auto most = least == 0 ? access.ranks - 2 : access.ranks;
  if (!distinct_in_rows(access, access.entries, most, never)) return false;
  bool met = false;
  for (std::uint32_t rank = 0; rank < access.ranks; ++rank)
    for (std::uint32_t i = 0; i < access.entries; ++i) {
      const auto partner = partner_of(rank, i);
      if (access(rank, i) != access(partner, entry_of(partner, rank))) return false;
      met = met || access(rank, i) >= least;
    }
  return met;
}

}  // namespace

std::optional<AccessReading::Meeting> AccessReading::meeting(const AccessEntries& access, std::uint32_t rank,
                                                             std::uint32_t entry) const {
  if (entry >= columns) return std::nullopt;
  const auto v = access(rank, entry);
  if (pattern == AccessPattern::partner_of_step) {
    if (v == rank) return std::nullopt;
    return Meeting{v, entry + 1};
  }
  if (v < first_step) return std::nullopt;
  return Meeting{partner_of(rank, entry), v - first_step + 1};
}

AccessReading reading_of(const AccessEntries& access, bool bisection) {
  if (access.ranks < 2 || access.entries == 0) return {};
  const auto all = access.entries, half = std::min(all, access.ranks - access.ranks / 2);
  if (names_partners(access, all)) return {AccessPattern::partner_of_step, 1, all};
  // Steps 0 to N - 2 would also pass as steps from 1 of which one pair never met.
  if (names_steps(access, 0)) return {AccessPattern::step_of_partner, 0, all};
  if (names_steps(access, 1)) return {AccessPattern::step_of_partner, 1, all};
  if (bisection && names_partners(access, half)) return {AccessPattern::partner_of_step, 1, half};
  return {};
}

}  // namespace busline::linktest
