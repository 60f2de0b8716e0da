#include "workloads/otf2/rank_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/otf2/read_otf2.hpp"

namespace busline::otf2 {
namespace {

__extension__ using WideCount = __int128;

constexpr std::uint8_t kMeasurementOn = 1;

// Neither is negative; both are at most 2 kMostTicks.
std::int64_t sum_of_ticks(std::int64_t a, std::int64_t b) {
  return std::min(saturated_sum(a, b), 2 * (kMostTicks - 1));
}

void add(Duration& sum, Duration d) {
  sum = Duration::picoseconds(saturated_sum(sum.count(), d.count()));
}

}  // namespace

RankCompiler::RankCompiler(std::uint32_t rank, LocalDefinitions& local, const Survey& survey,
                           const Conventions& shared, RankPart& made)
    : rank_(rank),
      survey_(survey),
      shared_(shared),
      made_(made),
      clock_(local.clock),
      regions_(local.regions, shared.definitions.region_ids),
      comms_(local.comms, shared.definitions.comm_ids),
      windows_(local.windows, shared.definitions.window_ids),
      phase_(survey.has_init && shared.sizes != SizeMeaning::per_peer ? Phase::before_init : Phase::running),
      restores_(shared.is_eztrace &&
                (survey.unknown_fates > 0 || (survey.isends > 0 && survey.isend_completions == 0))),
      call_names_(shared.definitions.regions.size()),
      places_(shared.definitions.comms.size()),
      alone_{rank} {
  made_.events.resize(shared_.definitions.regions.size());
}

Expected<void> RankCompiler::run(std::string_view file, std::uint64_t chunk_size, const std::string& path) {
  made_.builder.begin_strand(rank_);
  if (file.empty()) return {};
  RecordReader records(file, RecordReader::Kind::events, chunk_size);
  while (phase_ != Phase::finalized && records.next()) {
    const auto& r = records.record();
    take(r);
    if (!wrong_) continue;
    wrong_->path = path;
    wrong_->offset = r.offset;
    const auto name = name_of(r.event());
    wrong_->where = fmt::format("event {}{}{} of rank {}", r.number, name.empty() ? "" : ", ", name, rank_);
    return tl::unexpected(std::move(*wrong_));
  }
  if (records.fault()) return tl::unexpected(damage_at(path, records.position(), *records.fault()));
  if (phase_ == Phase::running) {
    flush_compute();
    finalise();
    if (wrong_) {
      wrong_->path = path;
      wrong_->where = fmt::format("rank {}", rank_);
      return tl::unexpected(std::move(*wrong_));
    }
  }
  return {};
}

void RankCompiler::take(const Record& r) {
  const auto type = r.event();
  switch (type) {
    using enum EventType;
    case enter:
      return this->enter(r);
    case leave:
      return this->leave(r);
    case measurement_on_off:
      return switch_recording(r);
    case buffer_flush:
      return flush_buffer(r);
    default:
      break;
  }
  if (!is_of_mpi(type) || phase_ != Phase::running) return;
  if (depth_ == 0) advance_to(clock_.global(r.time));
  switch (type) {
    using enum EventType;
    case mpi_send:
      return send(r);
    case mpi_isend:
      return start_send(r);
    case mpi_isend_complete:
      return complete_send(r);
    case mpi_irecv_request:
      return start_receive(r);
    case mpi_recv:
      return receive(r);
    case mpi_irecv:
      return complete_receive(r);
    case mpi_request_cancelled:
      return cancel(r);
    case mpi_collective_end:
      return collective(r);
    case rma_collective_end:
      return window_collective(r);
    case rma_put:
    case rma_get:
    case rma_atomic:
      return transfer(r);
    case rma_op_complete_blocking:
    case rma_op_complete_non_blocking:
    case rma_op_complete_remote:
      return complete_transfer(r);
    case rma_release_lock:
      return release(r);
    case rma_group_sync:
      return fail("synchronisation of a group (MPI_Win_post, _start, _complete, _wait) is not read",
                  "fences and locks are", Error::Kind::unsupported);
    case non_blocking_collective_request:
      return start_collective(r);
    case non_blocking_collective_complete:
      return complete_collective(r);
    default:
      return;
  }
}

// ---- time

// Accounts for the time until now, which was computation.
void RankCompiler::advance_to(std::int64_t now) {
  if (!started_) {
    started_ = true;
    run_begin_ = now;
  } else if (now < last_) {
    ++made_.notices.negative_gaps;
  } else if (phase_ == Phase::running && !off_since_) {
    pending_ = sum_of_ticks(pending_, now - last_);
  }
  last_ = now;
}

Duration RankCompiler::duration(std::int64_t ticks) const {
  constexpr WideCount kPicoseconds = 1'000'000'000'000;
  const WideCount per_second = shared_.definitions.ticks_per_second;
  const auto ps = (WideCount{ticks} * kPicoseconds + per_second / 2) / per_second;
  return ps > Duration::max().count() ? Duration::max()
                                      : Duration::picoseconds(static_cast<std::int64_t>(ps));
}

void RankCompiler::flush_compute() {
  if (pending_ == 0) return;
  made_.builder.compute(duration(std::exchange(pending_, 0)));
}

// The next operation belongs to the call, or to one named `otherwise` if there is none.
void RankCompiler::begin(std::string_view otherwise) {
  if (begun_ && call_ != nullptr) return;
  flush_compute();
  if (call_ == nullptr) return made_.builder.begin_call(made_.builder.call_name(otherwise));
  auto& name = call_names_[call_region_];
  if (!name) name = made_.builder.call_name(call_->name);
  made_.builder.begin_call(*name);
  begun_ = true;
}

RegionClass RankCompiler::call_class() const {
  return call_ == nullptr ? RegionClass::user : call_->of;
}

// ---- regions

void RankCompiler::enter(const Record& r) {
  const auto region = regions_.of(r.value);
  if (region == LocalIndex::kNone) return fail("enters a region that is not defined");
  const auto& entered = shared_.definitions.regions[region];
  if (!entered.is_call()) {
    if (depth_ > 0) return;
    advance_to(clock_.global(r.time));
    if (entered.of == RegionClass::user) user_event(region, true);
    return;
  }
  if (depth_++ > 0) return;
  advance_to(clock_.global(r.time));
  tested_ = tested_ || (restores_ && entered.tests);
  call_ = &entered;
  call_region_ = region;
  begun_ = recorded_ = sent_or_received_ = false;
  if (entered.of == RegionClass::finalize && phase_ == Phase::running) {
    finalise();
    if (wrong_) return;
    begin("MPI_Finalize");
    made_.finalize = made_.builder.position();
    made_.builder.collective({.kind = CollectiveKind::finalize});
    phase_ = Phase::finalized;
  }
}

void RankCompiler::leave(const Record& r) {
  const auto region = regions_.of(r.value);
  if (region == LocalIndex::kNone) return fail("leaves a region that is not defined");
  const auto& left = shared_.definitions.regions[region];
  if (!left.is_call()) {
    if (depth_ > 0) return;
    const auto now = clock_.global(r.time);
    if (left.of == RegionClass::flush) {
      if (started_ && now > last_) {
        add(made_.notices.flush, duration(now - last_));
        lost_ = sum_of_ticks(lost_, now - last_);
        last_ = now;
      }
      return;
    }
    advance_to(now);
    if (left.of == RegionClass::user) user_event(region, false);
    return;
  }
  if (depth_ == 0) {
    if (survey_.was_off) return;
    return fail(fmt::format("leaves {}, which was not entered", left.name));
  }
  if (--depth_ > 0) return;
  const auto now = clock_.global(r.time);
  if (phase_ == Phase::running) end_call();
  if (now < last_) ++made_.notices.negative_gaps;
  last_ = now;
  if (left.of == RegionClass::init && !made_.init && phase_ != Phase::finalized) initialise(now);
  call_ = nullptr;
}

// MPI_Init returns: the clock starts, unless the trace has all of the run, as Busline's own timelines.
void RankCompiler::initialise(std::int64_t now) {
  if (phase_ == Phase::before_init) {
    phase_ = Phase::running;
    pending_ = 0;
    lost_ = 0;
    run_begin_ = now;
  }
  begin("MPI_Init");
  made_.init = made_.builder.position();
  made_.builder.collective({.kind = CollectiveKind::init});
}

// Nothing counts from here on.
void RankCompiler::finalise() {
  abandon_all();
  made_.notices.open_transfers += open_.size();
  if (!open_.empty()) {
    begin("MPI_Finalize");
    end_all_transfers();
  }
  made_.run_time = duration(std::max<std::int64_t>(last_ - run_begin_ - lost_, 0));
}

void RankCompiler::end_call() {
  auto& n = made_.notices;
  const auto count = [&](Notices::Calls& calls) { ++calls[call_->name]; };
  move_ended();
  switch (call_->of) {
    case RegionClass::wait:
      if (restores_ && !begun_) complete_unrecorded();
      if (begun_ || wrong_) return;
      begin("");
      return made_.builder.noop();
    case RegionClass::send:
    case RegionClass::receive:
    case RegionClass::start:
      return;
    case RegionClass::sendrecv:
      exchange();
      if (!sent_or_received_ && !shared_.records_null_messages) count(n.messages);
      return;
    case RegionClass::creation:
      if (!recorded_) guess_creation();
      return;
    case RegionClass::collective:
    case RegionClass::neighbour:
    case RegionClass::nonblocking_collective:
      if (!recorded_) count(n.collectives);
      return;
    case RegionClass::file:
      return count(n.on_files);
    case RegionClass::not_simulated:
      return count(n.not_simulated);
    case RegionClass::matched_receive:
      return fail(
          fmt::format("{} leaves no record of the message that it receives, so nothing receives it here",
                      call_->name),
          {}, Error::Kind::unsupported);
    default:
      return;
  }
}

void RankCompiler::user_event(std::uint32_t region, bool enters) {
  if (phase_ != Phase::running || off_since_) return;
  made_.events[region] = true;
  flush_compute();
  made_.builder.event(kOtf2RegionEvent, enters ? shared_.definitions.regions[region].event : 0);
}

// While recording is off, nothing is known, and nothing is written: not even that a region is left.
void RankCompiler::switch_recording(const Record& r) {
  auto c = r.cursor();
  const bool on = c.byte() == kMeasurementOn;
  const auto now = clock_.global(r.time);
  if (on == !off_since_) return;
  if (!on) {
    if (depth_ == 0) advance_to(now);
    off_since_ = now;
    return;
  }
  const auto lost = std::max<std::int64_t>(now - *off_since_, 0);
  off_since_.reset();
  if (phase_ == Phase::running) {
    lost_ = sum_of_ticks(lost_, lost);
    add(made_.notices.off, duration(lost));
    made_.notices.ranks_off.insert(rank_);
  }
  if (depth_ > 0 && phase_ == Phase::running) end_call();
  depth_ = 0;
  call_ = nullptr;
  last_ = now;
}

// The time from the record to the one in it went into writing the trace.
void RankCompiler::flush_buffer(const Record& r) {
  if (depth_ > 0 || !started_) return;
  advance_to(clock_.global(r.time));
  auto c = r.cursor();
  const auto until = clock_.global(c.fixed<std::uint64_t>());
  if (!c.ok() || until <= last_) return;
  add(made_.notices.flush, duration(until - last_));
  lost_ = sum_of_ticks(lost_, until - last_);
  last_ = until;
}

// ---- ids

const Comm* RankCompiler::comm_of(std::uint32_t local, std::uint32_t& index) {
  index = comms_.of(local);
  if (index != LocalIndex::kNone) return valid_comm(index, local);
  fail(fmt::format("communicator {} is not defined", local));
  return nullptr;
}

const Comm* RankCompiler::valid_comm(std::uint32_t index, std::uint32_t local) {
  const auto& comm = shared_.definitions.comms[index];
  if (!comm.is_valid)
    fail(fmt::format("the members of communicator {} are not ranks of the job, each once", local));
  else if (place_in(index).position == kUndefined)
    fail(fmt::format("communicator {} does not hold this rank", local));
  return wrong_ ? nullptr : &comm;
}

const RankCompiler::Place& RankCompiler::place_in(std::uint32_t comm) {
  auto& place = places_[comm];
  if (place.position != Place::kUnknown) return place;
  const auto& c = shared_.definitions.comms[comm];
  place.position = c.is_self ? 0 : kUndefined;
  for (const auto* group : {&c.members, &c.remote})
    if (const auto at = std::find(group->begin(), group->end(), rank_); at != group->end())
      place = {static_cast<std::uint32_t>(at - group->begin()), group == &c.remote};
  return place;
}

const std::vector<std::uint32_t>& RankCompiler::peers_in(std::uint32_t comm) {
  const auto& c = shared_.definitions.comms[comm];
  if (c.is_self) return alone_;
  return c.is_inter && !place_in(comm).is_remote ? c.remote : c.members;
}

std::optional<std::uint32_t> RankCompiler::peer_in(std::uint32_t comm, std::uint32_t peer, const char* what) {
  const auto& ranks = peers_in(comm);
  if (peer < ranks.size()) return ranks[peer];
  fail(fmt::format("the {} is rank {}, expected 0 to {}", what, peer, ranks.size() - 1));
  return std::nullopt;
}

// Made when it is first used: traces define many that nobody uses.
std::uint32_t RankCompiler::communicator(std::uint32_t comm) {
  if (comm == shared_.definitions.world) return 0;
  const auto& c = shared_.definitions.comms[comm];
  const CommKey key{comm, c.is_self ? rank_ : 0};
  const auto [at, fresh] = communicators_.try_emplace(key, 0);
  if (!fresh) return at->second;
  made_.communicators.push_back(key);
  auto members = c.is_self ? alone_ : c.members;
  members.insert(members.end(), c.remote.begin(), c.remote.end());
  return at->second = made_.builder.add_communicator(std::move(members));
}

void RankCompiler::fail(std::string message, std::string hint, Error::Kind kind) {
  if (wrong_) return;
  wrong_.emplace();
  wrong_->kind = kind;
  wrong_->message = std::move(message);
  wrong_->hint = std::move(hint);
}

}  // namespace busline::otf2
