#include "sim/algorithms/collective_plan.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace busline {
namespace {

using enum CollectiveKind;

constexpr bool is_one_of(CollectiveKind k, std::initializer_list<CollectiveKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), k) != kinds.end();
}

bool is_vector(CollectiveKind k) {
  return is_one_of(k, {bcast, reduce, allreduce, scan, exscan});
}
bool moves_no_data(CollectiveKind k) {
  return k == barrier || k >= comm_dup;
}
// Each member's own size is the data that it sends or receives.
bool sends_its_own(CollectiveKind k) {
  return is_one_of(k, {gatherv, allgatherv, alltoallv, alltoallw});
}
bool receives_its_own(CollectiveKind k) {
  return is_one_of(k, {scatterv, reduce_scatter});
}

bool is_alltoall(CollectiveKind k) {
  return k == alltoallv || k == alltoallw;
}

/// Whether a strand repeats a collective.
bool repeats_collectives(const Program& program) {
  for (const auto& strand : program.strands()) {
    std::optional<std::uint64_t> last;
    for (auto i = strand.begin; i < strand.end; ++i) {
      const auto& op = program.operations()[i];
      if (op.kind == OpKind::collective || op.kind == OpKind::collective_start) last = i;
      if (op.kind == OpKind::repeat && last && i - *last <= static_cast<std::uint64_t>(op.amount))
        return true;
    }
  }
  return false;
}

}  // namespace

struct CollectivePlan::Gathered {
  CollectiveKind kind = barrier;
  CollectiveArgs::Sync sync{};
  bool fits = true;
  std::uint32_t callers = 0;
  std::uint32_t root = 0;  // a position
  std::optional<std::uint64_t> root_bytes{};
  std::uint64_t most_bytes = 0;
  std::vector<std::uint64_t> own{};    // by position, for v-variants
  std::vector<std::uint32_t> lists{};  // by position, if a rank sends sizes that differ
  std::uint32_t list = 0;              // of the parts of all, if they differ
};

/// The calls of all ranks, grouped by communicator and number.
class CollectivePlan::Gatherer {
 public:
  Gatherer(const Program& program, const CollectivePlan& plan)
      : program_(program), plan_(plan), all_(program.communicators().size()) {
    for (const auto strand : ids<StrandId>(program.strands().size())) {
      strand_ = strand;
      for (const auto& op : program.operations(program.strands()[raw(strand)]))
        if (op.kind == OpKind::collective || op.kind == OpKind::collective_start)
          add(program.collectives()[op.detail]);
    }
  }

  /// In the order of the calls.
  const std::vector<Gathered>& of(CommunicatorId communicator) const {
    return all_[communicator].collectives;
  }
  /// Whether the order of the calls is known: no two strands of a rank make them.
  bool is_ordered(CommunicatorId communicator) const { return !all_[communicator].by_threads; }

 private:
  struct OfCommunicator {
    std::vector<Gathered> collectives{};
    StrandId strand = kNone;  // the last strand to call
    std::uint32_t calls = 0;  // of it
    bool by_threads = false;
  };

  RankId rank_of(StrandId strand) const { return RankId{program_.strands()[raw(strand)].rank}; }

  Gathered& gathered_by(const CollectiveArgs& args) {
    auto& c = all_[CommunicatorId{args.communicator}];
    if (c.strand != strand_) {
      if (c.strand != kNone && rank_of(c.strand) == rank_of(strand_)) c.by_threads = true;
      c.strand = strand_;
      c.calls = 0;
    }
    if (c.calls++ == c.collectives.size()) {
      c.collectives.emplace_back();
      c.collectives.back().kind = args.kind;
      c.collectives.back().sync = args.sync;
    }
    return c.collectives[c.calls - 1];
  }

  void add(const CollectiveArgs& args) {
    auto& g = gathered_by(args);
    g.fits = g.fits && g.kind == args.kind && g.sync == args.sync;
    if (!g.fits) return;
    ++g.callers;
    const auto bytes = std::max(args.send_bytes, args.recv_bytes);
    const auto position = plan_.position(CommunicatorId{args.communicator}, rank_of(strand_));
    g.most_bytes = std::max(g.most_bytes, bytes);
    if (args.is_root && has_root(args.kind)) {
      g.fits = !g.root_bytes;
      g.root = position;
      g.root_bytes = bytes;
    }
    if (!sends_its_own(args.kind) && !receives_its_own(args.kind)) return;
    g.own.resize(program_.communicators()[args.communicator].members.size());
    g.own[position] = sends_its_own(args.kind) ? args.send_bytes : args.recv_bytes;
    if (args.block_list == 0) return;
    if (is_alltoall(args.kind)) {
      g.lists.resize(g.own.size());
      g.lists[position] = args.block_list;
    } else {
      g.list = args.block_list;
    }
  }

  const Program& program_;
  const CollectivePlan& plan_;
  StrandId strand_{};
  IdVector<CommunicatorId, OfCommunicator> all_;
};

CollectivePlan::CollectivePlan(const Program& program, const Choose& choose) {
  if (repeats_collectives(program)) return;
  find_positions(program);
  const Gatherer gatherer(program, *this);
  for (const auto c : ids<CommunicatorId>(program.communicators().size())) {
    first_.push_back(static_cast<std::uint32_t>(planned_.size()));
    const auto ranks = static_cast<std::uint32_t>(program.communicators()[raw(c)].members.size());
    for (const auto& g : gatherer.of(c))
      planned_.push_back(gatherer.is_ordered(c) ? plan(g, c, ranks, program.block_lists(), choose)
                                                : PlannedCollective{});
  }
  const bool any = std::any_of(planned_.begin(), planned_.end(),
                               [](const PlannedCollective& p) { return p.schedule != nullptr; });
  if (!any) *this = {};
  known_sizes_.clear();
}

PlannedCollective CollectivePlan::plan(const Gathered& g, CommunicatorId communicator, std::uint32_t ranks,
                                       const BlockLists& lists, const Choose& choose) {
  PlannedCollective planned;
  const bool rootless = has_root(g.kind) && !g.root_bytes;
  if (!g.fits || g.callers != ranks || rootless || g.kind == init || g.kind == finalize) return planned;
  const auto bytes = moves_no_data(g.kind) ? 0 : g.root_bytes.value_or(g.most_bytes);
  planned.schedule = choose(g.kind, communicator, bytes, g.sync == CollectiveArgs::Sync::nonblocking);
  if (planned.schedule == nullptr) return planned;
  planned.blocks = planned.schedule->blocks(ranks, g.most_bytes);
  planned.root = g.root;
  planned.sizes = intern(sizes_of(g, lists));
  return planned;
}

BlockSizes CollectivePlan::sizes_of(const Gathered& g, const BlockLists& lists) {
  if (moves_no_data(g.kind)) return BlockSizes::equal(0);
  if (!g.lists.empty()) return BlockSizes::by_pair(lists, g.lists, g.own);
  if (is_alltoall(g.kind)) return BlockSizes::by_sender(g.own);
  if (g.list != 0) return BlockSizes::listed(lists.list(g.list));
  if (!g.own.empty()) return BlockSizes::listed(g.own);
  return is_vector(g.kind) ? BlockSizes::parts_of(g.most_bytes) : BlockSizes::equal(g.most_bytes);
}

/// Most collectives of a Program are like an earlier one.
std::uint32_t CollectivePlan::intern(BlockSizes sizes) {
  const auto [known, fresh] = known_sizes_.try_emplace(sizes, static_cast<std::uint32_t>(sizes_.size()));
  if (fresh) sizes_.push_back(std::move(sizes));
  return known->second;
}

void CollectivePlan::find_positions(const Program& program) {
  positions_.resize(program.communicators().size());
  for (const auto c : positions_.ids()) {
    const auto& members = program.communicators()[raw(c)].members;
    auto& all = positions_[c];
    bool in_order = true;
    for (std::uint32_t p = 0; p < members.size(); ++p) {
      in_order = in_order && members[p] == p;
      all.push_back({RankId{members[p]}, p});
    }
    if (in_order) all.clear();
    std::sort(all.begin(), all.end(), [](const Member& a, const Member& b) { return a.rank < b.rank; });
  }
}

std::uint32_t CollectivePlan::position(CommunicatorId communicator, RankId rank) const {
  const auto& all = positions_[communicator];
  if (all.empty()) return raw(rank);
  const auto found =
      std::lower_bound(all.begin(), all.end(), rank, [](const Member& m, RankId r) { return m.rank < r; });
  return found->position;
}

}  // namespace busline
