#include "workloads/dumpi/compile/communicator_matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "workloads/dumpi/compile/groups.hpp"

namespace busline::dumpi {

CommunicatorMatcher::CommunicatorMatcher(const std::vector<RankSurvey>& ranks,
                                         const std::vector<std::string>& paths, Communicators& result,
                                         std::vector<Error>* tolerated)
    : ranks_(ranks), paths_(paths), result_(result), tolerated_(tolerated), position_(ranks.size(), 0) {}

Expected<void> CommunicatorMatcher::run() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto n = log(rank).creations().size();
    result_.views_[rank].resize(kFirstInstance + n);
    for (std::uint32_t k = 0; k < n; ++k) ready_.push_back({rank, k});
  }
  while (!ready_.empty() && goes_on()) {
    const auto p = ready_.front();
    ready_.pop_front();
    if (const auto missing = missing_instance(p))
      waiting_[{p.rank, *missing}].push_back(p.creation);
    else
      join(p);
  }
  if (goes_on() && tolerated_ == nullptr) fail_incomplete();
  if (!error_) check_told();
  if (!goes_on()) return tl::unexpected(std::move(*error_));
  return {};
}

// After a tolerated error. Its communicators stay unknown to some of their ranks.
bool CommunicatorMatcher::goes_on() {
  if (!error_) return true;
  if (tolerated_ == nullptr) return false;
  tolerated_->push_back(std::move(*error_));
  error_.reset();
  return true;
}

// A communicator that the call needs and that is not yet known.
std::optional<std::uint32_t> CommunicatorMatcher::missing_instance(const Party& p) {
  const auto& c = creation(p);
  std::vector<std::uint32_t> needed{c.parent};
  if (c.function == function_id("MPI_Intercomm_create") && c.peer < kDynamicInstance)
    needed.push_back(c.peer);
  if (c.function == function_id("MPI_Comm_create")) {
    const auto of_group = instances_of(log(p.rank).groups(), c.group);
    needed.insert(needed.end(), of_group.begin(), of_group.end());
  }
  for (const auto i : needed)
    if (i < kDynamicInstance && !view(p.rank, i).known()) return i;
  return std::nullopt;
}

void CommunicatorMatcher::join(const Party& p) {
  const auto& c = creation(p);
  const auto v = view(p.rank, c.parent);
  const bool only_members = c.function == function_id("MPI_Comm_create_group");
  if (only_members && c.dimensions.empty()) return;  // the group was empty
  const Meeting key{v.communicator, c.ordinal, only_members ? c.dimensions : std::vector<std::int32_t>()};
  auto& parties = meetings_[key];
  parties.push_back(p);
  const auto& parent = result_.all_[v.communicator];
  if (parties.size() <
      (only_members ? c.dimensions.size() : result_.builder_->members(parent.program_id).size()))
    return;
  auto all = std::move(parties);
  meetings_.erase(key);
  conclude(std::move(all));
}

void CommunicatorMatcher::conclude(Parties parties) {
  const auto parent = view(parties.front().rank, creation(parties.front()).parent).communicator;
  const auto members = result_.builder_->members(result_.all_[parent].program_id);
  for (std::uint32_t i = 0; i < members.size(); ++i) position_[members[i]] = i;
  std::sort(parties.begin(), parties.end(),
            [&](const Party& a, const Party& b) { return position_[a.rank] < position_[b.rank]; });
  const auto function = creation(parties.front()).function;
  for (const auto& p : parties)
    if (creation(p).function != function)
      return fail(p,
                  fmt::format("rank {} calls {} here", parties.front().rank, kFunctionTable[function].name));

  const auto first_side = result_.all_[parent].first_side;
  const auto border =
      parties.begin() + static_cast<std::ptrdiff_t>(first_side == 0 ? parties.size() : first_side);
  const Sides sides{Parties(parties.begin(), border), Parties(border, parties.end())};
  switch (function) {
    case function_id("MPI_Comm_dup"):
    case function_id("MPI_Comm_idup"):
    case function_id("MPI_Comm_idup_with_info"):
    case function_id("MPI_Comm_dup_with_info"):
      duplicate(sides, parent);
      break;
    case function_id("MPI_Comm_split"):
      split(sides);
      break;
    case function_id("MPI_Comm_create"):
      create(sides);
      break;
    case function_id("MPI_Cart_create"):
      cartesian(parties);
      break;
    case function_id("MPI_Cart_sub"):
      cartesian_part(parties, parent);
      break;
    case function_id("MPI_Graph_create"):
      graph(parties);
      break;
    case function_id("MPI_Comm_split_type"):
    case function_id("MPI_Comm_create_group"):
    case function_id("MPI_Dist_graph_create"):
    case function_id("MPI_Dist_graph_create_adjacent"):
      listed(parties, parent);
      break;
    case function_id("MPI_Intercomm_merge"):
      merge(sides);
      break;
    default:
      intercomm(parties, parent);
  }
  if (error_ || function == function_id("MPI_Intercomm_create")) return;
  for (const auto& p : parties)
    if (creation(p).member && !view(p.rank, instance(p)).known())
      return fail(p, "the rank got a communicator that should not hold it");
}

void CommunicatorMatcher::duplicate(const Sides& sides, std::uint32_t parent) {
  give(sides, result_.all_[parent].dimensions);
}

void CommunicatorMatcher::split(const Sides& sides) {
  std::map<std::int32_t, Sides> by_color;  // negative: MPI_UNDEFINED
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const auto& p : sides[side])
      if (creation(p).color >= 0) by_color[creation(p).color][side].push_back(p);
  for (auto& [color, parts] : by_color) {
    for (auto& part : parts)
      std::stable_sort(part.begin(), part.end(),
                       [&](const Party& a, const Party& b) { return creation(a).key < creation(b).key; });
    if (sides[1].empty() || (!parts[0].empty() && !parts[1].empty())) give(parts);
  }
}

void CommunicatorMatcher::create(const Sides& sides) {
  std::map<std::uint32_t, Party> by_rank;
  for (const auto& side : sides)
    for (const auto& p : side) by_rank[p.rank] = p;
  Sides made;
  const auto finish = [&] {
    give(made);
    made = {};
  };
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const auto& p : sides[side]) {
      const bool taken =
          std::any_of(made[side].begin(), made[side].end(), [&](const Party& q) { return q.rank == p.rank; });
      if (!creation(p).member || taken || view(p.rank, instance(p)).known()) continue;
      const auto members = members_of(p);
      if (!members) return fail(p, "the members of the group are not known from the recorded calls");
      for (const auto rank : *members) {
        const auto at = by_rank.find(rank);
        if (at == by_rank.end() || !creation(at->second).member)
          return fail(p, fmt::format("the group holds rank {}, which got no communicator", rank));
        made[side].push_back(at->second);
      }
      if (error_) return;
      if (sides[1].empty()) finish();
    }
  if (!sides[1].empty() && !made[0].empty() && !made[1].empty()) finish();
}

void CommunicatorMatcher::cartesian(const Parties& parties) {
  const auto& dimensions = creation(parties.front()).dimensions;
  std::size_t n = 1;
  for (const auto d : dimensions) {
    n = d < 1 ? parties.size() + 1 : n * static_cast<std::size_t>(d);
    if (n > parties.size())
      return fail(parties.front(), fmt::format("the dimensions do not fit on {} ranks", parties.size()));
  }
  for (const auto& p : parties)
    if (creation(p).dimensions != dimensions)
      return fail(p, fmt::format("rank {} has different dimensions", parties.front().rank));
  Sides made{Parties(parties.begin(), parties.begin() + static_cast<std::ptrdiff_t>(n)), {}};
  if (creation(parties.front()).reordered) order_as_told(made[0]);
  give(made, dimensions);
}

void CommunicatorMatcher::cartesian_part(const Parties& parties, std::uint32_t parent) {
  const auto dimensions = result_.all_[parent].dimensions;
  const auto remain = creation(parties.front()).dimensions;
  if (remain.size() != dimensions.size())
    return fail(parties.front(), fmt::format("names {} dimensions of a communicator that has {}",
                                             remain.size(), dimensions.size()));
  std::vector<std::int32_t> kept;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (remain[d] != 0) kept.push_back(dimensions[d]);
  // Ranks are in row-major order. Those that agree in all dropped coordinates stay together.
  std::map<std::size_t, Sides> parts;
  for (std::size_t i = 0; i < parties.size(); ++i) {
    std::size_t rest = i, dropped = 0, factor = 1;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(dimensions[d]);
      if (remain[d] == 0) dropped += rest % extent * factor;
      if (remain[d] == 0) factor *= extent;
      rest /= extent;
    }
    parts[dropped][0].push_back(parties[i]);
  }
  for (const auto& [dropped, part] : parts) give(part, kept);
}

void CommunicatorMatcher::graph(const Parties& parties) {
  const auto nodes = creation(parties.front()).color;
  if (nodes < 0 || static_cast<std::size_t>(nodes) > parties.size())
    return fail(parties.front(), fmt::format("{} nodes do not fit on {} ranks", nodes, parties.size()));
  Sides made{Parties(parties.begin(), parties.begin() + nodes), {}};
  if (creation(parties.front()).reordered) order_as_told(made[0]);
  if (nodes > 0) give(made);
}

// Each new member has the list of all.
void CommunicatorMatcher::listed(const Parties& parties, std::uint32_t parent) {
  if (result_.all_[parent].first_side != 0)
    return fail(parties.front(), "the communicator is an inter-communicator");
  std::map<std::int32_t, Party> by_place;
  for (const auto& p : parties) by_place[static_cast<std::int32_t>(position_[p.rank])] = p;
  for (const auto& p : parties) {
    if (!creation(p).member || view(p.rank, instance(p)).known()) continue;
    Sides made;
    std::set<std::int32_t> taken;
    for (const auto place : creation(p).dimensions) {
      const auto at = by_place.find(place);
      if (at == by_place.end() || creation(at->second).dimensions != creation(p).dimensions ||
          !taken.insert(place).second)
        return fail(
            p, fmt::format("the members hold rank {} of the old communicator, whose call names others or "
                           "the same twice",
                           place));
      made[0].push_back(at->second);
    }
    if (!made[0].empty()) give(made);
    if (error_) return;
  }
}

void CommunicatorMatcher::merge(Sides sides) {
  if (sides[1].empty()) return fail(sides[0].front(), "the communicator is not an inter-communicator");
  const auto high = [&](const Parties& side) { return creation(side.front()).color; };
  // If both sides say the same, the library decides; Open MPI puts the lower leader first.
  const bool swap = high(sides[0]) == high(sides[1]) ? sides[0].front().rank > sides[1].front().rank
                                                     : high(sides[0]) > high(sides[1]);
  if (swap) std::swap(sides[0], sides[1]);
  Sides made{sides[0], {}};
  made[0].insert(made[0].end(), sides[1].begin(), sides[1].end());
  order_as_told(made[0]);
  give(made);
}

// The two groups meet through their leaders, each of which names the other's rank in a communicator that both
// have.
void CommunicatorMatcher::intercomm(const Parties& parties, std::uint32_t parent) {
  const auto place = creation(parties.front()).local_leader;
  if (place < 0 || static_cast<std::size_t>(place) >= parties.size() || result_.all_[parent].first_side != 0)
    return fail(parties.front(), fmt::format("the leader is rank {} of {}", place, parties.size()));
  const auto leader = parties[static_cast<std::size_t>(place)];
  const auto& c = creation(leader);
  const auto peer = c.peer < kDynamicInstance ? view(leader.rank, c.peer) : CommunicatorView{};
  const auto others = peer.known() ? result_.peers(peer) : std::span<const std::uint32_t>();
  if (c.remote_leader < 0 || static_cast<std::size_t>(c.remote_leader) >= others.size())
    return fail(leader, fmt::format("the remote leader is rank {} of {}", c.remote_leader, others.size()));
  const auto remote = others[static_cast<std::size_t>(c.remote_leader)];
  auto& waiting = halves_[{remote, leader.rank, c.tag}];
  if (waiting.empty() || remote == leader.rank) {
    halves_[{leader.rank, remote, c.tag}].push_back({parties, leader.rank});
    return;
  }
  const auto other = std::move(waiting.front());
  waiting.pop_front();
  give(other.leader < leader.rank ? Sides{other.parties, parties} : Sides{parties, other.parties});
}

std::optional<std::vector<std::uint32_t>> CommunicatorMatcher::members_of(const Party& p) {
  return dumpi::members_of(log(p.rank).groups(), creation(p).group,
                           [&](std::uint32_t i, bool remote) { return result_.members(p.rank, i, remote); });
}

void CommunicatorMatcher::give(const Sides& sides, std::vector<std::int32_t> dimensions) {
  std::vector<std::uint32_t> members;
  for (const auto& side : sides)
    for (const auto& p : side) members.push_back(p.rank);
  const auto number = static_cast<std::uint32_t>(result_.all_.size());
  result_.all_.push_back({result_.builder_->add_communicator(std::move(members)),
                          sides[1].empty() ? 0 : sides[0].size(), std::move(dimensions)});
  for (std::uint8_t side = 0; side < sides.size(); ++side)
    for (const auto& p : sides[side]) {
      auto& v = result_.views_[p.rank][instance(p)];
      if (v.known()) return fail(p, "the rank would be in two new communicators");
      if (!creation(p).member)
        return fail(p, "the rank got no communicator, but the other ranks' calls hold it");
      v = {number, side};
      const auto waiting = waiting_.find({p.rank, instance(p)});
      if (waiting == waiting_.end()) continue;
      for (const auto k : waiting->second) ready_.push_back({p.rank, k});
      waiting_.erase(waiting);
    }
}

// Where MPI may reorder ranks, MPI_Comm_rank reported the order, if all ranks asked.
void CommunicatorMatcher::order_as_told(Parties& parties) const {
  Parties ordered(parties.size());
  std::vector<bool> taken(parties.size(), false);
  for (const auto& p : parties) {
    const auto rank = log(p.rank).told(instance(p)).rank;
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= parties.size() || taken[at]) return;
    taken[at] = true;
    ordered[at] = p;
  }
  parties = std::move(ordered);
}

void CommunicatorMatcher::check_told() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    for (std::uint32_t k = 0; k < log(rank).creations().size(); ++k) {
      const Party p{rank, k};
      const auto told = log(rank).told(instance(p));
      const auto v = view(rank, instance(p));
      if (!v.known()) continue;
      const auto group = result_.local_group(v);
      if (told.size >= 0 && static_cast<std::size_t>(told.size) != group.size())
        return fail(p, fmt::format("MPI_Comm_size says {}, but the recorded calls make it {}", told.size,
                                   group.size()));
      if (told.rank >= 0 && (static_cast<std::size_t>(told.rank) >= group.size() ||
                             group[static_cast<std::size_t>(told.rank)] != rank))
        return fail(p, fmt::format("MPI_Comm_rank says {}, but the recorded calls make it a different rank",
                                   told.rank));
    }
}

void CommunicatorMatcher::fail(const Party& p, std::string message) {
  if (error_) return;
  const auto& c = creation(p);
  error_ =
      damaged(paths_[p.rank], c.offset,
              fmt::format("{} record {}", kFunctionTable[c.function].name, c.record), std::move(message));
  error_->hint =
      "the ranks' files do not belong together, or calls that make communicators were not recorded";
}

void CommunicatorMatcher::fail_incomplete() {
  if (!meetings_.empty()) {
    const auto& [key, parties] = *meetings_.begin();
    std::vector<std::uint32_t> here;
    for (const auto& p : parties) here.push_back(p.rank);
    std::sort(here.begin(), here.end());
    for (const auto rank : result_.builder_->members(result_.all_[std::get<0>(key)].program_id))
      if (!std::binary_search(here.begin(), here.end(), rank))
        return fail(parties.front(), fmt::format("rank {} of the communicator has no matching call", rank));
  }
  for (const auto& [key, halves] : halves_)
    if (!halves.empty())
      return fail(halves.front().parties.front(),
                  fmt::format("rank {}, the remote leader, has no matching call", std::get<1>(key)));
  if (!waiting_.empty()) {
    const auto& [key, creations] = *waiting_.begin();
    fail({key.first, creations.front()}, "made from a communicator that does not hold this rank");
  }
}

}  // namespace busline::dumpi
