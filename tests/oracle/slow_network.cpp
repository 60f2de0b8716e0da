#include "tests/oracle/slow_network.hpp"

#include <algorithm>
#include <utility>

namespace busline::oracle {
namespace {

void remove(std::vector<std::size_t>& list, std::size_t m) {
  list.erase(std::remove(list.begin(), list.end(), m), list.end());
}

}  // namespace

SlowNetwork::SlowNetwork(const Platform& platform, const Machine& machine, Messages& messages,
                         std::function<void(std::size_t)> starts)
    : machine_(machine), messages_(messages), starts_(std::move(starts)) {
  const auto& group = platform.machines.front().nodes.front();
  node_links_.assign(machine.nodes.size(), make_links(group.links));
  ports_.assign(machine.rank_node.size(), make_links(group.intra_node.links));
  buses_.count = platform.machines.front().network.buses;
  memory_buses_.assign(machine.nodes.size(), Buses{group.intra_node.buses, 0, {}});
}

SlowNetwork::Links SlowNetwork::make_links(const busline::Links& described) {
  Links links;
  links.limited = described.kind != busline::Links::Kind::unlimited;
  links.half_duplex = described.kind == busline::Links::Kind::half_duplex;
  links.free_out = described.out;
  links.free_in = described.in;
  return links;
}

bool SlowNetwork::is_inside_node(const SlowMessage& m) const {
  return node_of(m.source) == node_of(m.destination);
}

SlowNetwork::Links& SlowNetwork::out_of(const SlowMessage& m) {
  return is_inside_node(m) ? ports_[m.source] : node_links_[node_of(m.source)];
}

SlowNetwork::Links& SlowNetwork::in_of(const SlowMessage& m) {
  return is_inside_node(m) ? ports_[m.destination] : node_links_[node_of(m.destination)];
}

SlowNetwork::Buses& SlowNetwork::buses_of(const SlowMessage& m) {
  return is_inside_node(m) ? memory_buses_[node_of(m.source)] : buses_;
}

void SlowNetwork::launch(std::size_t m) {
  if (!take_all_links(m)) return;
  auto& buses = buses_of(messages_[m]);
  if (buses.count > 0 && buses.used == buses.count) {
    buses.waiting.push_back(m);
    return;
  }
  ++buses.used;
  starts_(m);
}

bool SlowNetwork::take_all_links(std::size_t m) {
  const auto& message = messages_[m];
  if (message.source == message.destination || !out_of(message).limited) return true;
  if (!is_inside_node(message)) return take_or_steal(m);
  // Ports that are half duplex are taken by rising rank.
  if (out_of(message).half_duplex && message.source > message.destination) return take_in(m) && take_out(m);
  return take_out(m) && take_in(m);
}

bool SlowNetwork::take_out(std::size_t m) {
  if (messages_[m].has_out) return true;
  auto& links = out_of(messages_[m]);
  if (links.free_out == 0) {
    links.waiting_out.push_back(m);
    return false;
  }
  --links.free_out;
  if (links.half_duplex) --links.free_in;
  links.owners.push_back(m);
  messages_[m].has_out = true;
  return true;
}

bool SlowNetwork::take_in(std::size_t m) {
  if (messages_[m].has_in) return true;
  auto& links = in_of(messages_[m]);
  if (links.free_in == 0) {
    links.waiting_in.push_back(m);
    messages_[m].waits_for_in = true;
    return false;
  }
  --links.free_in;
  if (links.half_duplex) --links.free_out;
  messages_[m].has_in = true;
  return true;
}

// Between nodes: where no output link is free, one is taken from a message that cannot use it yet, if that
// lets this one start.
bool SlowNetwork::take_or_steal(std::size_t m) {
  auto& message = messages_[m];
  auto& out = out_of(message);
  auto& in = in_of(message);
  std::size_t victim = kNobody;
  if (!message.has_out && out.free_out == 0) {
    victim = find_robbable(out);
    if (victim == kNobody) return take_out(m);  // that is: it waits
  } else {
    take_out(m);
  }
  const bool in_is_there = message.has_in || in.free_in > 0;
  const auto second = in.half_duplex && !in_is_there ? find_robbable(in) : kNobody;
  if (!in_is_there && second == kNobody && victim != kNobody)
    return take_out(m);  // nothing is gained by stealing
  if (victim != kNobody) {
    std::replace(out.owners.begin(), out.owners.end(), victim, m);
    rob(victim);
    message.has_out = true;
  }
  if (second == kNobody) return take_in(m);
  // The link that the second victim sent by and its partner change roles.
  remove(in.owners, second);
  rob(second);
  message.has_in = true;
  return true;
}

// A message with an output link of these that waits for its input link.
std::size_t SlowNetwork::find_robbable(const Links& links) const {
  for (const auto owner : links.owners)
    if (messages_[owner].waits_for_in) return owner;
  return kNobody;
}

// It loses its output link, and is the first to get the next one.
void SlowNetwork::rob(std::size_t victim) {
  auto& message = messages_[victim];
  remove(in_of(message).waiting_in, victim);
  message.has_out = message.waits_for_in = false;
  auto& queue = out_of(message).waiting_out;
  queue.insert(queue.begin(), victim);
}

void SlowNetwork::launch_first(Queue& queue) {
  if (queue.empty()) return;
  const auto m = queue.front();
  queue.erase(queue.begin());
  messages_[m].waits_for_in = false;
  launch(m);
}

void SlowNetwork::give_back_out(std::size_t m) {
  if (!messages_[m].has_out) return;
  auto& links = out_of(messages_[m]);
  messages_[m].has_out = false;
  remove(links.owners, m);
  ++links.free_out;
  if (links.half_duplex) {
    ++links.free_in;
    launch_first(links.waiting_in);
  }
  launch_first(links.waiting_out);
}

void SlowNetwork::give_back_in(std::size_t m) {
  if (!messages_[m].has_in) return;
  auto& links = in_of(messages_[m]);
  messages_[m].has_in = false;
  ++links.free_in;
  if (links.half_duplex) {
    ++links.free_out;
    launch_first(links.waiting_out);
  }
  launch_first(links.waiting_in);
}

void SlowNetwork::release(std::size_t m) {
  give_back_out(m);
  give_back_in(m);
  auto& buses = buses_of(messages_[m]);
  --buses.used;
  launch_first(buses.waiting);
}

}  // namespace busline::oracle
