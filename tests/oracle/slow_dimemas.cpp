#include "tests/oracle/slow_dimemas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "tests/oracle/slow_network.hpp"

namespace busline::oracle {
namespace {

constexpr std::uint32_t kOwnSlot = 0xffff'fffe;  // of a receive that blocks

struct Event {
  enum class What { work_over, transfer_over, arrival, handshake_over } what = What::work_over;
  std::int64_t time = 0;
  std::size_t who = 0;  // a rank or a message
};

// Something that a rank may wait for.
struct Request {
  std::uint32_t rank = 0, slot = 0;
  bool complete = false, waited_for = false;
};

struct Transfer {
  std::uint32_t channel = 0;
  std::int64_t length = 0, flight = 0, handshake = 0;
  bool waits_for_receive = false;               // rendezvous
  bool arrived = false;                         // and nobody has taken it
  std::optional<std::size_t> receive;           // index of the request that it is for
  std::optional<std::uint32_t> blocked_sender;  // a rank
  std::optional<std::size_t> sender_request;
};

struct Rank {
  std::span<const Operation> operations;
  std::size_t at = 0;
  std::uint32_t node = 0;
  bool overhead_paid = false, pays_overhead = false;
  std::int64_t overhead = 0, end = 0;
  bool is_over() const { return at == operations.size(); }
};

class Slow {
 public:
  Slow(const Program& program, const Platform& platform, const Machine& machine)
      : group_(platform.machines.front().nodes.front()),
        network_figures_(platform.machines.front().network),
        mpi_(platform.mpi),
        machine_(machine),
        network_(platform, machine, messages_, [this](std::size_t m) { begin_transfer(m); }),
        ready_(machine.nodes.size()),
        busy_(machine.nodes.size()) {
    for (const auto& s : program.strands())
      ranks_.push_back({program.operations(s), 0, node_of(s.rank), false, false, 0, 0});
  }

  SlowRun run() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r)
      if (!ranks_[r].is_over()) ready_[ranks_[r].node].push_back(r);
    start_all_ready();
    while (!events_.empty()) {
      // For equal times the one that was put in first.
      const auto next = std::min_element(events_.begin(), events_.end(),
                                         [](const Event& a, const Event& b) { return a.time < b.time; });
      const auto event = *next;
      events_.erase(next);
      now_ = event.time;
      handle(event);
      start_all_ready();
    }
    SlowRun result{true, {}};
    for (const auto& r : ranks_) {
      result.complete = result.complete && r.is_over();
      result.ends.push_back(Duration::picoseconds(r.end));
    }
    return result;
  }

 private:
  using What = Event::What;
  static constexpr bool kFirst = true, kLast = false;

  void handle(const Event& e) {
    switch (e.what) {
      case What::work_over:
        return work_over(static_cast<std::uint32_t>(e.who));
      case What::transfer_over:
        return transfer_over(e.who);
      case What::arrival:
        return arrive(e.who);
      case What::handshake_over:
        return launch(e.who);
    }
  }

  // ---- CPUs

  void start_all_ready() {
    for (std::uint32_t n = 0; n < ready_.size(); ++n)
      while (can_start(n)) start_first(n);
  }
  bool can_start(std::uint32_t node) const {
    return !ready_[node].empty() && busy_[node] < machine_.nodes[NodeId{node}].cpus;
  }
  void start_first(std::uint32_t node) {
    const auto r = ready_[node].front();
    ready_[node].erase(ready_[node].begin());
    ++busy_[node];
    const auto& rank = ranks_[r];
    const auto& op = rank.operations[rank.at];
    const bool burst = !rank.pays_overhead && op.kind == OpKind::compute;
    events_.push_back({What::work_over,
                       now_ + (rank.pays_overhead ? rank.overhead
                               : burst            ? op.amount
                                                  : 0),
                       r});
  }
  // It wants a CPU for its burst, for an overhead, or for a moment of no length before what it does next.
  void queue(std::uint32_t r, bool first) {
    auto& list = ready_[ranks_[r].node];
    list.insert(first ? list.begin() : list.end(), r);
  }
  void work_over(std::uint32_t r) {
    auto& rank = ranks_[r];
    --busy_[rank.node];
    if (rank.pays_overhead) {
      rank.pays_overhead = false;
      rank.overhead_paid = true;
      act(r);
    } else if (rank.operations[rank.at].kind == OpKind::compute) {
      if (step(r)) act(r);
    } else {
      act(r);
    }
    if (can_start(rank.node)) start_first(rank.node);
  }

  // ---- what a rank does

  // On to the next operation; false if there is none.
  bool step(std::uint32_t r) {
    auto& rank = ranks_[r];
    ++rank.at;
    rank.overhead_paid = false;
    rank.end = now_;
    return !rank.is_over();
  }
  void go_on(std::uint32_t r, bool first) {
    if (step(r)) queue(r, first);
  }
  // Nobody is started for a rank that ends: it wants no CPU.
  void wake(std::uint32_t r) {
    go_on(r, kLast);
    if (ranks_[r].is_over()) return;
    if (can_start(ranks_[r].node)) start_first(ranks_[r].node);
  }
  // True if an overhead has to be paid before.
  bool pay(std::uint32_t r, std::int64_t overhead) {
    auto& rank = ranks_[r];
    if (overhead == 0 || rank.overhead_paid) return false;
    rank.pays_overhead = true;
    rank.overhead = overhead;
    queue(r, kFirst);
    return true;
  }

  void act(std::uint32_t r) {
    for (;;) {
      const auto& op = ranks_[r].operations[ranks_[r].at];
      switch (op.kind) {
        case OpKind::compute:
          return queue(r, kLast);
        case OpKind::send:
        case OpKind::isend:
          return send(r, op);
        case OpKind::recv:
        case OpKind::irecv:
          return receive(r, op);
        case OpKind::wait_recv:
          return wait(r, op);
        case OpKind::wait_send:
          if (!find(r, op.request).complete) return wait(r, op);
          break;
        default:
          break;  // takes no time
      }
      if (!step(r)) return;
      if (ranks_[r].operations[ranks_[r].at].kind == OpKind::compute) return queue(r, kFirst);
    }
  }

  std::uint32_t node_of(std::uint32_t rank) const { return raw(machine_.rank_node[RankId{rank}]); }
  bool is_inside_node(std::uint32_t a, std::uint32_t b) const { return node_of(a) == node_of(b); }
  bool is_copy(std::uint32_t a, std::uint32_t b) const { return a == b && group_.self; }
  std::int64_t latency(std::uint32_t a, std::uint32_t b) const {
    if (is_copy(a, b)) return group_.self->latency.count();
    return (is_inside_node(a, b) ? group_.intra_node.latency : network_figures_.latency).count();
  }
  bool flies(std::uint32_t a, std::uint32_t b) const {
    return is_copy(a, b) || network_figures_.latency_at == Network::LatencyAt::flight;
  }
  // `call`: what the CPU pays besides the latency.
  std::int64_t on_cpu(std::uint32_t a, std::uint32_t b, Duration call) const {
    if (is_copy(a, b)) return 0;
    return call.count() + (flies(a, b) ? 0 : latency(a, b));
  }

  bool is_large(std::uint32_t r, const Operation& op) const {
    const auto& inside = group_.intra_node.rendezvous_from;
    const auto limit = is_inside_node(r, op.peer) && inside ? inside->from : mpi_.rendezvous_from;
    return limit && static_cast<std::uint64_t>(op.amount) >= count(*limit);
  }
  Duration handshake(std::uint32_t r, const Operation& op) const {
    if (is_inside_node(r, op.peer) && group_.intra_node.handshake) return *group_.intra_node.handshake;
    return is_large(r, op) ? mpi_.handshake : mpi_.ssend_handshake.value_or(mpi_.handshake);
  }
  bool is_rendezvous(std::uint32_t r, const Operation& op) const {
    if ((op.flags & Operation::buffered) != 0) return false;
    const bool asked = (op.flags & Operation::synchronous) != 0;
    return asked || (!is_copy(r, op.peer) && is_large(r, op));
  }

  void send(std::uint32_t r, const Operation& op) {
    if (pay(r, on_cpu(r, op.peer, group_.overheads.send))) return;
    const auto m = messages_.size();
    messages_.push_back({r, op.peer, false, false, false});
    Transfer t;
    t.channel = op.detail;
    const auto bandwidth = (is_copy(r, op.peer)          ? group_.self->bandwidth
                            : is_inside_node(r, op.peer) ? group_.intra_node.bandwidth
                                                         : network_figures_.bandwidth)
                               .in_bytes_per_second();
    t.length = std::llround(static_cast<double>(op.amount) * 1e12 / bandwidth);
    t.flight = flies(r, op.peer) ? latency(r, op.peer) : 0;
    t.waits_for_receive = is_rendezvous(r, op);
    t.handshake = handshake(r, op).count();
    const bool blocks = op.kind == OpKind::send;
    if (!blocks && op.request != kNoRequest) t.sender_request = open_request(r, op.request);
    if (t.waits_for_receive && blocks) t.blocked_sender = r;
    const auto request = t.sender_request;
    transfers_.push_back(t);

    const auto posted =
        std::find_if(posted_.begin(), posted_.end(), [&](const Posted& p) { return p.channel == op.detail; });
    const bool has_receive = posted != posted_.end();
    if (has_receive) {
      transfers_[m].receive = posted->request;
      posted_.erase(posted);
    }
    if (!is_rendezvous(r, op)) {
      network_launch(m);
      if (request) requests_[*request].complete = true;
      transfers_[m].sender_request.reset();
      return go_on(r, kFirst);
    }
    if (has_receive) meet(m);  // which lets a blocked sender go on, now or later
    if (!blocks) go_on(r, kFirst);
  }

  void receive(std::uint32_t r, const Operation& op) {
    const bool blocks = op.kind == OpKind::recv;
    if (blocks && pay(r, on_cpu(op.peer, r, group_.overheads.receive))) return;
    const auto request = open_request(r, blocks ? kOwnSlot : op.request);
    requests_[request].waited_for = blocks;
    // Messages of a channel are received in the order in which they were sent.
    std::size_t m = 0;
    while (m < transfers_.size() && !(transfers_[m].channel == op.detail && !transfers_[m].receive)) ++m;
    if (m == transfers_.size()) {
      posted_.push_back({op.detail, request});
    } else {
      transfers_[m].receive = request;
      if (transfers_[m].arrived) {
        requests_[request].complete = true;
        requests_[request].waited_for = false;
        return go_on(r, kFirst);
      }
      if (transfers_[m].waits_for_receive) meet(m);
    }
    if (!blocks) go_on(r, kFirst);
  }

  void wait(std::uint32_t r, const Operation& op) {
    if (op.kind == OpKind::wait_recv && pay(r, on_cpu(op.peer, r, group_.overheads.receive))) return;
    auto& request = find(r, op.request);
    if (request.complete) return go_on(r, kFirst);
    request.waited_for = true;
  }

  std::size_t open_request(std::uint32_t rank, std::uint32_t slot) {
    requests_.push_back({rank, slot, false, false});
    return requests_.size() - 1;
  }
  Request& find(std::uint32_t rank, std::uint32_t slot) {
    // The last one of that slot.
    return *std::find_if(requests_.rbegin(), requests_.rend(),
                         [&](const Request& q) { return q.rank == rank && q.slot == slot; });
  }
  void complete(std::size_t request) {
    auto& q = requests_[request];
    q.complete = true;
    if (!q.waited_for) return;
    q.waited_for = false;
    wake(q.rank);
  }

  // ---- a message's way

  // Both sides of a rendezvous are there.
  void meet(std::size_t m) {
    transfers_[m].waits_for_receive = false;
    if (const auto t = transfers_[m].handshake; t > 0)
      events_.push_back({What::handshake_over, now_ + t, m});
    else
      launch(m);
  }
  void launch(std::size_t m) {
    network_launch(m);
    if (mpi_.send_completes == Mpi::SendCompletes::launch) sender_goes_on(m);
  }
  void network_launch(std::size_t m) { network_.launch(m); }

  void sender_goes_on(std::size_t m) {
    if (const auto sender = transfers_[m].blocked_sender) {
      transfers_[m].blocked_sender.reset();
      go_on(*sender, kFirst);
    }
    if (const auto request = transfers_[m].sender_request) {
      transfers_[m].sender_request.reset();
      complete(*request);
    }
  }
  void begin_transfer(std::size_t m) {
    const auto& t = transfers_[m];
    events_.push_back({What::transfer_over, now_ + t.length, m});
    if (t.flight > 0) events_.push_back({What::arrival, now_ + t.length + t.flight, m});
  }
  void transfer_over(std::size_t m) {
    network_.release(m);
    start_all_ready();
    sender_goes_on(m);
    if (transfers_[m].flight == 0) arrive(m);
  }
  void arrive(std::size_t m) {
    transfers_[m].arrived = true;
    if (transfers_[m].receive) complete(*transfers_[m].receive);
  }

  struct Posted {
    std::uint32_t channel = 0;
    std::size_t request = 0;
  };

  const NodeGroup& group_;
  const Network& network_figures_;
  const Mpi& mpi_;
  const Machine& machine_;
  std::int64_t now_ = 0;
  std::vector<Event> events_;  // in the order in which they were put in
  std::vector<Rank> ranks_;
  std::vector<Request> requests_;
  std::vector<SlowMessage> messages_;
  std::vector<Transfer> transfers_;  // of each message
  std::vector<Posted> posted_;       // receives without a message, in order
  SlowNetwork network_;
  std::vector<std::vector<std::uint32_t>> ready_;  // by node
  std::vector<std::uint32_t> busy_;                // CPUs, by node
};

}  // namespace

SlowRun slow_dimemas(const Program& program, const Platform& platform, const Machine& machine) {
  return Slow(program, platform, machine).run();
}

}  // namespace busline::oracle
