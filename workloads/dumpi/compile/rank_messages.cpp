// Messages: sends, receives, probes and persistent requests.
#include <fmt/format.h>

#include "workloads/dumpi/compile/rank_compiler.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {

void RankCompiler::compile_send(const Record& r, const SendCall& call) {
  const auto v = communicator(r[argument("MPI_Send", "comm")]);
  if (wrong_) return;
  const auto m = outgoing(r,
                          {argument("MPI_Send", "count"), argument("MPI_Send", "datatype"),
                           argument("MPI_Send", "dest"), argument("MPI_Send", "tag")},
                          v);
  if (wrong_) return;
  const auto request = call.blocking ? kRequestNull : r.i32(argument("MPI_Isend", "request"));
  if (call.persistent) {
    persistent_[request] = {m, call.mode, false, v};
    return;
  }
  begin_call(r);
  if (!call.blocking) return put_isend(request, m, call.mode);
  Step step;
  step.kind = m.null ? Step::Kind::noop : Step::Kind::send;
  step.mode = call.mode;
  step.envelope = m.envelope;
  step.bytes = m.bytes;
  put(step);
}

void RankCompiler::compile_receive(const Record& r) {
  const auto v = communicator(r[argument("MPI_Recv", "comm")]);
  if (wrong_) return;
  auto m = incoming(r,
                    {argument("MPI_Recv", "count"), argument("MPI_Recv", "datatype"),
                     argument("MPI_Recv", "source"), argument("MPI_Recv", "tag")},
                    v);
  if (wrong_) return;
  if (r.function == function_id("MPI_Recv_init")) {
    persistent_[r.i32(argument("MPI_Recv_init", "request"))] = {m, SendMode::standard, true, v};
    return;
  }
  if (r.function == function_id("MPI_Irecv")) {
    begin_call(r);
    return put_irecv(r.i32(argument("MPI_Irecv", "request")), m, v);
  }
  settle(m, v, r, argument("MPI_Recv", "status"));
  if (wrong_) return;
  begin_call(r);
  Step step;
  step.kind = m.null ? Step::Kind::noop : Step::Kind::recv;
  step.envelope = m.envelope;
  step.bytes = m.bytes;
  put(step);
}

// Both parts start at once; the call returns when both are complete.
void RankCompiler::compile_sendrecv(const Record& r) {
  const bool replace = r.function == function_id("MPI_Sendrecv_replace");
  const auto v =
      communicator(r[replace ? argument("MPI_Sendrecv_replace", "comm") : argument("MPI_Sendrecv", "comm")]);
  if (wrong_) return;
  using Places = MessageArguments;
  const auto to =
      replace
          ? Places{argument("MPI_Sendrecv_replace", "count"), argument("MPI_Sendrecv_replace", "datatype"),
                   argument("MPI_Sendrecv_replace", "dest"), argument("MPI_Sendrecv_replace", "sendtag")}
          : Places{argument("MPI_Sendrecv", "sendcount"), argument("MPI_Sendrecv", "sendtype"),
                   argument("MPI_Sendrecv", "dest"), argument("MPI_Sendrecv", "sendtag")};
  const auto from =
      replace
          ? Places{argument("MPI_Sendrecv_replace", "count"), argument("MPI_Sendrecv_replace", "datatype"),
                   argument("MPI_Sendrecv_replace", "source"), argument("MPI_Sendrecv_replace", "recvtag")}
          : Places{argument("MPI_Sendrecv", "recvcount"), argument("MPI_Sendrecv", "recvtype"),
                   argument("MPI_Sendrecv", "source"), argument("MPI_Sendrecv", "recvtag")};
  const auto status =
      replace ? argument("MPI_Sendrecv_replace", "status") : argument("MPI_Sendrecv", "status");
  const auto sent = outgoing(r, to, v);
  auto received = incoming(r, from, v);
  settle(received, v, r, status);
  if (wrong_) return;
  begin_call(r);
  if (sent.null && received.null) return put_operation(Step::Kind::noop, 0);
  // Two operations that no record of the trace numbers: they are complete before the next record.
  Step step;
  step.kind = Step::Kind::irecv;
  step.operation = kReceivePart;
  step.envelope = received.envelope;
  step.bytes = received.bytes;
  if (!received.null) put(step);
  step.kind = Step::Kind::isend;
  step.operation = kSendPart;
  step.envelope = sent.envelope;
  step.bytes = sent.bytes;
  if (!sent.null) put(step);
  if (!received.null) writer_.wait(thread_, kReceivePart);
  if (!sent.null) writer_.wait(thread_, kSendPart);
}

void RankCompiler::compile_probe(const Record& r) {
  const bool immediate = r.function == function_id("MPI_Iprobe");
  if (immediate && r[argument("MPI_Iprobe", "flag")] == 0) return;
  const auto status = immediate ? argument("MPI_Iprobe", "status") : argument("MPI_Probe", "status");
  static_assert(argument("MPI_Probe", "comm") == argument("MPI_Iprobe", "comm"));
  probe(r, {kAbsent, kAbsent, argument("MPI_Probe", "source"), argument("MPI_Probe", "tag")},
        argument("MPI_Probe", "comm"), status);
}

// The message that was found; nothing after a failure.
std::optional<RankCompiler::Message> RankCompiler::probe(const Record& r, const MessageArguments& a,
                                                         std::size_t comm, std::size_t status) {
  const auto v = communicator(r[comm]);
  if (wrong_) return std::nullopt;
  auto m = incoming(r, a, v);
  settle(m, v, r, status);
  if (wrong_) return std::nullopt;
  begin_call(r);
  Step step;
  step.kind = m.null ? Step::Kind::noop : Step::Kind::probe;
  step.envelope = m.envelope;
  put(step);
  return m;
}

// MPI_Mprobe takes a message out of the queue, and MPI_Mrecv receives it.
void RankCompiler::compile_matched(const Record& r) {
  static_assert(argument("MPI_Mrecv", "message") == argument("MPI_Imrecv", "message"));
  const bool immediate = r.function == function_id("MPI_Improbe");
  if (immediate || r.function == function_id("MPI_Mprobe")) {
    if (immediate && r[argument("MPI_Improbe", "flag")] == 0) return;
    const auto m =
        probe(r, {kAbsent, kAbsent, argument("MPI_Mprobe", "source"), argument("MPI_Mprobe", "tag")},
              argument("MPI_Mprobe", "comm"),
              immediate ? argument("MPI_Improbe", "status") : argument("MPI_Mprobe", "status"));
    if (m)
      matched_[r.i32(immediate ? argument("MPI_Improbe", "message") : argument("MPI_Mprobe", "message"))] =
          *m;
    return;
  }
  Message m;
  m.null = true;  // MPI_MESSAGE_NO_PROC, unless a recorded probe made it
  if (const auto found = matched_.extract(r.i32(argument("MPI_Mrecv", "message")))) m = found.mapped();
  m.bytes = Bytes{bytes(r[argument("MPI_Mrecv", "count")], r[argument("MPI_Mrecv", "datatype")])};
  if (wrong_) return;
  begin_call(r);
  if (r.function == function_id("MPI_Imrecv"))
    return put_irecv(r.i32(argument("MPI_Imrecv", "request")), m, CommunicatorView{});
  Step step;
  step.kind = m.null ? Step::Kind::noop : Step::Kind::recv;
  step.envelope = m.envelope;
  step.bytes = m.bytes;
  put(step);
}

void RankCompiler::compile_starts(const Record& r) {
  if (r.function == function_id("MPI_Start")) return compile_start(r, r.i32(0));
  const auto ids = r.list(argument("MPI_Startall", "requests"));
  for (std::size_t i = 0; i < ids.size(); ++i) compile_start(r, ids[i]);
}

void RankCompiler::compile_start(const Record& r, std::int32_t request) {
  const auto at = persistent_.find(request);
  if (at == persistent_.end()) return;
  begin_call(r);
  const auto& p = at->second;
  if (p.collective)
    start_collective(request, *p.collective);
  else if (p.exchange)
    put_exchange(kFirstOperation + requests_.activate(request), *p.exchange, p.communicator);
  else if (p.receive)
    put_irecv(request, p.message, p.communicator);
  else
    put_isend(request, p.message, p.mode);
}

void RankCompiler::put_isend(std::int32_t request, const Message& m, SendMode mode) {
  Step step;
  const auto operation = requests_.activate(request);
  step.operation = kFirstOperation + operation;
  const auto* const fate = fate_of(operation);
  const bool forgotten = fate != nullptr && fate->kind == Fate::Kind::never_waited;
  step.kind = m.null ? Step::Kind::nothing : forgotten ? Step::Kind::isend_and_forget : Step::Kind::isend;
  step.mode = mode;
  step.envelope = m.envelope;
  step.bytes = m.bytes;
  put(step);
}

void RankCompiler::put_irecv(std::int32_t request, Message m, CommunicatorView v) {
  Step step;
  const auto operation = requests_.activate(request);
  step.operation = kFirstOperation + operation;
  const auto* const fate = fate_of(operation);
  if (fate == nullptr)
    leave_open(m);
  else if (fate->kind == Fate::Kind::received)
    settle(m, v, {0, fate->source, fate->tag, false});
  else
    m.null = true;
  if (wrong_) return;
  step.kind = m.null ? Step::Kind::nothing : Step::Kind::irecv;
  step.envelope = m.envelope;
  step.bytes = m.bytes;
  put(step);
}

RankCompiler::Message RankCompiler::outgoing(const Record& r, const MessageArguments& a, CommunicatorView v) {
  Message m;
  if (r[a.peer] < 0) {
    m.null = true;
    return m;
  }
  m.bytes = Bytes{bytes(r[a.count], r[a.type])};
  m.envelope.communicator = shared_.communicators.program_id(v);
  m.envelope.tag = r.i32(a.tag);
  if (m.envelope.tag < 0) fail(fmt::format("the tag is {}, expected 0 or more", m.envelope.tag));
  m.envelope.peer = peer(v, r[a.peer], "destination");
  return m;
}

RankCompiler::Message RankCompiler::incoming(const Record& r, const MessageArguments& a, CommunicatorView v) {
  Message m;
  if (r[a.peer] < kAnyNumber) {
    m.null = true;
    return m;
  }
  if (a.count != kAbsent) m.bytes = Bytes{bytes(r[a.count], r[a.type])};
  m.envelope.communicator = shared_.communicators.program_id(v);
  m.envelope.tag = r.i32(a.tag);
  if (r[a.tag] < kAnyNumber) fail(fmt::format("the tag is {}, expected 0 or more, or -1 for any", r[a.tag]));
  m.envelope.peer = r[a.peer] == kAnyNumber ? kAnySource : peer(v, r[a.peer], "source");
  return m;
}

void RankCompiler::settle(Message& m, CommunicatorView v, const Record& r, std::size_t status) {
  if (wrong_) return;
  if (r.statuses(status) > 0)
    settle(m, v, r.status(status));
  else
    leave_open(m);
}

// A receive from any source without a status. In traces of the MPICH family it may be from MPI_PROC_NULL.
void RankCompiler::leave_open(Message& m) {
  if (m.null || m.envelope.peer != kAnySource) return;
  ++shared_.notices.open_without_status;
  m.null = shared_.null_receives.contains({rank_, m.envelope.communicator, m.envelope.tag});
}

// Closes an open receive with the recorded source and tag.
void RankCompiler::settle(Message& m, CommunicatorView v, const Status& status) {
  if (m.null || (m.envelope.peer != kAnySource && m.envelope.tag != kAnyTag)) return;
  if (m.envelope.peer == kAnySource && status.source < 0) {
    m.null = true;  // MPICH's MPI_PROC_NULL is -1, like MPI_ANY_SOURCE
    return;
  }
  if (shared_.options.rematch_wildcards) return;
  if (m.envelope.peer == kAnySource) m.envelope.peer = peer(v, status.source, "received source");
  if (m.envelope.tag == kAnyTag && status.tag >= 0) m.envelope.tag = status.tag;
}

std::uint32_t RankCompiler::peer(CommunicatorView v, std::int64_t rank, const char* what) {
  const auto ranks = shared_.communicators.peers(v);
  if (rank >= 0 && static_cast<std::uint64_t>(rank) < ranks.size())
    return ranks[static_cast<std::size_t>(rank)];
  fail(fmt::format("the {} is rank {}, expected 0 to {}", what, rank, ranks.size() - 1));
  return 0;
}

const Fate* RankCompiler::fate_of(std::uint32_t operation) {
  const auto& fates = survey_.fates;
  while (next_fate_ < fates.size() && fates[next_fate_].operation < operation) ++next_fate_;
  const bool found = next_fate_ < fates.size() && fates[next_fate_].operation == operation;
  return found ? &fates[next_fate_] : nullptr;
}

}  // namespace busline::dumpi
