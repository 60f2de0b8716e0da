#include "workloads/goal/rank_program.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace busline::goal {
namespace {

constexpr std::uint32_t kWaited = 0xffff'fffe;  // a slot that is not waited for again
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 60U;
constexpr std::uint32_t kGreatestTag = 0x7fff'ffff;

}  // namespace

RankProgram::RankProgram(ProgramBuilder& program, const GoalOptions& options)
    : program_(program),
      options_(options),
      send_(program.call_name("MPI_Send")),
      isend_(program.call_name("MPI_Isend")),
      receive_(program.call_name("MPI_Recv")),
      ireceive_(program.call_name("MPI_Irecv")),
      wait_(program.call_name("MPI_Wait")),
      waitall_(program.call_name("MPI_Waitall")) {}

Expected<void> RankProgram::add(const RankGraph& graph, const GoalPlaces& places) {
  graph_ = &graph;
  places_ = &places;
  if (auto good = check_nodes(); !good) return good;
  if (auto sorted = sort(); !sorted) return sorted;
  find_required();
  slots_.assign(graph.size(), kNone);
  place_in_cpu_.resize(graph.size());
  std::array<bool, 256> uses{};
  for (const auto& n : graph.nodes) uses[n.cpu] = true;
  const auto cpus = std::count(uses.begin(), uses.end(), true);
  awaited_on_.clear();
  to_fill_.clear();
  if (cpus <= 1) {
    program_.begin_strand(places.rank);
    add_strand(order_);
    return {};
  }
  if (auto good = check_cpus(); !good) return good;
  for (std::size_t cpu = 0; cpu < uses.size(); ++cpu) {
    if (!uses[cpu]) continue;
    of_cpu_.clear();
    std::copy_if(order_.begin(), order_.end(), std::back_inserter(of_cpu_),
                 [&](std::uint32_t n) { return graph.nodes[n].cpu == cpu; });
    program_.begin_strand(places.rank, false);
    add_strand(of_cpu_);
  }
  for (const auto& w : to_fill_) program_.fill_wait(w.position, slots_[w.node]);
  return {};
}

Expected<void> RankProgram::check_nodes() {
  const auto unit = static_cast<std::uint64_t>(options_.unit.count());
  const auto most_units = static_cast<std::uint64_t>(Duration::max().count()) / unit;
  for (std::uint32_t i = 0; i < graph_->size(); ++i) {
    const auto& n = graph_->nodes[i];
    const auto wrong = [&](std::string message) {
      return tl::unexpected(error_at_node(*places_, i, std::move(message)));
    };
    if (n.nic != 0) ++other_nics_;
    if (!n.is_message()) {
      if (n.amount > most_units) return wrong("a calculation that does not fit in a run's time");
      continue;
    }
    const bool may_be_any = n.kind == NodeKind::receive;
    if (n.peer >= program_.ranks() && !(may_be_any && n.peer == kAny))
      return wrong(
          fmt::format("peer is {}, expected a rank, 0 to {}", n.peer, std::uint64_t{program_.ranks()} - 1));
    if (n.tag > kGreatestTag && !(may_be_any && n.tag == kAny))
      return wrong(fmt::format("tag is {}, expected 0 to {}", n.tag, kGreatestTag));
    if (n.amount > kMostMessageBytes)
      return wrong(fmt::format("a message of {} bytes, expected 2^60 at most", n.amount));
  }
  return {};
}

// The topological order in which, of those that are ready, the first of the file comes first.
Expected<void> RankProgram::sort() {
  const auto n = graph_->size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0U);
  bool in_order = true;
  for (std::uint32_t i = 0; i < n && in_order; ++i)
    for (const auto d : graph_->dependences(i)) in_order = in_order && d.on() < i;
  if (in_order) return {};

  std::vector<std::uint64_t> first(std::size_t{n} + 2, 0);  // of the nodes that depend on a node
  for (const auto d : graph_->dependences()) ++first[d.on() + 2];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<std::uint32_t> dependents(graph_->dependences().size());
  std::vector<std::uint32_t> missing(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto all = graph_->dependences(i);
    missing[i] = static_cast<std::uint32_t>(all.size());
    for (const auto d : all) dependents[first[d.on() + 1]++] = i;
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < n; ++i)
    if (missing[i] == 0) ready.push(i);
  order_.clear();
  while (!ready.empty()) {
    const auto node = ready.top();
    ready.pop();
    order_.push_back(node);
    for (auto at = first[node]; at < first[node + 1]; ++at)
      if (--missing[dependents[at]] == 0) ready.push(dependents[at]);
  }
  if (order_.size() == n) return {};
  const auto left = std::find_if(missing.begin(), missing.end(), [](std::uint32_t m) { return m > 0; });
  return tl::unexpected(
      error_at_node(*places_, static_cast<std::uint32_t>(left - missing.begin()),
                    fmt::format("never starts: {} nodes depend on one another in a circle, or on such nodes",
                                n - order_.size())));
}

// What strands can say of one another: that one waits for a message of another.
Expected<void> RankProgram::check_cpus() {
  awaited_on_.assign(graph_->size(), kNone);
  for (std::uint32_t i = 0; i < graph_->size(); ++i) {
    const std::uint32_t cpu = graph_->nodes[i].cpu;
    for (const auto d : graph_->dependences(i)) {
      const auto& on = graph_->nodes[d.on()];
      const auto refuse = [&](const char* what) {
        auto e = error_at_node(
            *places_, i, fmt::format("cpu {} depends on node {} of cpu {}, {}", cpu, d.on(), on.cpu, what),
            Error::Kind::unsupported);
        e.hint =
            "between the cpus of a rank, one cpu can wait for a send or receive of another; "
            "docs/reference/goal.md";
        return tl::unexpected(std::move(e));
      };
      if (on.is_message() && d.on_end()) {
        auto& awaited = awaited_on_[d.on()];
        if (awaited != kNone && awaited != cpu) return refuse("for which two cpus wait");
        awaited = cpu;
      } else if (on.cpu != cpu) {
        return refuse(on.is_message() ? "on its start" : "a calculation");
      }
    }
  }
  return {};
}

void RankProgram::find_required() {
  required_.assign(graph_->size(), false);
  for (const auto d : graph_->dependences())
    if (d.on_end()) required_[d.on()] = true;
}

bool RankProgram::requires_end(std::uint32_t node, std::uint32_t of) const {
  const auto all = graph_->dependences(node);
  return std::any_of(all.begin(), all.end(), [&](Dependence d) { return d.on_end() && d.on() == of; });
}

// In waits_, those on whose end the node depends and for which nothing has waited yet.
void RankProgram::find_waits(std::uint32_t node) {
  waits_.clear();
  for (const auto d : graph_->dependences(node)) {
    const auto& on = graph_->nodes[d.on()];
    if (!d.on_end() || !on.is_message() || slots_[d.on()] == kWaited) continue;
    if (!waits_.empty() && waits_.back() == d.on()) continue;  // the same once more
    waits_.push_back(d.on());
  }
}

void RankProgram::wait_for_all() {
  if (waits_.empty()) return;
  program_.begin_call(waits_.size() == 1 ? wait_ : waitall_);
  for (const auto on : waits_) {
    if (slots_[on] == kNone) {  // of a later strand
      to_fill_.push_back({program_.wait_later(), on});
    } else {
      program_.wait(slots_[on]);
    }
  }
  last_waits_ = waits_;
}

void RankProgram::add_message(std::uint32_t node, bool blocks) {
  const auto& n = graph_->nodes[node];
  const Envelope e{.peer = n.peer, .tag = n.tag == kAny ? kAnyTag : static_cast<std::int32_t>(n.tag)};
  const Bytes size{n.amount};
  if (n.kind == NodeKind::receive) {
    program_.begin_call(blocks ? receive_ : ireceive_);
    if (blocks)
      program_.recv(e, size);
    else
      slots_[node] = program_.irecv(e, size);
  } else {
    program_.begin_call(blocks ? send_ : isend_);
    if (blocks)
      program_.send(e, size);
    else if (required_[node])
      slots_[node] = program_.isend(e, size);
    else
      program_.isend_and_forget(e, size);
  }
  if (blocks) slots_[node] = kWaited;
}

// Whether the node could start before `behind`, the last one of its strand that waited.
bool RankProgram::may_be_held_back(std::uint32_t node, std::uint32_t behind) const {
  std::size_t shared = 0;
  for (const auto d : graph_->dependences(node)) {
    if (graph_->nodes[d.on()].cpu == graph_->nodes[node].cpu &&
        place_in_cpu_[d.on()] >= place_in_cpu_[behind])
      return false;
    if (d.on_end() && std::binary_search(last_waits_.begin(), last_waits_.end(), d.on())) ++shared;
  }
  return shared < last_waits_.size();
}

void RankProgram::add_strand(const std::vector<std::uint32_t>& nodes) {
  std::uint32_t last_that_waited = kNone;
  last_waits_.clear();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) place_in_cpu_[nodes[i]] = i;
  std::uint64_t open_receives = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto node = nodes[i];
    const auto& n = graph_->nodes[node];
    const auto dependences = graph_->dependences(node);
    const bool follows = i > 0 && !dependences.empty() && dependences.back().on() == nodes[i - 1];
    if (!follows && last_that_waited != kNone && !held_back_ && may_be_held_back(node, last_that_waited)) {
      const auto place = error_at_node(*places_, node, {});
      held_back_ = {
          Diagnostic::Severity::warning,
          "goal-order",
          fmt::format("{}: its dependences let it start earlier than node {}, behind which it stands "
                      "here, since a cpu's operations are one sequence",
                      place.where, last_that_waited),
          places_->path,
          place.offset,
          place.line,
          places_->rank};
    }
    find_waits(node);
    if (!waits_.empty()) last_that_waited = node;
    for (const auto on : waits_)
      if (graph_->nodes[on].kind == NodeKind::receive && graph_->nodes[on].cpu == n.cpu) --open_receives;
    wait_for_all();
    for (const auto on : waits_) slots_[on] = slots_[on] == kNone ? kNone : kWaited;
    if (!n.is_message()) {
      if (n.amount > 0)
        program_.compute(Duration::picoseconds(static_cast<std::int64_t>(n.amount) * options_.unit.count()));
      continue;
    }
    const bool elsewhere = !awaited_on_.empty() && awaited_on_[node] != kNone && awaited_on_[node] != n.cpu;
    const bool blocks =
        !elsewhere && (i + 1 < nodes.size() ? requires_end(nodes[i + 1], node) : !required_[node]);
    add_message(node, blocks);
    if (blocks) {
      last_that_waited = node;
      last_waits_.assign(1, node);
    } else if (n.kind == NodeKind::receive && !elsewhere) {
      ++open_receives;
    }
  }
  if (open_receives == 0) return;
  waits_.clear();
  for (const auto node : nodes)
    if (graph_->nodes[node].kind == NodeKind::receive && slots_[node] != kWaited &&
        (awaited_on_.empty() || awaited_on_[node] == kNone || awaited_on_[node] == graph_->nodes[node].cpu))
      waits_.push_back(node);
  wait_for_all();
}

}  // namespace busline::goal
