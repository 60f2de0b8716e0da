#include "workloads/otf2/collective_sizes.hpp"

#include <algorithm>
#include <array>

namespace busline::otf2 {
namespace {

using enum CollectiveKind;

// By the numbers of OTF2_CollectiveOp (OTF2_Events.h).
constexpr std::array kByOperation{barrier,
                                  bcast,
                                  gather,
                                  gatherv,
                                  scatter,
                                  scatterv,
                                  allgather,
                                  allgatherv,
                                  alltoall,
                                  alltoallv,
                                  alltoallw,
                                  allreduce,
                                  reduce,
                                  reduce_scatter,
                                  scan,
                                  exscan,
                                  reduce_scatter_block};

std::uint64_t rounded(std::uint64_t total, std::uint64_t n) {
  return n == 0 ? 0 : total / n + (total % n >= n - n / 2 ? 1 : 0);
}

// A total over all n ranks, or over the n - 1 others.
std::uint64_t block_of(std::uint64_t total, std::uint64_t n) {
  return total % n == 0 || n == 1 ? total / n : rounded(total, n - 1);
}

CollectiveBytes both(std::uint64_t size) {
  return {size, size};
}

CollectiveBytes from_totals(CollectiveKind kind, const PlaceInGroup& p, const CollectiveBytes& b) {
  const auto n = std::max<std::uint64_t>(p.ranks, 1);
  const auto others = std::max<std::uint64_t>(n - 1, 1);
  const auto below = p.rank, above = n - std::min(p.rank + 1, n);
  switch (kind) {
    case bcast:
    case scatter:
      return both(b.received > 0 || !p.is_root ? b.received : rounded(b.sent, others));
    case gather:
    case reduce:
      return both(b.sent > 0 || !p.is_root ? b.sent : rounded(b.received, others));
    case scatterv:
      return both(p.is_root ? rounded(b.sent, n) : b.received);
    case gatherv:
      return both(p.is_root ? rounded(b.received, n) : b.sent);
    case allgather:
    case alltoall:
    case allreduce:
      return {block_of(b.sent, n), block_of(b.received, n)};
    case reduce_scatter_block: {
      const auto block = block_of(b.received, n);
      return {block * n, block};
    }
    case allgatherv:
      return both(rounded(b.received, n));
    case alltoallv:
    case alltoallw:
      return {rounded(b.sent, n), rounded(b.received, n)};
    case reduce_scatter:  // the whole vector goes in, a part of it comes out
      return {b.sent, rounded(b.sent, n)};
    case scan:
      return both(rounded(b.received, below + 1));
    case exscan:
      return both(below == 0 ? rounded(b.sent, above) : rounded(b.received, below));
    default:
      return {};
  }
}

CollectiveBytes from_arguments(CollectiveKind kind, const PlaceInGroup& p, const CollectiveBytes& b) {
  const auto n = std::max<std::uint64_t>(p.ranks, 1);
  switch (kind) {
    case gatherv:
      return both(p.is_root ? rounded(b.received, n) : b.sent);
    case scatterv:
      return both(p.is_root ? rounded(b.sent, n) : b.received);
    case allgatherv:
      return both(rounded(b.received, n));
    case alltoallv:
    case alltoallw:
      return {rounded(b.sent, n), rounded(b.received, n)};
    case reduce_scatter:
      return {b.sent, rounded(b.received, n)};
    default:
      return b;
  }
}

}  // namespace

std::optional<CollectiveKind> data_collective(std::uint8_t operation) {
  if (operation >= kByOperation.size()) return std::nullopt;
  return kByOperation[operation];
}

CollectiveBytes bytes_per_peer(CollectiveKind kind, SizeMeaning meaning, const PlaceInGroup& place,
                               const CollectiveBytes& recorded) {
  if (meaning == SizeMeaning::per_peer) return recorded;
  return meaning == SizeMeaning::totals ? from_totals(kind, place, recorded)
                                        : from_arguments(kind, place, recorded);
}

}  // namespace busline::otf2
