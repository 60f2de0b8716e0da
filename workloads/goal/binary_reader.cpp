#include "workloads/goal/binary_reader.hpp"

#include <utility>
#include <vector>

#include "workloads/goal/binary_layout.hpp"

namespace busline::goal {
namespace {

/// Where the fields of a node are.
struct NodeView {
  const char* at;
  std::uint32_t dependences() const { return load<std::uint32_t>(at); }
  std::uint8_t kind() const { return load<std::uint8_t>(at + 4); }
  std::uint64_t amount() const { return load<std::uint64_t>(at + 9); }
  std::uint32_t on_end() const { return load<std::uint32_t>(at + 23); }
  std::uint32_t first_on_end() const { return load<std::uint32_t>(at + 27); }
  std::uint32_t on_start() const { return load<std::uint32_t>(at + 31); }
  std::uint32_t first_on_start() const { return load<std::uint32_t>(at + 35); }
  GoalNode node() const {
    return {amount(),
            load<std::uint32_t>(at + 5),
            load<std::uint32_t>(at + 17),
            static_cast<NodeKind>(kind()),
            load<std::uint8_t>(at + 21),
            load<std::uint8_t>(at + 22)};
  }
};

/// The parts of a rank's data, which lie in the file.
struct RankData {
  std::uint32_t nodes = 0, roots = 0;
  const char* first_root = nullptr;
  const char* first_node = nullptr;
  const char* edges = nullptr;
  std::uint64_t edge_count = 0;

  NodeView node(std::uint32_t i) const { return {first_node + std::uint64_t{i} * kNodeBytes}; }
  std::uint32_t edge(std::uint64_t i) const { return load<std::uint32_t>(edges + 4 * i); }
};

class GoalBinaryReader {
 public:
  GoalBinaryReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Expected<std::uint32_t> ranks() {
    if (bytes_.size() < kMagicBytes + kHeadBytes) return wrong(bytes_.size(), "ends in its head");
    const auto magic = load<std::uint64_t>(bytes_.data());
    if (magic == kSpoiledMagic)
      return wrong(0, "LogGOPSim read this schedule with --save-mem, which spoils it",
                   "make it again with txt2bin");
    if (magic != kGoalMagic) return wrong(0, fmt::format("begins with {}, expected {}", magic, kGoalMagic));
    const auto ranks = load<std::uint32_t>(bytes_.data() + kMagicBytes);
    const auto most = (bytes_.size() - kMagicBytes - kHeadBytes) / (kJumpBytes + kRankHeadBytes);
    if (ranks == 0 || ranks > most)
      return wrong(kMagicBytes,
                   fmt::format("{} ranks, expected 1 to {} in a file of this size", ranks, most));
    ranks_ = ranks;
    return ranks;
  }

  Expected<RankData> rank(std::uint32_t rank) {
    const auto entry = kMagicBytes + kHeadBytes + std::size_t{rank} * kJumpBytes;
    const auto size = bytes_.size() - kMagicBytes;
    const auto begin = load<std::uint64_t>(bytes_.data() + entry),
               end = load<std::uint64_t>(bytes_.data() + entry + 8);
    const auto least = rank == 0 ? kHeadBytes + std::uint64_t{ranks_} * kJumpBytes : last_end_;
    if (begin < least || end > size || end < begin || end - begin < kRankHeadBytes)
      return wrong(entry, fmt::format("rank {} from {} to {}, expected a place between {} and {}", rank,
                                      begin, end, least, size));
    last_end_ = end;
    const auto* const at = bytes_.data() + kMagicBytes + begin;
    RankData d;
    d.nodes = load<std::uint32_t>(at);
    d.roots = load<std::uint32_t>(at + 4);
    const auto fixed = kRankHeadBytes + 4 * std::uint64_t{d.roots} + kNodeBytes * std::uint64_t{d.nodes};
    if (d.nodes > kMostNodes || d.roots > d.nodes || fixed > end - begin || (end - begin - fixed) % 4 != 0)
      return wrong(kMagicBytes + begin,
                   fmt::format("rank {}: {} operations, {} of them without dependences, in {} "
                               "bytes",
                               rank, d.nodes, d.roots, end - begin));
    d.first_root = at + kRankHeadBytes;
    d.first_node = d.first_root + 4 * std::uint64_t{d.roots};
    d.edges = d.first_node + kNodeBytes * std::uint64_t{d.nodes};
    d.edge_count = (end - begin - fixed) / 4;
    return d;
  }

  std::uint64_t offset(const char* at) const { return static_cast<std::uint64_t>(at - bytes_.data()); }

  tl::unexpected<Error> wrong(std::uint64_t offset, std::string message, std::string hint = {}) const {
    Error e;
    e.path = path_;
    e.offset = offset;
    e.message = std::move(message);
    e.hint = std::move(hint);
    return tl::unexpected(std::move(e));
  }

  /// The graph of a rank's data.
  Expected<void> read(std::uint32_t rank, const RankData& d, RankGraph& graph) {
    const GoalPlaces places{path_, rank, nullptr, offset(d.first_node)};
    const auto bad = [&](std::uint32_t node, std::string message) {
      return tl::unexpected(error_at_node(places, node, std::move(message)));
    };
    graph.nodes.resize(d.nodes);
    counts_.resize(d.nodes);
    std::uint32_t roots = 0;
    for (std::uint32_t i = 0; i < d.nodes; ++i) {
      const auto n = d.node(i);
      if (n.kind() < 1 || n.kind() > 3)
        return bad(i, fmt::format("an operation of type {}, expected 1 to 3", n.kind()));
      graph.nodes[i] = n.node();
      counts_[i] = n.dependences();
      if (counts_[i] == 0) ++roots;
    }
    for (std::uint32_t i = 0; i < d.roots; ++i) {
      const auto root = load<std::uint32_t>(d.first_root + 4 * std::uint64_t{i});
      if (root >= d.nodes || counts_[root] != 0)
        return wrong(offset(d.first_root) + 4 * std::uint64_t{i},
                     fmt::format("rank {}: operation {} has dependences or does not exist", rank, root));
    }
    if (roots != d.roots)
      return wrong(
          offset(d.first_root),
          fmt::format("rank {}: lists {} operations without dependences, but has {}", rank, d.roots, roots));
    if (!graph.begin_edges(counts_, d.edge_count))
      return wrong(
          offset(d.first_node),
          fmt::format("rank {}: its operations do not have {} dependences in all", rank, d.edge_count));
    for (std::uint32_t i = 0; i < d.nodes; ++i) {
      const auto n = d.node(i);
      const auto add = [&](std::uint32_t number, std::uint32_t first, bool on_start) {
        if (number == 0) return true;
        if (first > d.edge_count || number > d.edge_count - first) return false;
        for (std::uint64_t at = first; at < std::uint64_t{first} + number; ++at) {
          const auto dependent = d.edge(at);
          if (dependent >= d.nodes || !graph.add_edge(dependent, {i, on_start})) return false;
        }
        return true;
      };
      if (!add(n.on_end(), n.first_on_end(), false) || !add(n.on_start(), n.first_on_start(), true))
        return bad(i, "lists dependent operations that do not exist or do not count it");
    }
    if (!graph.end_edges(counts_))
      return wrong(offset(d.first_node),
                   fmt::format("rank {}: counts of dependences that are not listed", rank));
    return {};
  }

 private:
  std::string_view bytes_;
  const std::string& path_;
  std::uint32_t ranks_ = 0;
  std::uint64_t last_end_ = 0;
  std::vector<std::uint32_t> counts_;
};

/// Operations of a Program: a send or receive whose end and whose start others need was not blocking, and has
/// a wait; a calc of 0 is none.
std::uint64_t estimated_operations(const RankData& d) {
  std::uint64_t operations = 0;
  for (std::uint32_t i = 0; i < d.nodes; ++i) {
    const auto n = d.node(i);
    const bool is_calc = n.kind() == static_cast<std::uint8_t>(NodeKind::calc);
    if (is_calc)
      operations += n.amount() > 0 ? 1U : 0U;
    else
      operations += n.on_end() > 0 && (n.on_start() > 0 || n.on_end() > 1) ? 2U : 1U;
  }
  return operations;
}

}  // namespace

Expected<void> read_binary(std::string_view bytes, const std::string& path,
                           const std::function<void(std::uint32_t ranks, std::uint64_t operations)>& begin,
                           const std::function<Expected<void>(const RankGraph&, const GoalPlaces&)>& take) {
  GoalBinaryReader reader(bytes, path);
  const auto ranks = reader.ranks();
  if (!ranks) return tl::unexpected(ranks.error());
  std::vector<RankData> all;
  all.reserve(*ranks);
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < *ranks; ++rank) {
    auto data = reader.rank(rank);
    if (!data) return tl::unexpected(std::move(data.error()));
    operations += estimated_operations(*data);
    all.push_back(*data);
  }
  begin(*ranks, operations + operations / 64);
  RankGraph graph;
  for (std::uint32_t rank = 0; rank < *ranks; ++rank) {
    if (auto read = reader.read(rank, all[rank], graph); !read) return read;
    if (auto taken = take(graph, {path, rank, nullptr, reader.offset(all[rank].first_node)}); !taken)
      return taken;
  }
  return {};
}

}  // namespace busline::goal
