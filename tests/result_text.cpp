#include "tests/result_text.hpp"

#include <fmt/format.h>

#include <span>

#include "sim/results/resource_name.hpp"

namespace busline {

std::string all_of(const Result& r, bool with_resources) {
  std::string s =
      fmt::format("{} {} {} {}", static_cast<int>(r.status), r.run_time.count(), r.messages, r.bytes);
  for (const auto& k : r.ranks)
    s += fmt::format(
        "\nrank on {} end {} compute {} latency {} wait {} collective wait {} collective {} cpu {} link {} "
        "bus {} sent {} {}",
        k.node, k.end.count(), k.times.compute.count(), k.times.latency.count(), k.times.wait.count(),
        k.times.collective_wait.count(), k.times.collective.count(), k.times.cpu_wait.count(),
        k.link_wait.count(), k.bus_wait.count(), k.messages_sent, k.bytes_sent);
  if (with_resources)
    for (const auto& q : r.resources)
      s += fmt::format("\n{} of {} busy {} wait {} messages {} queue {}", name_of(q), q.capacity,
                       q.busy.count(), q.wait.count(), q.messages, q.peak_queue);
  for (const auto& b : r.blocked)
    s += fmt::format("\n{} {} {} {}", b.rank, b.call_number, b.call, b.waits_for);
  return s;
}

namespace {

std::string envelope(const Program& p, const Operation& op) {
  const bool open = (op.detail & kAnyChannel) != 0;
  const auto communicator =
      open ? p.wildcards()[op.detail & ~kAnyChannel].communicator : p.channels()[op.detail].communicator;
  const auto tag = open ? p.wildcards()[op.detail & ~kAnyChannel].tag : p.channels()[op.detail].tag;
  return fmt::format("peer {}, tag {} on {}", op.peer, tag, communicator);
}

std::string collective(const Program& p, const Operation& op) {
  const auto& a = p.collectives()[op.detail];
  const auto blocks =
      a.block_list == 0 ? std::span<const std::uint64_t>() : p.block_lists().list(a.block_list);
  return fmt::format("{} sync {} {}on {}, root {}, {} and {} bytes{}{}", name_of(a.kind),
                     static_cast<int>(a.sync), a.is_root ? "as the root " : "", a.communicator, a.root,
                     a.send_bytes, a.recv_bytes, blocks.empty() ? "" : ", blocks of ",
                     fmt::join(blocks, " "));
}

std::string meaning(const Program& p, const Operation& op) {
  switch (op.kind) {
    case OpKind::compute:
    case OpKind::noop:
      return "";
    case OpKind::event:
      return fmt::format("type {}", op.detail);
    case OpKind::collective:
    case OpKind::collective_start:
    case OpKind::collective_wait:
      return collective(p, op);
    default:
      return envelope(p, op);
  }
}

}  // namespace

std::vector<std::string> all_of(const Program& p) {
  std::vector<std::string> lines;
  lines.reserve(p.operations().size());
  for (std::size_t i = 0; i < p.strands().size(); ++i)
    for (const auto& op : p.operations(p.strands()[i]))
      lines.push_back(fmt::format("strand {} of rank {}: kind {} flags {} call {} amount {} request {} {}", i,
                                  p.strands()[i].rank, static_cast<int>(op.kind), op.flags,
                                  p.call_names()[op.call], op.amount, op.request, meaning(p, op)));
  return lines;
}

}  // namespace busline
