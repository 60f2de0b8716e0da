#include "workloads/ziatest/pair_exchange.hpp"

#include <optional>

namespace busline::ziatest {
namespace {

constexpr std::int32_t kTag = 1;           // the program's
constexpr std::uint64_t kStampBytes = 16;  // seconds and microseconds, 8 bytes each

CollectiveArgs gather_of_stamps(bool is_root, std::uint32_t communicator) {
  CollectiveArgs args;
  args.kind = CollectiveKind::gather;
  args.is_root = is_root;
  args.communicator = communicator;
  args.send_bytes = kStampBytes;
  args.recv_bytes = is_root ? kStampBytes : 0;
  return args;
}

// The step's message. `sent` holds the slot of a send to the rank itself that has no wait so far.
void emit_message(ProgramBuilder& b, const Step& step, std::uint32_t rank, const Envelope& peer, Bytes size,
                  std::vector<std::uint32_t>& sent) {
  if (step.kind == Step::Kind::receive) {
    b.begin_call(b.call_name("MPI_Recv"));
    b.recv(peer, size);
    for (const auto slot : sent) b.wait(slot);
    sent.clear();
    return;
  }
  b.begin_call(b.call_name("MPI_Send"));
  if (step.peer == rank)
    sent.push_back(b.isend(peer, size));
  else
    b.send(peer, size);
}

}  // namespace

std::vector<Step> steps_of(const Exchange& exchange, std::uint32_t rank) {
  using Kind = Step::Kind;
  const auto per_node = exchange.ranks_per_node;
  const auto node = rank / per_node;
  const auto local = rank % per_node;
  const bool answers = exchange.variant == Variant::seed, all_stamp = exchange.variant == Variant::lanl;
  if (node % 2 == 1) {
    std::vector<Step> steps{{Kind::receive, rank - per_node}, {Kind::send, rank - per_node}};
    if (all_stamp) steps.push_back({Kind::stamp});
    return steps;
  }
  const bool wraps = node + 1 == exchange.nodes;              // has no node above it
  const bool attends = node == 0 && exchange.nodes % 2 == 1;  // to the node that wraps
  const auto last = (exchange.nodes - 1) * per_node + local;  // of that node
  const auto partner = wraps ? local : rank + per_node;
  std::vector<Step> steps{{Kind::send, partner}};
  const auto attend = [&] {
    steps.push_back({Kind::receive, last});
    if (answers) steps.push_back({Kind::send, last});
  };
  if (wraps && attends) attend();  // a single node: receives its own message before the answer
  if (!wraps || answers) steps.push_back({Kind::receive, partner});
  if (!all_stamp) steps.push_back({Kind::stamp});
  if (attends && !wraps) attend();
  if (all_stamp) steps.push_back({Kind::stamp});
  return steps;
}

void emit_exchange(ProgramBuilder& b, const Exchange& exchange, std::uint32_t rank,
                   const ExchangeHooks& hooks, std::uint32_t communicator) {
  std::optional<std::uint32_t> met;
  std::vector<std::uint32_t> sent;
  for (const auto& step : steps_of(exchange, rank)) {
    if (step.kind == Step::Kind::stamp) {
      if (hooks.stamps) hooks.stamps();
      continue;
    }
    const bool meets = met != step.peer && hooks.meets_peer;
    met = step.peer;  // peers are adjacent
    if (meets && step.kind == Step::Kind::send) hooks.meets_peer();
    emit_message(b, step, rank, {.peer = step.peer, .tag = kTag, .communicator = communicator},
                 exchange.message(), sent);
    if (meets && step.kind == Step::Kind::receive) hooks.meets_peer();
  }
  b.begin_call(b.call_name("MPI_Gather"));
  b.collective(gather_of_stamps(rank == 0, communicator));
}

}  // namespace busline::ziatest
