#include "models/jobs/job_waits.hpp"

#include <algorithm>
#include <numeric>

#include "models/costs/costs.hpp"

namespace busline {

JobWaits::JobWaits(const Platform& platform, const Machine& machine, const Program& program,
                   std::span<const std::uint32_t> first_rank)
    : platform_(platform),
      machine_(machine),
      program_(program),
      jobs_(static_cast<std::uint32_t>(first_rank.size() - 1)),
      exclusive_(platform.machines.front().network.sharing == Network::Sharing::exclusive) {
  for (std::uint32_t job = 0; job < jobs_; ++job)
    job_of_rank_.insert(job_of_rank_.end(), first_rank[job + 1] - first_rank[job], job);
  for (std::uint32_t m = 0; m < platform.machines.size(); ++m)
    for (const auto& g : platform.machines[m].nodes) {
      groups_.insert(groups_.end(), g.count, &g);
      machine_of_.insert(machine_of_.end(), g.count, m);
    }
  several_jobs_.assign(machine.nodes.size(), false);
  IdVector<NodeId, std::uint32_t> first_job(machine.nodes.size(), kNone);
  for (const auto rank : machine.rank_node.ids()) {
    const auto node = machine.cpu_node(rank);
    if (first_job[node] == kNone) first_job[node] = job_of(rank);
    if (first_job[node] != job_of(rank)) several_jobs_[node] = true;
  }
  for (const auto& s : program.strands()) ranks_.push_back(RankId{s.rank});
  strands_.resize(ranks_.size());
  waits_.resize(jobs_);
  for (auto& of_job : waits_) of_job.fill(Sums(jobs_));
}

// ---- resources and their holders

std::uint32_t JobWaits::resource(MeetingPlace place, std::uint64_t owner, std::uint32_t capacity) {
  const auto key = owner * kMeetingPlaces + static_cast<std::uint64_t>(place);
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(resources_.size()));
  if (fresh) resources_.push_back({place, capacity, std::vector<std::uint32_t>(jobs_), Sums(jobs_), 0});
  return at->second;
}

/// With half duplex, both directions are the same links.
std::uint32_t JobWaits::link(NodeId node, bool out) {
  const auto& links = group(node).links;
  const bool half = links.kind == Links::Kind::half_duplex;
  return resource(out || half ? MeetingPlace::links_out : MeetingPlace::links_in, raw(node),
                  out ? links.out : links.in);
}

std::uint32_t JobWaits::bus(std::uint32_t machine) {
  return resource(MeetingPlace::buses, machine, platform_.machines[machine].network.buses);
}

/// Ports and buses of a node's memory as one.
std::uint32_t JobWaits::memory(NodeId node) {
  return resource(MeetingPlace::memory, raw(node), group(node).intra_node.buses);
}

std::uint32_t JobWaits::stream(const Message& m) {
  static_assert(kMaxNodes < 1U << 24U);
  const auto from = raw(machine_.rank_node[m.source]), to = raw(machine_.rank_node[m.destination]);
  return resource(MeetingPlace::stream, (std::uint64_t{from} << 24U) | to, 1);
}

std::uint32_t JobWaits::place_of(const Message& m, const ResourceId& place) {
  switch (place.kind) {
    case ResourceKind::link_out:
      return link(NodeId{place.owner}, true);
    case ResourceKind::link_in:
      return link(NodeId{place.owner}, false);
    case ResourceKind::bus:
      return bus(place.owner == ResourceId::kOnly ? 0 : place.owner);
    case ResourceKind::port_out:
    case ResourceKind::port_in:
      return memory(machine_.rank_node[RankId{place.owner}]);
    case ResourceKind::memory_bus:
      return memory(NodeId{place.owner});
    case ResourceKind::turn:
      return stream(m);
    default:
      break;
  }
  return resource(MeetingPlace::between, 0, 1);
}

/// All that a message holds while it is transferred.
void JobWaits::ways_of(const Message& m, Holder& h) {
  const auto from = machine_.rank_node[m.source], to = machine_.rank_node[m.destination];
  h.stops = 0;
  const auto add = [&h](std::uint32_t number) {
    const auto end = h.holds.begin() + h.stops;
    if (std::find(h.holds.begin(), end, number) == end) h.holds[h.stops++] = number;
  };
  switch (static_cast<Route>(m.route)) {
    case Route::self:
    case Route::memory:
      add(memory(from));
      break;
    case Route::network:
      add(link(from, true));
      add(link(to, false));
      add(bus(machine_of_[from]));
      break;
    case Route::wan:
    case Route::dedicated:
      add(resource(MeetingPlace::between, 0, 1));
      break;
  }
  if (!exclusive_) add(stream(m));
}

JobWaits::Resource& JobWaits::at(std::uint32_t number, std::int64_t now) {
  auto& r = resources_[number];
  if (now > r.since) {  // slices of CPUs are reported later
    for (std::uint32_t job = 0; job < jobs_; ++job) r.sums[job] += (now - r.since) * r.held[job];
    r.since = now;
  }
  return r;
}

void JobWaits::hold(std::uint32_t number, std::uint32_t job, std::uint32_t servers, std::int64_t now) {
  at(number, now).held[job] += servers;
}

void JobWaits::release(std::uint32_t number, std::uint32_t job, std::uint32_t servers, std::int64_t now) {
  at(number, now).held[job] -= servers;
}

void JobWaits::release_all(Holder& h, std::uint32_t job, std::int64_t now) {
  for (std::uint32_t i = 0; i < h.stops; ++i) release(h.holds[i], job, 1, now);
  h.stops = 0;
}

void JobWaits::begin_wait(Holder& h, std::uint32_t number, std::int64_t now) {
  h.waits_at = number;
  h.since = now;
  h.before.resize(1);
  h.before.front() = at(number, now).sums;
}

void JobWaits::end_wait(Holder& h, std::uint32_t job, std::int64_t now) {
  if (h.waits_at == kNone) return;
  const auto& r = at(h.waits_at, now);
  if (now > h.since) {
    Sums weights(jobs_);
    for (std::uint32_t j = 0; j < jobs_; ++j) weights[j] = r.sums[j] - h.before.front()[j];
    if (std::all_of(weights.begin(), weights.end(), [](std::int64_t w) { return w == 0; }))
      std::copy(r.held.begin(), r.held.end(), weights.begin());
    split(job, r.place, now - h.since, weights);
  }
  h.waits_at = kNone;
}

/// In whole picoseconds that add up to `lost`. Without anybody to blame, it is the job itself.
void JobWaits::split(std::uint32_t job, MeetingPlace place, std::int64_t lost, const Sums& weights) {
  auto& mine = waits_[job][static_cast<std::size_t>(place)];
  double all = 0;
  for (const auto w : weights) all += static_cast<double>(w);
  std::int64_t rest = lost;
  if (all > 0)
    for (std::uint32_t j = 0; j < jobs_; ++j) {
      if (j == job) continue;
      const auto part = std::min(
          rest,
          Duration::from_double(static_cast<double>(lost) * static_cast<double>(weights[j]) / all).count());
      mine[j] = saturated_sum(mine[j], part);
      rest -= part;
    }
  mine[job] = saturated_sum(mine[job], rest);
}

std::vector<std::vector<JobWait>> JobWaits::waits() const {
  std::vector<std::vector<JobWait>> all(jobs_);
  for (std::uint32_t job = 0; job < jobs_; ++job)
    for (std::size_t place = 0; place < kMeetingPlaces; ++place) {
      const auto& sums = waits_[job][place];
      if (std::all_of(sums.begin(), sums.end(), [](std::int64_t ps) { return ps == 0; })) continue;
      auto& wait = all[job].emplace_back();
      wait.place = static_cast<MeetingPlace>(place);
      for (const auto ps : sums) wait.by_job.push_back(Duration::picoseconds(ps));
    }
  return all;
}

// ---- messages

std::uint32_t JobWaits::job_of(const Message& m) const {
  return m.is(Message::standin) ? job_of_collective_[m.collective()] : job_of(m.source);
}

JobWaits::Holder& JobWaits::message(MessageId id) {
  messages_.reach(id);
  return messages_[id];
}

/// It holds what it has obtained before: output link, input link, bus, in this order. A collective's stand-in
/// reserves the bus that it waits for.
void JobWaits::queued(MessageId id, const Message& m, const ResourceId& place, std::int64_t now) {
  auto& h = message(id);
  const auto job = job_of(m);
  release_all(h, job, now);
  begin_wait(h, place_of(m, place), now);
  if (m.is(Message::standin)) {
    h.holds[h.stops++] = h.waits_at;
  } else if (place.kind == ResourceKind::link_in || place.kind == ResourceKind::bus) {
    h.holds[h.stops++] = link(machine_.rank_node[m.source], true);
    if (place.kind == ResourceKind::bus) {
      const auto in = link(machine_.rank_node[m.destination], false);
      if (in != h.holds[0]) h.holds[h.stops++] = in;
    }
  }
  for (std::uint32_t i = 0; i < h.stops; ++i) hold(h.holds[i], job, 1, now);
}

void JobWaits::left_queue(MessageId id, const Message& m, std::int64_t now) {
  auto& h = message(id);
  end_wait(h, job_of(m), now);
  if (m.is(Message::standin)) release_all(h, job_of(m), now);
}

void JobWaits::began(MessageId id, const Message& m, std::int64_t alone, std::int64_t now) {
  auto& h = message(id);
  const auto job = job_of(m);
  release_all(h, job, now);
  ways_of(m, h);
  for (std::uint32_t i = 0; i < h.stops; ++i) hold(h.holds[i], job, 1, now);
  h.since = now;
  h.alone = alone;
  h.before.resize(h.stops);
  if (!exclusive_)
    for (std::uint32_t i = 0; i < h.stops; ++i) h.before[i] = at(h.holds[i], now).sums;
}

/// What it took longer than alone, others on its most crowded resource have taken.
void JobWaits::ended(MessageId id, const Message& m, std::int64_t now) {
  auto& h = message(id);
  const auto job = job_of(m);
  const auto length = now - h.since;
  if (!exclusive_ && length > h.alone) {
    Sums most(jobs_);
    double crowd = 0;
    const auto look_at = [&](bool limited) {
      for (std::uint32_t i = 0; i < h.stops; ++i) {
        const auto& r = at(h.holds[i], now);
        if (r.place == MeetingPlace::stream || (r.capacity > 0) != limited) continue;
        if (!limited && r.place == MeetingPlace::buses) continue;
        Sums others(jobs_);
        double all = 0;
        for (std::uint32_t j = 0; j < jobs_; ++j) {
          others[j] = r.sums[j] - h.before[i][j] - (j == job ? length : 0);
          all += static_cast<double>(others[j]);
        }
        if (limited) all /= r.capacity;
        if (all <= crowd) continue;
        crowd = all;
        most = others;
      }
    };
    look_at(true);
    if (crowd <= 0) look_at(false);  // a topology limits them
    split(job, MeetingPlace::sharing, length - h.alone, most);
  }
  release_all(h, job, now);
}

// ---- collectives that are closed forms: they hold buses

void JobWaits::joined(CollectiveId id, const CollectiveInstance& /*c*/, StrandId strand,
                      std::uint32_t /*args*/, RequestId /*request*/, std::int64_t /*now*/) {
  job_of_collective_.reach(id);
  job_of_collective_[id] = job_of(ranks_[strand]);
}

void JobWaits::collective_began(CollectiveId id, const CollectiveInstance& c, std::int64_t /*held*/,
                                std::int64_t /*flight*/, std::int64_t now) {
  collectives_.reach(id);
  auto& h = collectives_[id];
  h.stops = 0;
  if (!exclusive_ || !platform_.mpi.collectives_hold_buses) return;
  const auto& members = program_.communicators()[raw(c.communicator)].members;
  const auto node = machine_.rank_node[RankId{members.front()}];
  const bool inside = std::all_of(members.begin(), members.end(), [&](std::uint32_t rank) {
    return machine_.rank_node[RankId{rank}] == node;
  });
  const auto buses = platform_.machines[machine_of_[node]].network.buses;
  if (inside || buses == kUnlimited) return;
  h.holds[h.stops++] = bus(machine_of_[node]);
  hold(h.holds[0], job_of_collective_[id], buses, now);
}

void JobWaits::dispatched(EventKind kind, EventSubject subject, std::int64_t now) {
  if (kind == EventKind::work_over) {
    const auto strand = subject.strand();
    if (strands_.has(strand) && strands_[strand].stops > 0)
      release_all(strands_[strand], job_of(ranks_[strand]), now);
  } else if (kind == EventKind::collective_release && collectives_.has(subject.collective())) {
    auto& h = collectives_[subject.collective()];
    if (h.stops == 0) return;
    release(h.holds[0], job_of_collective_[subject.collective()], resources_[h.holds[0]].capacity, now);
    h.stops = 0;
  }
}

// ---- CPUs, where ranks of several jobs use a node's

void JobWaits::entered(StrandId strand, RankId rank, std::uint32_t /*collective*/,
                       const CollectiveArgs& /*args*/, std::int64_t /*now*/) {
  ranks_.reach(strand);
  ranks_[strand] = rank;
  strands_.reach(strand);
}

void JobWaits::charged(StrandId strand, Activity next, std::int64_t when) {
  if (!ranks_.has(strand)) return;
  const auto node = machine_.cpu_node(ranks_[strand]);
  if (!shares_cpus(node)) return;
  auto& h = strands_[strand];
  end_wait(h, job_of(ranks_[strand]), when);
  if (next == Activity::cpu_wait)
    begin_wait(h, resource(MeetingPlace::cpus, raw(node), machine_.nodes[node].cpus), when);
}

void JobWaits::works(StrandId strand, const Operation* /*op*/, std::int64_t length, std::int64_t now) {
  if (length == 0 || !ranks_.has(strand)) return;
  const auto node = machine_.cpu_node(ranks_[strand]);
  if (!shares_cpus(node)) return;
  auto& h = strands_[strand];
  const auto job = job_of(ranks_[strand]);
  release_all(h, job, now);
  h.holds[h.stops++] = resource(MeetingPlace::cpus, raw(node), machine_.nodes[node].cpus);
  hold(h.holds[0], job, 1, now);
}

}  // namespace busline
