#include "models/costs/link_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/quantity.hpp"

namespace busline {
namespace {

// With three significant digits.
std::string rounded(Duration d) {
  if (d <= Duration()) return "0 s";
  const auto digit = std::pow(10., std::floor(std::log10(static_cast<double>(d.count()))) - 2);
  if (digit <= 1) return to_text(d);
  return to_text(Duration::from_double(std::round(static_cast<double>(d.count()) / digit) * digit));
}

}  // namespace

double bytes_through_node(CollectiveKind kind, const MembersOfNode& node, std::uint64_t bytes) {
  using enum CollectiveKind;
  if (node.nodes < 2) return 0;
  const auto size = static_cast<double>(bytes);
  const auto here = static_cast<double>(node.here), others = static_cast<double>(node.ranks - node.here);
  const auto nodes = static_cast<double>(node.nodes);
  switch (kind) {
    case bcast:
    case reduce:
    case scan:
    case exscan:
      return size;
    case gather:
    case gatherv:
    case scatter:
    case scatterv:
    case allgather:
    case allgatherv:
    case reduce_scatter:
    case reduce_scatter_block:
    case alltoallv:  // the size is the busiest rank's, and others on its node may send less
    case alltoallw:
      return others * size;
    case alltoall:
      return here * others * size;
    case allreduce:  // each part of the sum has seen all nodes, and comes back to all of them
      return 2 * (nodes - 1) / nodes * size;
    default:
      return 0;
  }
}

bool binds_every_node(CollectiveKind kind) {
  using enum CollectiveKind;
  return kind != gather && kind != gatherv && kind != scatter && kind != scatterv && kind != allreduce &&
         kind != scan && kind != exscan;
}

bool is_uneven(const OwnParts& parts, std::uint64_t ranks) {
  return parts.all < static_cast<double>(parts.most) * static_cast<double>(ranks);
}

double uneven_bytes_through_node(CollectiveKind kind, const MembersOfNode& node, const OwnParts& parts) {
  if (node.nodes < 2) return 0;
  const auto ranks = static_cast<double>(node.ranks), here = static_cast<double>(node.here);
  if (kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv)
    return std::max(0., parts.all - here * static_cast<double>(parts.most));
  // All nodes together lack each part as often as there are other nodes: (ranks - here) mean parts each, on
  // average.
  return (ranks - here) * parts.all / ranks;
}

void LinkBoundCounter::count(CollectiveKind kind, Duration time, Duration least) {
  auto& c = all_[static_cast<std::size_t>(kind)];
  c.kind = kind;
  ++c.calls;
  if (time >= least) return;
  ++c.below;
  c.time = Duration::picoseconds(saturated_sum(c.time.count(), time.count()));
  c.least = Duration::picoseconds(saturated_sum(c.least.count(), least.count()));
}

std::vector<BelowLinkBound> LinkBoundCounter::found() const {
  std::vector<BelowLinkBound> found;
  for (const auto& c : all_)
    if (c.below > 0) found.push_back(c);
  return found;
}

std::optional<Diagnostic> link_bound_warning(const std::vector<BelowLinkBound>& found) {
  if (found.empty()) return std::nullopt;
  std::string operations;
  for (const auto& f : found)
    operations += fmt::format("{}{} ({} of {}: {}, but their bytes need {})", operations.empty() ? "" : ", ",
                              name_of(f.kind), f.below, f.calls, rounded(f.time), rounded(f.least));
  return Diagnostic{
      .code = "below-link-bound",
      .message = fmt::format("closed forms make collectives faster than the links of a node allow: "
                             "{}; with /mpi/collectives/preset open-mpi or mpich they are the "
                             "messages of that library",
                             operations)};
}

double worst_ratio(const std::vector<BelowLinkBound>& found) {
  double worst = 0;
  for (const auto& f : found)
    worst = std::max(worst, static_cast<double>(f.least.count()) /
                                static_cast<double>(std::max<std::int64_t>(f.time.count(), 1)));
  return worst;
}

}  // namespace busline
