#include "workloads/goal/rank_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/quantity.hpp"

namespace busline::goal {
namespace {

constexpr std::size_t kMostCpus = 256;
constexpr std::uint32_t kNobody = 0xffff'fffe;  // a request that has no node

CollectivePlan plan_of(const Program& program, CollectivePreset preset) {
  return {program,
          [&program, preset](CollectiveKind kind, CommunicatorId communicator, std::uint64_t bytes,
                             bool nonblocking) -> const Schedule* {
            const auto& members = program.communicators()[raw(communicator)].members;
            CollectiveCall call{kind, static_cast<std::uint32_t>(members.size()), bytes};
            call.nonblocking = nonblocking;
            const auto chosen = chosen_algorithm(preset, call);
            return chosen ? find_schedule(*chosen, kind) : nullptr;
          }};
}

}  // namespace

void GoalChanges::tell(Diagnostics& diagnostics, const GoalOutput& options, bool other_communicators) const {
  using enum Diagnostic::Severity;
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message)});
  };
  if (modes > 0)
    say(warning, "modes",
        fmt::format("{} synchronous or buffered sends are written as standard ones", modes));
  if (rounded > 0)
    say(warning, "rounded",
        fmt::format("{} bursts are not whole multiples of {}; their fractions are added to later ones",
                    rounded, to_text(options.unit)));
  if (empty > 0)
    say(note, "empty-messages",
        fmt::format("{} messages without data are written with 1 byte, since LogGOPSim charges bytes - 1",
                    empty));
  if (collectives > 0)
    say(note, "collectives",
        fmt::format("{} calls of collectives are written as their messages, by the algorithms of {}",
                    collectives, name_of(options.collectives)));
  if (nonblocking > 0)
    say(note, "nonblocking-collectives",
        fmt::format("{} non-blocking collectives send their first messages at once and the others in their "
                    "waits",
                    nonblocking));
  if (other_communicators)
    say(note, "communicators", "tags of other communicators are new ones, from 1000000 on");
  if (ends > 0)
    say(note, "ends", "MPI_Init and MPI_Finalize do not synchronise: ranks end when their work is done");
  if (left_out > 0)
    say(note, "left-out",
        fmt::format("{} events, time marks, local calls and probes are left out", left_out));
}

RankNodes::RankNodes(const Program& program, const GoalOutput& options)
    : program_(program), options_(options), plan_(plan_of(program, options.collectives)), tags_(program) {}

bool RankNodes::refuse(std::string message) {
  const auto& op = program_.operations()[at_];
  error_ = {};
  error_.kind = Error::Kind::bad_option;
  error_.where = fmt::format("rank {}, call {} ({})", strand_->rank, program_.call_number(*strand_, at_),
                             program_.call_names()[op.call]);
  error_.message = std::move(message);
  error_.hint = "a Program file can hold it: choose a name that ends in .program";
  return false;
}

const RankGraph* RankNodes::build(std::uint32_t rank, std::size_t strand) {
  const auto strands = program_.strands();
  graph_.clear();
  node_of_request_.assign(program_.request_slots(rank), kNone);
  late_.clear();
  for (std::size_t cpu = 0; strand < strands.size() && strands[strand].rank == rank; ++cpu, ++strand) {
    if (cpu == kMostCpus) {
      error_ = option_error(fmt::format("rank {}", rank), "has more than 256 threads, the most cpus of GOAL");
      return nullptr;
    }
    if (!build_strand(strands[strand], static_cast<std::uint8_t>(cpu))) return nullptr;
  }
  for (const auto& w : late_)
    if (const auto on = node_of_request_[w.request]; on < kNobody) graph_.depend(w.node, {on, false});
  graph_.arrange();
  return &graph_;
}

bool RankNodes::build_strand(const Strand& strand, std::uint8_t cpu) {
  strand_ = &strand;
  cpu_ = cpu;
  previous_ = waiting_ = kNone;
  is_open_ = false;
  rest_ = 0;
  calls_.clear();
  open_.clear();
  for (at_ = strand.begin; at_ < strand.end; ++at_) {
    if (!put(program_.operations()[at_])) return false;
    if (graph_.nodes.size() > kMostNodes / 2) return refuse("a rank has too many operations for GOAL");
  }
  end_strand();
  return true;
}

// What is open is not waited for: a calc of 0 says so, since a last message would be waited for.
void RankNodes::end_strand() {
  for (auto& [request, collective] : open_) {
    at_ = strand_->end - 1;
    go_on(collective, false);
  }
  close();
}

std::uint32_t RankNodes::add(GoalNode node, bool is_open) {
  node.cpu = cpu_;
  const auto number = graph_.size();
  graph_.nodes.push_back(node);
  if (previous_ != kNone) graph_.depend(number, {previous_, is_open_});
  previous_ = number;
  is_open_ = is_open;
  waiting_ = kNone;
  return number;
}

void RankNodes::close() {
  if (is_open_) add({}, false);
}

// A node that waits may not follow a message that is open, or that would be a blocking call (RankProgram).
std::uint32_t RankNodes::begin_wait() {
  close();
  return add({}, false);
}

bool RankNodes::put(const Operation& op) {
  switch (op.kind) {
    case OpKind::noop:
      return true;
    case OpKind::compute:
      put_compute(op);
      return true;
    case OpKind::event:
    case OpKind::mark:
    case OpKind::local:
    case OpKind::probe:
      ++changes_.left_out;
      return true;
    case OpKind::send:
    case OpKind::isend:
    case OpKind::recv:
    case OpKind::irecv:
      return put_message(op);
    case OpKind::wait_send:
    case OpKind::wait_recv:
      put_wait(op.request);
      return true;
    case OpKind::collective:
    case OpKind::collective_start:
      return put_collective(op);
    case OpKind::collective_wait:
      return put_collective_wait(op.request);
    case OpKind::put:
    case OpKind::get:
      return refuse("GOAL has no one-sided transfers: both ranks take part in each message");
    case OpKind::start:
    case OpKind::again:
      return refuse("a GOAL schedule holds one job, which begins at once and ends");
    case OpKind::repeat:
    case OpKind::part_send:
    case OpKind::part_receive:
      break;
  }
  return refuse("GOAL has no work that depends on which message arrives first");
}

void RankNodes::put_compute(const Operation& op) {
  if (op.amount == 0) return;
  const auto unit = options_.unit.count();
  const auto exact = saturated_sum(op.amount, rest_);
  // To the nearest unit.
  const auto units = exact < 0 ? 0 : exact / unit + (exact % unit >= unit - exact % unit ? 1 : 0);
  rest_ = exact - units * unit;
  if (op.amount % unit != 0) ++changes_.rounded;
  if (units > 0) add({.amount = static_cast<std::uint64_t>(units)}, false);
}

std::optional<std::uint32_t> RankNodes::tag_of(const Operation& op) {
  if ((op.flags & Operation::to_last_source) != 0) {
    refuse("GOAL has no work that depends on which message arrives first");
    return std::nullopt;
  }
  if ((op.detail & kAnyChannel) == 0) return tags_.of_channel(op.detail);
  const auto& any = program_.wildcards()[op.detail & ~kAnyChannel];
  if (any.tag != kAnyTag) return tags_.of(any.communicator, any.tag);
  refuse(
      "a receive with any tag would take messages of collectives and other communicators, which GOAL does "
      "not "
      "distinguish");
  return std::nullopt;
}

bool RankNodes::put_message(const Operation& op) {
  const auto tag = tag_of(op);
  if (!tag) return false;
  const bool sends = op.kind == OpKind::send || op.kind == OpKind::isend;
  const bool blocks = op.kind == OpKind::send || op.kind == OpKind::recv;
  if ((op.flags & (Operation::synchronous | Operation::buffered)) != 0) ++changes_.modes;
  if (op.amount == 0) ++changes_.empty;
  const auto peer = op.peer == kAnySource ? kAny : op.peer;
  const auto node = add({.amount = static_cast<std::uint64_t>(std::max<std::int64_t>(op.amount, 1)),
                         .peer = peer,
                         .tag = *tag,
                         .kind = sends ? NodeKind::send : NodeKind::receive},
                        !blocks);
  if (op.request != kNoRequest) node_of_request_[op.request] = node;
  return true;
}

// Waits that follow one another are one node if they are in the order of the nodes that they wait for.
void RankNodes::put_wait(std::uint32_t request) {
  const auto on = node_of_request_[request];
  if (on == kNone) {
    late_.push_back({begin_wait(), request});
    return;
  }
  if (waiting_ == kNone || last_waited_ >= on) {
    const auto node = begin_wait();
    waiting_ = node;
  }
  graph_.depend(waiting_, {on, false});
  last_waited_ = on;
}

bool RankNodes::put_collective(const Operation& op) {
  const auto& args = program_.collectives()[op.detail];
  if (op.request != kNoRequest) node_of_request_[op.request] = kNone;
  auto calls = std::find_if(calls_.begin(), calls_.end(),
                            [&](const Calls& c) { return c.communicator == args.communicator; });
  if (calls == calls_.end()) calls = calls_.insert(calls_.end(), {args.communicator, 0});
  const auto number = calls->calls++;
  if (args.kind == CollectiveKind::init || args.kind == CollectiveKind::finalize) {
    ++changes_.ends;
    return true;
  }
  ++changes_.collectives;
  if (program_.communicators()[args.communicator].members.size() == 1) {
    if (op.request != kNoRequest) node_of_request_[op.request] = kNobody;
    return true;
  }
  const CommunicatorId communicator{args.communicator};
  const auto planned = plan_.empty() ? 0 : plan_.index(communicator, number);
  if (plan_.empty() || plan_[planned].schedule == nullptr)
    return refuse(
        "this collective cannot be written as messages: its calls do not match, or threads share it");
  Open collective{planned, plan_.position(communicator, RankId{strand_->rank}), args.communicator, 0, {}};
  if (op.kind == OpKind::collective) return go_on(collective, false);
  ++changes_.nonblocking;
  go_on(collective, true);
  open_[op.request] = std::move(collective);
  return true;
}

bool RankNodes::put_collective_wait(std::uint32_t request) {
  const auto collective = open_.find(request);
  if (collective == open_.end())
    return node_of_request_[request] == kNobody ||
           refuse("a thread waits for a non-blocking collective of another one, which GOAL cannot say");
  go_on(collective->second, false);
  open_.erase(collective);
  return true;
}

// As in replays: a rank posts the receives of a round, starts its sends, and waits for all of them.
bool RankNodes::go_on(Open& c, bool only_one_round) {
  const auto& planned = plan_[c.planned];
  const auto& members = program_.communicators()[c.communicator].members;
  const auto site = planned.site(static_cast<std::uint32_t>(members.size()), c.position);
  const auto& sizes = plan_.sizes(planned);
  const auto tag = tags_.of_collective(c.planned);
  const auto add_parts = [&](const std::vector<Part>& parts, NodeKind kind) {
    for (const auto& part : parts) {
      const auto sender = kind == NodeKind::send ? c.position : part.peer;
      const auto bytes = sizes.bytes(site, sender, part.blocks);
      if (bytes == 0 && kind == NodeKind::send) ++changes_.empty;
      c.parts.push_back(add(
          {.amount = std::max<std::uint64_t>(bytes, 1), .peer = members[part.peer], .tag = tag, .kind = kind},
          true));
    }
  };
  const auto wait_for_parts = [&] {
    if (c.parts.empty()) return;
    const auto node = begin_wait();
    for (const auto part : c.parts) graph_.depend(node, {part, false});
    c.parts.clear();
  };
  for (;;) {
    wait_for_parts();
    if (!planned.schedule->round(site, c.round, round_)) return true;
    ++c.round;
    if (round_.empty()) continue;
    add_parts(round_.receives, NodeKind::receive);
    add_parts(round_.sends, NodeKind::send);
    if (only_one_round) return true;
  }
}

}  // namespace busline::goal
