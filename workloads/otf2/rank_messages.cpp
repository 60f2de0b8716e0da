// Messages: sends, receives and what completes them.
#include <fmt/format.h>

#include <limits>

#include "workloads/otf2/rank_compiler.hpp"

namespace busline::otf2 {

// MPI_PROC_NULL is -1 in MPICH and -2 in Open MPI.
bool RankCompiler::is_null(const MessageFields& f) const {
  return shared_.is_eztrace && f.peer >= 0xffff'fffe;
}

// A call whose partner is MPI_PROC_NULL.
void RankCompiler::without_partner(std::string_view call) {
  sent_or_received_ = true;
  begin(call);
  made_.builder.noop();
}

std::optional<RankCompiler::Message> RankCompiler::message(const MessageFields& f, const char* peer) {
  std::uint32_t comm = 0;
  if (comm_of(f.comm, comm) == nullptr) return std::nullopt;
  constexpr std::uint32_t kMostTag = std::numeric_limits<std::int32_t>::max();
  if (f.tag > kMostTag) fail(fmt::format("the tag is {}, expected at most {}", f.tag, kMostTag));
  if (f.bytes > kMostBytes) fail(fmt::format("a message of {} bytes, expected at most 2^60", f.bytes));
  const auto rank = peer_in(comm, f.peer, peer);
  if (wrong_) return std::nullopt;
  return Message{{*rank, static_cast<std::int32_t>(f.tag), communicator(comm)}, Bytes{f.bytes}};
}

// Some tracers write the same record for a send that does not block.
void RankCompiler::send(const Record& r) {
  auto c = r.cursor();
  const auto fields = message_fields(c);
  if (!c.ok()) return fail(kRecordTooShort);
  if (is_null(fields)) {
    without_partner("MPI_Send");
    made_.null_sends.push_back(made_.builder.position() - 1);
    return;
  }
  const auto m = message(fields, "receiver");
  if (!m) return;
  sent_or_received_ = true;
  if (call_class() == RegionClass::sendrecv) {
    sent_ = m;
    return;
  }
  begin("MPI_Send");
  const auto mode = call_ == nullptr ? SendMode::standard : call_->mode;
  if (call_class() == RegionClass::start)
    made_.builder.isend_and_forget(m->envelope, m->bytes, mode);
  else
    made_.builder.send(m->envelope, m->bytes, mode);
}

void RankCompiler::start_send(const Record& r) {
  auto c = r.cursor();
  const auto fields = message_fields(c);
  const auto id = c.number();
  if (!c.ok()) return fail(kRecordTooShort);
  if (is_null(fields)) {
    without_partner("MPI_Isend");
    made_.null_sends.push_back(made_.builder.position() - 1);
    return start(id, {});
  }
  const auto m = message(fields, "receiver");
  if (!m) return;
  sent_or_received_ = true;
  begin("MPI_Isend");
  const auto mode = call_ == nullptr ? SendMode::standard : call_->mode;
  start(id, {.slot = made_.builder.isend(m->envelope, m->bytes, mode)});
}

void RankCompiler::complete_send(const Record& r) {
  const auto at = requests_.find(r.value);
  if (at == requests_.end()) {
    if (survey_.was_off) {
      ++made_.notices.unknown_sends;
      return;
    }
    return fail(fmt::format("completes request {}, which no record started", r.value));
  }
  if (at->second.receive && !at->second.open)
    return fail(fmt::format("completes request {} as a send; it is a receive", r.value));
  if (call_class() == RegionClass::request_free) {
    (at->second.receive ? receives_ : sends_).erase(at->second.number);
    requests_.erase(at);
  } else {
    complete(r.value);
  }
}

void RankCompiler::start(std::uint64_t id, Request request) {
  if (restores_) {
    abandon(id);
    request.number = ++started_requests_;
    (request.receive ? receives_ : sends_)[request.number] = id;
  }
  requests_[id] = request;
}

// Waits for it.
void RankCompiler::complete(std::uint64_t id) {
  const auto at = requests_.find(id);
  begin("MPI_Wait");
  if (at->second.slot == kNoRequest)
    made_.builder.noop();
  else
    made_.builder.wait(at->second.slot);
  (at->second.receive ? receives_ : sends_).erase(at->second.number);
  requests_.erase(at);
}

// A call that waits, without a record of what it completed. EZTrace writes none for programs in C.
// MPI_Waitall is taken to complete all that is open; others complete the oldest receive, or the oldest send
// if there is none.
void RankCompiler::complete_unrecorded() {
  const bool all = call_->name == "MPI_Waitall";
  if (call_->name == "MPI_Waitsome" && !receives_.empty())
    return fail("no record says which receives MPI_Waitsome completed", {}, Error::Kind::unsupported);
  do {
    const auto& oldest = receives_.empty() ? sends_ : receives_;
    if (oldest.empty()) return;
    complete(oldest.begin()->second);
  } while (all);
}

// A request that nothing was seen to complete: its variable is used again, or the program ends.
void RankCompiler::abandon(std::uint64_t id) {
  const auto at = requests_.find(id);
  if (at == requests_.end()) return;
  const auto& request = at->second;
  (request.receive ? receives_ : sends_).erase(request.number);
  if (request.open) {
    if (tested_)
      return fail("a call like MPI_Test completed a receive, and no record says which", {},
                  Error::Kind::unsupported);
    made_.builder.erase(request.position);
    --made_.open_receives;
    ++made_.notices.unfinished_receives;
  }
  requests_.erase(at);
}

void RankCompiler::abandon_all() {
  while (!receives_.empty() && !wrong_) abandon(receives_.begin()->second);
}

void RankCompiler::start_receive(const Record& r) {
  const auto id = r.value;
  const auto& fate = survey_.fates[next_fate_++];
  if (fate.kind == Fate::Kind::unknown && restores_) {
    begin("MPI_Irecv");
    const auto position = made_.builder.position();
    const auto slot = made_.builder.irecv({kAnySource, kAnyTag, 0}, Bytes{0});
    ++made_.open_receives;
    start(id, {.receive = true, .slot = slot, .position = position, .open = true});
    tested_ = false;
    return;
  }
  if (fate.kind != Fate::Kind::received) {
    requests_.erase(id);
    return;
  }
  if (is_null(fate.message)) {
    without_partner("MPI_Irecv");
    return start(id, {.receive = true});
  }
  const auto m = message(fate.message, "sender");
  if (!m) return;
  begin("MPI_Irecv");
  start(id, {.receive = true, .slot = made_.builder.irecv(m->envelope, m->bytes)});
}

void RankCompiler::receive(const Record& r) {
  auto c = r.cursor();
  const auto fields = message_fields(c);
  if (!c.ok()) return fail(kRecordTooShort);
  if (is_null(fields)) return without_partner("MPI_Recv");
  const auto m = message(fields, "sender");
  if (!m) return;
  sent_or_received_ = true;
  if (call_class() == RegionClass::sendrecv) {
    received_ = m;
    return;
  }
  begin("MPI_Recv");
  made_.builder.recv(m->envelope, m->bytes);
}

void RankCompiler::complete_receive(const Record& r) {
  auto c = r.cursor();
  const auto fields = message_fields(c);
  const auto id = c.number();
  if (!c.ok()) return fail(kRecordTooShort);
  const auto m = is_null(fields) ? std::optional(Message{}) : message(fields, "sender");
  if (!m) return;
  sent_or_received_ = true;
  const auto at = requests_.find(id);
  if (at != requests_.end() && at->second.receive) return complete(id);
  if (at != requests_.end() || !survey_.was_off)
    return fail(fmt::format("completes request {}, which no record started as a receive", id));
  ++made_.notices.repaired_receives;
  begin("MPI_Wait");
  made_.builder.recv(m->envelope, m->bytes);
}

void RankCompiler::cancel(const Record& r) {
  const auto at = requests_.find(r.value);
  if (at == requests_.end()) return;  // a receive, which was left out when it started
  fail(fmt::format("cancels request {}, a send", r.value), "only cancelled receives can be left out",
       Error::Kind::unsupported);
}

// An MPI_Sendrecv: both halves go on at the same time.
void RankCompiler::exchange() {
  if (!sent_ && !received_) return;
  begin("MPI_Sendrecv");
  auto& b = made_.builder;
  std::optional<std::uint32_t> receive, send;
  if (received_) receive = b.irecv(received_->envelope, received_->bytes);
  if (sent_) send = b.isend(sent_->envelope, sent_->bytes);
  if (receive) b.wait(*receive);
  if (send) b.wait(*send);
  sent_.reset();
  received_.reset();
}

}  // namespace busline::otf2
