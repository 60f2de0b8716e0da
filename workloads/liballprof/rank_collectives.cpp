// Collectives of liballprof traces: the sizes per peer that models need (docs/model.md, section 5.3), as for
// other traces.
#include <numeric>
#include <utility>

#include "workloads/liballprof/rank_calls.hpp"

namespace busline::liballprof {

void RankCalls::emit(CollectiveKind kind, const Sizes& sizes, std::uint32_t communicator, bool is_root) {
  if (f_.error()) return;
  CollectiveArgs args;
  args.kind = kind;
  args.is_root = is_root;
  args.communicator = communicator;
  args.send_bytes = sizes.send;
  args.recv_bytes = sizes.receive;
  if (sizes.blocks.size() == last_.size) args.block_list = out().block_list(sizes.blocks);
  out().collective(args);
}

/// The bytes of each count; none, and an error, if they are too many in all.
std::vector<std::uint64_t> RankCalls::blocks(std::vector<std::uint64_t> counts, std::uint64_t size) {
  constexpr std::uint64_t kMostInAll = std::uint64_t{1} << 60U;
  std::uint64_t total = 0;
  for (auto& c : counts) {
    c *= size;
    total += c;
    if (total > kMostInAll) {
      f_.fail("the sizes add up to too many bytes");
      return {};
    }
  }
  return counts;
}

/// To the nearest byte.
std::uint64_t RankCalls::mean(const std::vector<std::uint64_t>& blocks) {
  const auto n = blocks.size();
  return n == 0 ? 0 : (std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0}) + n / 2) / n;
}

void RankCalls::read_barrier() {
  emit(CollectiveKind::barrier, {}, communicator());
}

/// "buf : count : type : root : comm"
void RankCalls::read_bcast() {
  f_.address();
  const auto size = f_.bytes();
  const auto root = f_.count();
  const auto c = communicator();
  emit(CollectiveKind::bcast, {size, size}, c, root == last_.rank);
}

/// "buf : buf : count : type : op : root : comm"
void RankCalls::read_reduce() {
  f_.skip(2);
  const auto size = f_.bytes();
  f_.skip();
  const auto root = f_.count();
  const auto c = communicator();
  emit(CollectiveKind::reduce, {size, size}, c, root == last_.rank);
}

/// "buf : buf : count : type : op : comm"
void RankCalls::read_reduction() {
  f_.skip(2);
  const auto size = f_.bytes();
  f_.skip();
  const auto c = communicator();
  emit(find_collective(f_.name()).value_or(CollectiveKind::allreduce), {size, size}, c);
}

/// "buf : buf : recvcounts : type : op : comm": the vector goes in, part of it comes out.
void RankCalls::read_reduce_scatter() {
  f_.skip(2);
  auto counts = f_.list();
  auto parts = blocks(std::move(counts), f_.type_size());
  f_.skip();
  const auto c = communicator();
  const auto vector = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}), part = mean(parts);
  emit(CollectiveKind::reduce_scatter, {vector, part, std::move(parts)}, c);
}

/// "buf : count : type : buf : count : type : root : comm". The root's sizes count, for its own part.
void RankCalls::read_gather() {
  f_.skip();
  const auto sent = f_.bytes();
  f_.skip(3);  // means something at the root alone, and equals what it sends
  const auto root = f_.count();
  const auto c = communicator();
  emit(CollectiveKind::gather, {sent, sent}, c, root == last_.rank);
}
void RankCalls::read_scatter() {
  f_.skip(4);
  const auto received = f_.bytes();
  const auto root = f_.count();
  const auto c = communicator();
  emit(CollectiveKind::scatter, {received, received}, c, root == last_.rank);
}

/// "buf : count : type : buf : count : type : comm"
void RankCalls::read_allgather() {
  f_.skip(4);  // the own part may be in place
  const auto size = f_.bytes();
  emit(CollectiveKind::allgather, {size, size}, communicator());
}
void RankCalls::read_alltoall() {
  f_.skip();
  const auto sent = f_.bytes();
  f_.skip();
  const auto received = f_.bytes();
  emit(CollectiveKind::alltoall, {sent, received}, communicator());
}

/// "... : counts : displs : type" of the root, from its buffer on.
RankCalls::Sizes RankCalls::of_root(CallFields root_fields, std::uint64_t own) {
  if (f_.error()) return {own, own};
  root_fields.skip();
  auto counts = root_fields.list();
  root_fields.skip(2);
  auto parts = blocks(std::move(counts), root_fields.type_size());
  if (root_fields.error()) f_.error() = root_fields.error();
  const auto size = mean(parts);
  return {size, size, std::move(parts)};
}

/// "buf : count : type : buf : counts : displs : type : root : comm". Lists mean something at the root alone.
void RankCalls::read_gatherv() {
  f_.skip();
  const auto sent = f_.bytes();
  const CallFields root_fields = f_;
  f_.skip(6);
  const auto root = f_.count();
  const auto c = communicator();
  const bool is_root = root == last_.rank;
  emit(CollectiveKind::gatherv, is_root ? of_root(root_fields, sent) : Sizes{sent, sent}, c, is_root);
}

/// "buf : counts : displs : type : buf : count : type : root : comm"
void RankCalls::read_scatterv() {
  const CallFields root_fields = f_;
  f_.skip(7);
  const auto received = f_.bytes();
  const auto root = f_.count();
  const auto c = communicator();
  const bool is_root = root == last_.rank;
  emit(CollectiveKind::scatterv, is_root ? of_root(root_fields, received) : Sizes{received, received}, c,
       is_root);
}

/// "buf : count : type : buf : counts : displs : type : comm"
void RankCalls::read_allgatherv() {
  f_.skip(4);
  auto counts = f_.list();
  f_.skip(2);
  auto parts = blocks(std::move(counts), f_.type_size());
  const auto c = communicator();
  const auto size = mean(parts);
  emit(CollectiveKind::allgatherv, {size, size, std::move(parts)}, c);
}

/// "buf : counts : displs : type : buf : counts : displs : type : comm"
void RankCalls::read_alltoallv() {
  f_.skip();
  auto counts = f_.list();
  f_.skip(2);
  auto sent = blocks(std::move(counts), f_.type_size());
  f_.skip();
  counts = f_.list();
  f_.skip(2);
  const auto received = mean(blocks(std::move(counts), f_.type_size()));
  const auto c = communicator();
  const auto mean_sent = mean(sent);
  emit(CollectiveKind::alltoallv, {mean_sent, received, std::move(sent)}, c);
}

/// "comm : ...": new communicators are addresses.
void RankCalls::read_constructor() {
  emit(find_collective(f_.name()).value_or(CollectiveKind::comm_dup), {}, communicator());
}
void RankCalls::read_split() {
  emit(CollectiveKind::comm_split, {}, communicator());
}

}  // namespace busline::liballprof
