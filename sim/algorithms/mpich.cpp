// The choices of MPICH 4.0 (maint/tuning/coll/mpir/generic.json), for operations that commute and one rank a
// node.
#include <algorithm>
#include <bit>

#include "sim/algorithms/libraries.hpp"

namespace busline::libraries {
namespace {

using enum CollectiveKind;
using enum Algorithm;

bool is_on_power_of_two(const CollectiveCall& c) {
  return std::has_single_bit(c.ranks);
}

/// A vector is cut only if every rank of the largest power of two gets an element.
bool can_be_cut(const CollectiveCall& c) {
  return c.bytes / std::max<std::uint64_t>(1, c.element) >= std::bit_floor(c.ranks);
}

Algorithm of_bcast(const CollectiveCall& c) {
  if (c.ranks < 8 || c.bytes <= 12 * kKiB) return c.nonblocking ? binomial_at_once : binomial;
  return c.bytes <= 512 * kKiB && is_on_power_of_two(c) ? scatter_doubling : scatter_allgather;
}

Algorithm of_allgather(const CollectiveCall& c) {
  const auto total = c.bytes * c.ranks;
  if (is_on_power_of_two(c)) return total < 512 * kKiB ? recursive_doubling : ring;
  return total < 80 * kKiB ? bruck : ring;
}

Algorithm of_alltoall(const CollectiveCall& c) {
  if (c.ranks >= 8 && c.bytes <= (c.nonblocking ? 2 * kKiB : 256)) return bruck;
  return c.bytes <= 32 * kKiB ? linear : pairwise;
}

}  // namespace

Algorithm mpich(const CollectiveCall& c) {
  switch (c.kind) {
    case barrier:
    case win_create:
    case win_free:
    case win_fence:
    case file:
      return bruck;
    case bcast:
      return of_bcast(c);
    case reduce:
      return c.bytes <= 2 * kKiB || !can_be_cut(c) ? binomial : rabenseifner;
    case allreduce:
      return c.bytes <= (c.nonblocking ? 2 * kKiB : 8) || !can_be_cut(c) ? recursive_doubling : rabenseifner;
    case allgather:
    case allgatherv:
      return of_allgather(c);
    case alltoall:
      return of_alltoall(c);
    case gather:
    case scatter:
      return binomial;
    case reduce_scatter:
    case reduce_scatter_block:
      return c.bytes * c.ranks < 512 * kKiB ? recursive_halving : pairwise;
    case scan:
    case exscan:
      return recursive_doubling;
    case alltoallv:
    case alltoallw:
    case gatherv:
    case scatterv:
      return linear;
    default:
      return recursive_doubling;  // an Allreduce of the numbers that are free, for a new communicator
  }
}

}  // namespace busline::libraries
