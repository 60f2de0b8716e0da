// Collectives of time-independent traces: the meaning of each word, and the sizes per peer that models need,
// as for DUMPI traces. COUNTS is a list of n counts, by rank.
#include <fmt/format.h>

#include "workloads/ti/rank_reader.hpp"

namespace busline::ti {
namespace {

constexpr std::uint64_t kMostBytesInAll = std::uint64_t{1} << 60U;

}  // namespace

void RankReader::emit(CollectiveKind kind, Sizes sizes, bool is_root) {
  if (failed_) return;
  begin_call(name_of(kind));
  CollectiveArgs args;
  args.kind = kind;
  args.is_root = is_root;
  if (kind != CollectiveKind::barrier) {
    const bool whole_vector = kind == CollectiveKind::reduce_scatter;
    args.send_bytes = sizes.send + options_.extra_bytes * (whole_vector ? program_.ranks() : 1);
    args.recv_bytes = sizes.receive + options_.extra_bytes;
    for (auto& block : sizes.blocks) block += options_.extra_bytes;
    args.block_list = program_.block_list(sizes.blocks);
  }
  program_.collective(args);
}

std::uint64_t RankReader::root(std::size_t at) {
  return at < words_.size()
             ? static_cast<std::uint64_t>(number(at, "a rank", 0, std::int64_t{program_.ranks()} - 1))
             : 0;
}

/// A count for each rank, from word `begin` on.
std::uint64_t RankReader::sum(std::size_t begin, std::size_t type_at) {
  const auto size = type_size(type_at);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < program_.ranks() && !failed_; ++i) {
    total += count(begin + i) * size;
    if (total > kMostBytesInAll) fail("the sizes add up to too many bytes");
  }
  return failed_ ? 0 : total;
}

/// To the nearest byte.
std::uint64_t RankReader::mean(std::size_t begin, std::size_t type_at) {
  const std::uint64_t n = program_.ranks();
  return (sum(begin, type_at) + n / 2) / n;
}

std::vector<std::uint64_t> RankReader::blocks(std::size_t begin, std::size_t type_at) {
  const auto size = type_size(type_at);
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < program_.ranks() && !failed_; ++i) all.push_back(count(begin + i) * size);
  return all;
}

void RankReader::read_barrier() {
  emit(CollectiveKind::barrier, {});
}

/// "SIZE [ROOT [TYPE]]"
void RankReader::read_bcast() {
  const auto size = bytes(2, 4);
  const auto from = root(3);
  emit(CollectiveKind::bcast, {size, size}, from == static_cast<std::uint64_t>(rank_));
}

/// "SIZE FLOPS ... [TYPE]": the flops are done after the operation.
void RankReader::read_combining(CollectiveKind kind, std::size_t root_at, std::size_t type_at) {
  const auto size = bytes(2, type_at);
  const auto time = duration(3, options_.flops_per_second);
  const bool is_root = root_at != 0 && root(root_at) == static_cast<std::uint64_t>(rank_);
  emit(kind, {size, size}, is_root);
  if (!failed_ && time > Duration()) program_.compute(time);
}

void RankReader::read_reduce() {
  read_combining(CollectiveKind::reduce, 4, 5);
}
void RankReader::read_allreduce() {
  read_combining(CollectiveKind::allreduce, 0, 4);
}
void RankReader::read_scan() {
  read_combining(CollectiveKind::scan, 0, 4);
}
void RankReader::read_exscan() {
  read_combining(CollectiveKind::exscan, 0, 4);
}

/// "SENT RECEIVED [TYPE TYPE]"
void RankReader::read_alltoall() {
  emit(CollectiveKind::alltoall, {bytes(2, 4), bytes(3, 5)});
}
void RankReader::read_allgather() {
  emit(CollectiveKind::allgather, {bytes(2, 4), bytes(3, 5)});
}

/// "BUFFER COUNTS BUFFER COUNTS [TYPE TYPE]"
void RankReader::read_alltoallv() {
  const std::size_t n = program_.ranks();
  emit(CollectiveKind::alltoallv, {mean(3, 4 + 2 * n), mean(4 + n, 5 + 2 * n), blocks(3, 4 + 2 * n)});
}

/// "SENT COUNTS [TYPE TYPE]"
void RankReader::read_allgatherv() {
  const std::size_t n = program_.ranks();
  count(2);
  const auto size = mean(3, 4 + n);
  emit(CollectiveKind::allgatherv, {size, size, blocks(3, 4 + n)});
}

/// "SENT RECEIVED [ROOT [TYPE TYPE]]". The root's sizes count, for its own part.
void RankReader::read_gather() {
  const auto sent = bytes(2, 5), received = bytes(3, 6);
  const bool is_root = root(4) == static_cast<std::uint64_t>(rank_);
  const auto size = is_root && received > 0 ? received : sent;
  emit(CollectiveKind::gather, {size, size}, is_root);
}
void RankReader::read_scatter() {
  const auto sent = bytes(2, 5), received = bytes(3, 6);
  const bool is_root = root(4) == static_cast<std::uint64_t>(rank_);
  const auto size = is_root && sent > 0 ? sent : received;
  emit(CollectiveKind::scatter, {size, size}, is_root);
}

/// "SENT COUNTS [ROOT [TYPE TYPE]]"
void RankReader::read_gatherv() {
  const std::size_t n = program_.ranks();
  const auto sent = bytes(2, 4 + n);
  const bool is_root = root(3 + n) == static_cast<std::uint64_t>(rank_);
  if (!is_root) return emit(CollectiveKind::gatherv, {sent, sent, {}});
  const auto size = mean(3, 5 + n);
  emit(CollectiveKind::gatherv, {size, size, blocks(3, 5 + n)}, true);
}

/// "COUNTS RECEIVED [ROOT [TYPE TYPE]]"
void RankReader::read_scatterv() {
  const std::size_t n = program_.ranks();
  const auto received = bytes(2 + n, 5 + n);
  const bool is_root = root(3 + n) == static_cast<std::uint64_t>(rank_);
  if (!is_root) return emit(CollectiveKind::scatterv, {received, received, {}});
  const auto size = mean(2, 4 + n);
  emit(CollectiveKind::scatterv, {size, size, blocks(2, 4 + n)}, true);
}

/// "COUNTS FLOPS [TYPE]": the vector goes in, part of it comes out.
void RankReader::read_reduce_scatter() {
  const std::size_t n = program_.ranks();
  const Sizes sizes{sum(2, 3 + n), mean(2, 3 + n), blocks(2, 3 + n)};
  const auto time = duration(2 + n, options_.flops_per_second);
  emit(CollectiveKind::reduce_scatter, sizes);
  if (!failed_ && time > Duration()) program_.compute(time);
}

}  // namespace busline::ti
