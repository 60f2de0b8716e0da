#include "sim/program/program_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/program/memberships.hpp"
#include "sim/program/operation_rules.hpp"

namespace busline {
namespace {

using Broken = std::optional<BrokenRule>;

constexpr std::uint64_t kMostRanks = 0x7fff'ffff;
constexpr std::uint64_t kMostNames = 0x1'0000;  // Operation::call has 16 bits

Broken broken(const char* table, std::uint64_t entry, std::string message) {
  return BrokenRule{table, entry, std::move(message)};
}

std::string out_of(const char* field, std::uint64_t value, std::uint64_t size) {
  return size == 0 ? fmt::format("{} is {}, but there are none", field, value)
                   : fmt::format("{} is {}, expected 0 to {}", field, value, size - 1);
}

// The second of two equal entries, by `key`.
template <class T, class Key>
Broken repeated(const char* table, std::span<const T> entries, Key key) {
  std::vector<std::uint64_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const auto before = [&](std::uint64_t a, std::uint64_t b) { return key(entries[a]) < key(entries[b]); };
  std::sort(order.begin(), order.end(), before);
  const auto same = [&](std::uint64_t a, std::uint64_t b) { return !before(a, b); };
  const auto at = std::adjacent_find(order.begin(), order.end(), same);
  if (at == order.end()) return {};
  const auto [first, second] = std::minmax(at[0], at[1]);
  return broken(table, second, fmt::format("is the same as entry {}", first));
}

Broken sizes(const ProgramTables& t) {
  const auto ranks = t.request_slots.size();
  if (ranks == 0 || ranks > kMostRanks)
    return broken("ranks", 0, fmt::format("there are {}, expected 1 to {}", ranks, kMostRanks));
  if (t.channels.size() > kAnyChannel)
    return broken("channels", 0, fmt::format("there are {}, more than {}", t.channels.size(), kAnyChannel));
  if (t.wildcards.size() > kAnyChannel)
    return broken("wildcards", 0, fmt::format("there are {}, more than {}", t.wildcards.size(), kAnyChannel));
  if (t.call_names.empty() || t.call_names.size() > kMostNames)
    return broken("call names", 0,
                  fmt::format("there are {}, expected 1 to {}", t.call_names.size(), kMostNames));
  if (t.call_names[0] != "compute")
    return broken("call names", 0, fmt::format("is '{}', expected 'compute'", t.call_names[0]));
  // The replay numbers the requests of all ranks, and one more for each strand, in 32 bits.
  const auto requests =
      std::accumulate(t.request_slots.begin(), t.request_slots.end(), std::uint64_t{t.strands.size()});
  if (requests >= std::numeric_limits<std::uint32_t>::max())
    return broken("request slots", 0, fmt::format("{} in all are too many", requests));
  if (t.traced_run_time && t.traced_run_time->count() < 0) return broken("traced run time", 0, "is negative");
  return {};
}

Broken strands(const ProgramTables& t) {
  std::uint64_t end = 0;
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < t.strands.size(); ++i) {
    const auto& s = t.strands[i];
    if (s.rank >= t.request_slots.size())
      return broken("strands", i, out_of("rank", s.rank, t.request_slots.size()));
    if (s.rank < rank) return broken("strands", i, fmt::format("rank {} comes after {}", s.rank, rank));
    if (s.begin != end) return broken("strands", i, fmt::format("begins at {}, expected {}", s.begin, end));
    if (s.end < s.begin || s.end > t.operations.size())
      return broken("strands", i,
                    fmt::format("ends at {}, expected {} to {}", s.end, s.begin, t.operations.size()));
    rank = s.rank;
    end = s.end;
  }
  if (end != t.operations.size())
    return broken("strands", t.strands.size(), fmt::format("operations from {} on belong to no strand", end));
  return {};
}

Broken communicators(const ProgramTables& t) {
  const auto ranks = t.request_slots.size();
  if (t.communicators.empty() || t.communicators[0].members.size() != ranks)
    return broken("communicators", 0, fmt::format("must hold all {} ranks", ranks));
  std::vector<std::uint64_t> last(ranks, 0);  // the last communicator that has the rank, from 1
  for (std::size_t c = 0; c < t.communicators.size(); ++c) {
    const auto& members = t.communicators[c].members;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i] >= ranks) return broken("communicators", c, out_of("a member", members[i], ranks));
      if (std::exchange(last[members[i]], c + 1) == c + 1)
        return broken("communicators", c, fmt::format("holds rank {} twice", members[i]));
      if (c == 0 && members[i] != i)
        return broken("communicators", c, fmt::format("rank {} is out of order", members[i]));
    }
  }
  return {};
}

Broken channels(const ProgramTables& t) {
  const auto ranks = t.request_slots.size();
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const auto& c = t.channels[i];
    if (c.source >= ranks) return broken("channels", i, out_of("source", c.source, ranks));
    if (c.destination >= ranks) return broken("channels", i, out_of("destination", c.destination, ranks));
    if (c.communicator >= t.communicators.size())
      return broken("channels", i, out_of("communicator", c.communicator, t.communicators.size()));
    if (c.tag == kAnyTag) return broken("channels", i, "its tag is any");
  }
  return repeated("channels", t.channels, [](const Channel& c) {
    return std::tuple(c.source, c.destination, c.communicator, c.tag);
  });
}

Broken wildcards(const ProgramTables& t) {
  const auto ranks = t.request_slots.size();
  for (std::size_t i = 0; i < t.wildcards.size(); ++i) {
    const auto& w = t.wildcards[i];
    if (w.source != kAnySource && w.source >= ranks)
      return broken("wildcards", i, out_of("source", w.source, ranks));
    if (w.destination >= ranks) return broken("wildcards", i, out_of("destination", w.destination, ranks));
    if (w.communicator >= t.communicators.size())
      return broken("wildcards", i, out_of("communicator", w.communicator, t.communicators.size()));
    if (w.source != kAnySource && w.tag != kAnyTag) return broken("wildcards", i, "leaves nothing open");
  }
  return {};
}

constexpr auto kMostBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

Broken block_lists(const ProgramTables& t) {
  const auto& lists = t.block_lists;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto end = lists.ends[i];
    if (end < begin || end > lists.bytes.size())
      return broken("block lists", i,
                    fmt::format("ends at {}, expected {} to {}", end, begin, lists.bytes.size()));
    std::uint64_t sum = 0;
    for (auto at = begin; at < end; ++at) {
      if (lists.bytes[at] > kMostBytes - sum)
        return broken("block lists", i, fmt::format("its sizes add up to more than {}", kMostBytes));
      sum += lists.bytes[at];
    }
    begin = end;
  }
  if (begin != lists.bytes.size())
    return broken("block lists", lists.size(), fmt::format("sizes from {} on belong to no list", begin));
  return {};
}

Broken block_list(const ProgramTables& t, std::size_t entry) {
  const auto& a = t.collectives[entry];
  if (a.block_list == 0) return {};
  if (!may_list_blocks(a.kind) || (has_root(a.kind) && !a.is_root))
    return broken("collectives", entry, "has a block list, which it cannot use");
  if (a.block_list > t.block_lists.size())
    return broken("collectives", entry, out_of("block list", a.block_list, t.block_lists.size() + 1));
  const auto members = t.communicators[a.communicator].members.size();
  if (const auto sizes = t.block_lists.list(a.block_list).size(); sizes != members)
    return broken("collectives", entry, fmt::format("has {} block sizes, expected {}", sizes, members));
  return {};
}

Broken collectives(const ProgramTables& t, const Memberships& memberships) {
  using Sync = CollectiveArgs::Sync;
  for (std::size_t i = 0; i < t.collectives.size(); ++i) {
    const auto& a = t.collectives[i];
    if (const auto kind = static_cast<std::size_t>(a.kind); kind >= kCollectiveKinds)
      return broken("collectives", i, out_of("kind", kind, kCollectiveKinds));
    if (a.sync > Sync::root_synchronised)
      return broken("collectives", i, out_of("sync", static_cast<std::uint64_t>(a.sync), 3));
    if (a.communicator >= t.communicators.size())
      return broken("collectives", i, out_of("communicator", a.communicator, t.communicators.size()));
    if (a.sync != Sync::root_synchronised) {
      if (a.root != 0) return broken("collectives", i, "names a root although it has none");
    } else if (a.kind != CollectiveKind::reduce) {
      return broken("collectives", i, "is synchronised at its root, but is not an MPI_Reduce");
    } else if (a.root >= t.request_slots.size() || !memberships.has(a.communicator, a.root)) {
      return broken("collectives", i, fmt::format("root is {}, expected a member", a.root));
    }
    if (a.send_bytes > kMostBytes || a.recv_bytes > kMostBytes)
      return broken("collectives", i, fmt::format("a size is above {}", kMostBytes));
    if (auto wrong = block_list(t, i)) return wrong;
  }
  return repeated(
      "collectives", t.collectives, [](const CollectiveArgs& a) -> auto& { return a; });
}

}  // namespace

std::optional<BrokenRule> first_broken_rule(const ProgramTables& t) {
  for (const auto check : {sizes, strands, communicators, channels, wildcards, block_lists})
    if (auto wrong = check(t)) return wrong;
  const Memberships memberships(t.communicators, t.request_slots.size());
  if (auto wrong = collectives(t, memberships)) return wrong;
  if (auto wrong = repeated(
          "call names", t.call_names, [](const std::string& s) -> auto& { return s; }))
    return wrong;
  if (auto wrong = repeated("event labels", t.event_labels,
                            [](const EventLabel& l) { return std::tuple(l.type, l.value); }))
    return wrong;
  return OperationRules(t, memberships).first_broken();
}

}  // namespace busline
