#include "workloads/ti/world_collectives.hpp"

#include <algorithm>

namespace busline::ti {
namespace {

bool has_parts(CollectiveKind kind) {
  using enum CollectiveKind;
  return kind == gatherv || kind == scatterv || kind == allgatherv || kind == alltoallv || kind == alltoallw;
}

}  // namespace

WorldCollectives::WorldCollectives(const Program& program) {
  for (const auto& c : program.communicators())
    has_all_.push_back(c.members == program.communicators().front().members);
  for (const auto& strand : program.strands()) {
    std::size_t n = 0;
    for (const auto& op : program.operations(strand)) {
      if (op.kind != OpKind::collective) continue;
      const auto& args = program.collectives()[op.detail];
      if (!has_all_[args.communicator] || !counts(args)) continue;
      if (n == all_.size()) all_.emplace_back();
      auto& met = all_[n++];
      if (args.is_root) met.root = strand.rank;
      if (!has_parts(args.kind)) continue;
      met.parts.resize(program.ranks());
      if (args.block_list != 0) {
        met.lists.resize(program.ranks());
        met.lists[strand.rank] = args.block_list;
      }
      met.parts[strand.rank] = args.kind == CollectiveKind::scatterv ? args.recv_bytes : args.send_bytes;
    }
  }
}

}  // namespace busline::ti
