#include "workloads/statistics/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace busline {
namespace {

struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
};

// Size classes by powers of two: 0 for an empty message, else 1 + floor(log2 size).
constexpr std::size_t kSizeClasses = 65;

std::vector<WorkloadStatistics::Pair> by_pair(const Program& program,
                                              const std::vector<Traffic>& by_channel) {
  std::vector<WorkloadStatistics::Pair> pairs;
  for (std::size_t c = 0; c < by_channel.size(); ++c)
    if (by_channel[c].messages > 0) {
      const auto& channel = program.channels()[c];
      pairs.push_back({channel.source, channel.destination, by_channel[c].messages, by_channel[c].bytes});
    }
  using Pair = WorkloadStatistics::Pair;
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
  });
  std::size_t kept = 0;
  for (const auto& p : pairs)
    if (kept > 0 && pairs[kept - 1].source == p.source && pairs[kept - 1].destination == p.destination) {
      pairs[kept - 1].messages += p.messages;
      pairs[kept - 1].bytes += p.bytes;
    } else {
      pairs[kept++] = p;
    }
  pairs.resize(kept);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.bytes > b.bytes; });
  return pairs;
}

class Counter {
 public:
  explicit Counter(const Program& program)
      : program_(program), by_channel_(program.channels().size()), by_call_(program.call_names().size()) {
    result_.ranks = program.ranks();
    result_.strands = program.strands().size();
    result_.operations = program.operations().size();
    result_.traced_run_time = program.traced_run_time();
    result_.per_rank.resize(program.ranks());
    for (const auto& c : program.communicators())
      result_.communicator_sizes.push_back(static_cast<std::uint32_t>(c.members.size()));
  }

  WorkloadStatistics count() {
    for (const auto& strand : program_.strands())
      for (const auto& op : program_.operations(strand)) add(op, result_.per_rank[strand.rank]);
    finish();
    return std::move(result_);
  }

 private:
  void add(const Operation& op, WorkloadStatistics::Rank& rank) {
    ++rank.operations;
    if (op.flags & Operation::first_of_call) {
      ++rank.calls;
      ++by_call_[op.call];
    }
    switch (op.kind) {
      case OpKind::compute:
        rank.compute += Duration::picoseconds(op.amount);
        break;
      case OpKind::send:
      case OpKind::isend:
      case OpKind::put:
        if ((op.flags & Operation::to_last_source) != 0)
          add_sent(op, rank);
        else
          add_message(op, rank, result_.per_rank[op.peer]);
        break;
      case OpKind::get:
        add_message(op, result_.per_rank[op.peer], rank);
        break;
      case OpKind::recv:
      case OpKind::irecv:
        if (op.detail & kAnyChannel) ++result_.open_receives;
        break;
      case OpKind::event:
        if (op.amount != 0) ++by_event_[{op.detail, op.amount}];
        break;
      case OpKind::collective:
      case OpKind::collective_start:
        add_collective(program_.collectives()[op.detail], rank);
        break;
      default:
        break;
    }
  }

  // The known half of an answer to the rank that asked.
  void add_sent(const Operation& op, WorkloadStatistics::Rank& from) {
    const auto size = static_cast<std::uint64_t>(op.amount);
    ++from.messages_sent;
    from.bytes_sent += size;
    ++result_.messages;
    result_.bytes += size;
    auto& sizes = by_size_[static_cast<std::size_t>(std::bit_width(size))];
    ++sizes.messages;
    sizes.bytes += size;
  }

  void add_message(const Operation& op, WorkloadStatistics::Rank& from, WorkloadStatistics::Rank& to) {
    const auto size = static_cast<std::uint64_t>(op.amount);
    add_sent(op, from);
    ++to.messages_received;
    to.bytes_received += size;
    auto& channel = by_channel_[op.detail];
    ++channel.messages;
    channel.bytes += size;
  }

  void add_collective(const CollectiveArgs& args, WorkloadStatistics::Rank& rank) {
    ++rank.collectives;
    auto least = std::max(args.send_bytes, args.recv_bytes), most = least;
    if (args.block_list != 0 && args.kind != CollectiveKind::reduce_scatter) {  // there a vector counts
      const auto blocks = program_.block_lists().list(args.block_list);
      least = std::ranges::min(blocks);
      most = std::ranges::max(blocks);
    }
    auto& of_kind = by_kind_[static_cast<std::size_t>(args.kind)];
    of_kind.least_bytes = of_kind.count == 0 ? least : std::min(of_kind.least_bytes, least);
    of_kind.most_bytes = std::max(of_kind.most_bytes, most);
    ++of_kind.count;
  }

  void finish() {
    for (std::size_t c = 0; c < by_call_.size(); ++c)
      if (by_call_[c] > 0) result_.calls.push_back({program_.call_names()[c], by_call_[c]});
    std::map<std::string, std::uint64_t> by_region;
    for (const auto& label : program_.event_labels())
      if (const auto at = by_event_.find({label.type, label.value}); at != by_event_.end())
        by_region[label.text] += at->second;
    for (const auto& [name, n] : by_region) result_.regions.push_back({name, n});
    for (auto* all : {&result_.calls, &result_.regions})
      std::sort(all->begin(), all->end(), [](const auto& a, const auto& b) {
        return std::tie(b.count, a.name) < std::tie(a.count, b.name);
      });
    for (std::size_t k = 0; k < by_kind_.size(); ++k)
      if (by_kind_[k].count > 0) {
        by_kind_[k].kind = static_cast<CollectiveKind>(k);
        result_.collectives.push_back(by_kind_[k]);
      }
    for (std::size_t s = 0; s < by_size_.size(); ++s)
      if (by_size_[s].messages > 0)
        result_.message_sizes.push_back(
            {s == 0 ? 0 : std::uint64_t{1} << (s - 1), by_size_[s].messages, by_size_[s].bytes});
    result_.pairs = by_pair(program_, by_channel_);
  }

  const Program& program_;
  WorkloadStatistics result_;
  std::vector<Traffic> by_channel_;
  std::vector<std::uint64_t> by_call_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint64_t> by_event_;  // user events by type and value
  std::array<Traffic, kSizeClasses> by_size_{};
  std::array<WorkloadStatistics::Collective, kCollectiveKinds> by_kind_{};
};

}  // namespace

WorkloadStatistics statistics_of(const Program& program) {
  return Counter(program).count();
}

}  // namespace busline
