// Messages: sends, receives and what completes them.
#include <fmt/format.h>

#include <limits>

#include "workloads/otf2/rank_compiler.hpp"

namespace busline::otf2 {
std::optional<RankCompiler::Message> RankCompiler::message(Cursor& c, const char* peer) {
  const auto fields = message_fields(c);
  if (c.ok()) return message(fields, peer);
  fail(kRecordTooShort);
  return std::nullopt;
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
  const auto m = message(c, "receiver");
  if (!m) return;
  sent_or_received_ = true;
  if (call_class() == RegionClass::sendrecv) {
    sent_ = m;
    return;
  }
  begin("MPI_Send");
  const auto mode = call_ == nullptr ? SendMode::standard : call_->mode;
  if (call_class() == RegionClass::start)
    shared_.builder.isend_and_forget(m->envelope, m->bytes, mode);
  else
    shared_.builder.send(m->envelope, m->bytes, mode);
}

void RankCompiler::start_send(const Record& r) {
  auto c = r.cursor();
  const auto m = message(c, "receiver");
  if (!m) return;
  const auto id = c.number();
  if (!c.ok()) return fail(kRecordTooShort);
  sent_or_received_ = true;
  begin("MPI_Isend");
  const auto mode = call_ == nullptr ? SendMode::standard : call_->mode;
  requests_[id] = {false, shared_.builder.isend(m->envelope, m->bytes, mode)};
}

void RankCompiler::complete_send(const Record& r) {
  const auto at = requests_.find(r.value);
  if (at == requests_.end()) {
    if (survey_.was_off) {
      ++shared_.notices.unknown_sends;
      return;
    }
    return fail(fmt::format("completes request {}, which no record started", r.value));
  }
  if (at->second.receive)
    return fail(fmt::format("completes request {} as a send; it is a receive", r.value));
  if (call_class() != RegionClass::request_free) {
    begin("MPI_Wait");
    shared_.builder.wait(at->second.slot);
  }
  requests_.erase(at);
}

void RankCompiler::start_receive(const Record& r) {
  const auto id = r.value;
  const auto& fate = survey_.fates[next_fate_++];
  if (fate.kind != Fate::Kind::received) {
    requests_.erase(id);
    return;
  }
  const auto m = message(fate.message, "sender");
  if (!m) return;
  begin("MPI_Irecv");
  requests_[id] = {true, shared_.builder.irecv(m->envelope, m->bytes)};
}

void RankCompiler::receive(const Record& r) {
  auto c = r.cursor();
  const auto m = message(c, "sender");
  if (!m) return;
  sent_or_received_ = true;
  if (call_class() == RegionClass::sendrecv) {
    received_ = m;
    return;
  }
  begin("MPI_Recv");
  shared_.builder.recv(m->envelope, m->bytes);
}

void RankCompiler::complete_receive(const Record& r) {
  auto c = r.cursor();
  const auto m = message(c, "sender");
  if (!m) return;
  const auto id = c.number();
  if (!c.ok()) return fail(kRecordTooShort);
  sent_or_received_ = true;
  const auto at = requests_.find(id);
  if (at != requests_.end() && at->second.receive) {
    begin("MPI_Wait");
    shared_.builder.wait(at->second.slot);
    requests_.erase(at);
    return;
  }
  if (at != requests_.end() || !survey_.was_off)
    return fail(fmt::format("completes request {}, which no record started as a receive", id));
  ++shared_.notices.repaired_receives;
  begin("MPI_Wait");
  shared_.builder.recv(m->envelope, m->bytes);
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
  auto& b = shared_.builder;
  std::optional<std::uint32_t> receive, send;
  if (received_) receive = b.irecv(received_->envelope, received_->bytes);
  if (sent_) send = b.isend(sent_->envelope, sent_->bytes);
  if (receive) b.wait(*receive);
  if (send) b.wait(*send);
  sent_.reset();
  received_.reset();
}

}  // namespace busline::otf2
