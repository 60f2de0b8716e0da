#include "workloads/paraver/strand_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace busline::paraver {

StrandCompiler::StrandCompiler(const Compiling& job, ThreadTrace& thread) : job_(job), thread_(thread) {
  std::stable_sort(thread.receives.begin(), thread.receives.end(),
                   [](const ReceiveEnd& a, const ReceiveEnd& b) { return a.posted < b.posted; });
}

std::optional<Error> StrandCompiler::compile() {
  const auto& steps = thread_.steps;
  const auto is_call = [](const Step& s) { return s.is_call(); };
  const auto calls_end =
      static_cast<std::size_t>(steps.rend() - std::find_if(steps.rbegin(), steps.rend(), is_call));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& step = steps[i];
    if (step.what == Step::kUserEvent) {
      compute_until(step.begin);
      flush_compute();
      job_.builder.event(step.arguments, step.end);
    } else if (step.is_call()) {
      messages_before(step.begin);
      compute_until(step.begin);
      const auto next =
          std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, steps.end(), is_call);
      if (!call(step, next == steps.end() ? nullptr : &*next)) return std::move(error_);
      now_ = std::max(now_, step.end);
    } else if (step.what != Step::kNotClosed) {
      pause(step, i < calls_end);
    }
  }
  messages_before(std::numeric_limits<std::int64_t>::max());
  compute_until(thread_.until);
  flush_compute();
  return std::nullopt;
}

// ---- time

void StrandCompiler::compute_until(std::int64_t at) {
  if (at <= now_) return;
  pending_ += at - now_;
  now_ = at;
}

void StrandCompiler::flush_compute() {
  if (pending_ > 0) job_.builder.compute(Duration::picoseconds(pending_ * job_.unit));
  pending_ = 0;
}

// A flush after the last call counts: the published efficiencies of Extrae's traces include it.
void StrandCompiler::pause(const Step& step, bool calls_follow) {
  auto& f = job_.findings;
  const auto begin = std::max(step.begin, now_), end = std::max(std::min(step.end, thread_.until), begin);
  if (step.what == Step::kNoTracing) {
    ++f.gaps;
    f.gap_time += end - begin;
  } else if (calls_follow) {
    ++f.flushes;
    f.flush_time += end - begin;
  } else {
    ++f.late_flushes;
    f.late_flush_time += end - begin;
    return;
  }
  compute_until(begin);
  now_ = end;
}

void StrandCompiler::begin(const Step& step) {
  flush_compute();
  job_.builder.begin_call(job_.call_names[step.what]);
}

// ---- calls

bool StrandCompiler::call(const Step& step, const Step* next) {
  const auto& c = job_.trace.calls[step.what];
  switch (c.role) {
    case Role::local:
      return true;
    case Role::send:
      send(step, c);
      return true;
    case Role::receive:
      receive(step, c, next);
      return true;
    case Role::sendrecv:
      sendrecv(step);
      return true;
    case Role::start:
      start(step);
      return true;
    case Role::wait:
      wait(step);
      return true;
    case Role::noop:
      begin(step);
      job_.builder.noop();
      return true;
    case Role::collective:
      return collective(step, c);
    case Role::meeting:
    case Role::init:
      if (step.arguments != Step::kNoArguments) return collective(step, c);
      meeting(step, c);
      return true;
    case Role::one_sided:
      return fail(step, c, "is one-sided: the trace does not say what it moves, so it cannot be replayed",
                  Error::Kind::unsupported);
    case Role::unknown:
      ++job_.findings.unknown[c.name];
      return true;
  }
  return true;
}

void StrandCompiler::send(const Step& step, const Call& call) {
  begin(step);
  if (!next_send(step)) {
    ++job_.findings.without_message;
    return job_.builder.noop();
  }
  const auto& m = thread_.sends[send_++];
  const auto to = envelope(m.channel, false);
  if (call.nonblocking)  // no record says which call waits for it
    job_.builder.isend_and_forget(to, Bytes{m.bytes}, call.mode);
  else
    job_.builder.send(to, Bytes{m.bytes}, call.mode);
}

void StrandCompiler::receive(const Step& step, const Call& call, const Step* next) {
  begin(step);
  const bool found = call.nonblocking ? next_receive(step, step.end, std::nullopt, next)
                                      : next_receive(step, step.begin, step.end, nullptr);
  if (!found) {
    ++job_.findings.without_message;
    return job_.builder.noop();
  }
  const auto& m = thread_.receives[receive_++];
  if (!call.nonblocking) return job_.builder.recv(envelope(m.channel, true), Bytes{m.bytes});
  post(m);
  complete_until(step.end);
}

void StrandCompiler::sendrecv(const Step& step) {
  begin(step);
  const bool receives = next_receive(step, step.begin, step.end, nullptr), sends = next_send(step);
  if (!receives && !sends) {
    ++job_.findings.without_message;
    return job_.builder.noop();
  }
  auto& b = job_.builder;
  std::optional<std::uint32_t> received, sent;
  if (receives) {
    const auto& m = thread_.receives[receive_++];
    received = b.irecv(envelope(m.channel, true), Bytes{m.bytes});
  }
  if (sends) {
    const auto& m = thread_.sends[send_++];
    sent = b.isend(envelope(m.channel, false), Bytes{m.bytes});
  }
  if (sent) b.wait(*sent);
  if (received) b.wait(*received);
}

void StrandCompiler::start(const Step& step) {
  begin(step);
  const auto before = job_.builder.position();
  for (; receive_ < thread_.receives.size() && thread_.receives[receive_].posted <= step.end; ++receive_)
    post(thread_.receives[receive_]);
  for (; next_send(step); ++send_)
    job_.builder.isend_and_forget(envelope(thread_.sends[send_].channel, false),
                                  Bytes{thread_.sends[send_].bytes});
  if (job_.builder.position() == before) {
    ++job_.findings.without_message;
    job_.builder.noop();
  }
}

void StrandCompiler::wait(const Step& step) {
  begin(step);
  if (complete_until(step.end) > 0) return;
  if (started_.empty()) return job_.builder.noop();
  job_.builder.wait(started_.front());
  started_.pop_front();
}

bool StrandCompiler::collective(const Step& step, const Call& call) {
  CollectiveArgs args;
  args.kind = call.kind;
  std::uint64_t members = job_.builder.ranks();
  Arguments given;
  if (step.arguments == Step::kNoArguments)
    job_.findings.without_arguments += call.kind == CollectiveKind::barrier ? 0 : 1;
  else
    given = job_.trace.arguments[step.arguments];
  if (given.communicator != Arguments::kNoCommunicator) {
    const auto& c = job_.communicators.at(given.communicator);
    if (!std::binary_search(c.members.begin(), c.members.end(), thread_.task))
      return fail(step, call,
                  fmt::format("is on communicator {}, which the task is not in", given.communicator),
                  Error::Kind::bad_input);
    args.communicator = c.id;
    members = c.members.size();
  }
  const auto sizes = sizes_per_peer(call.kind, {given.sent, given.received, given.is_root}, members);
  args.is_root = sizes.is_root;
  args.send_bytes = sizes.sent;
  args.recv_bytes = sizes.received;
  begin(step);
  if (!call.nonblocking) {
    job_.builder.collective(args);
    return true;
  }
  args.sync = CollectiveArgs::Sync::nonblocking;
  started_.push_back(job_.builder.collective_start(args));
  return true;
}

// A collective call whose records have no communicator: only MPI_Init is certain to be of all ranks.
void StrandCompiler::meeting(const Step& step, const Call& call) {
  begin(step);
  if (call.role == Role::init && job_.trace.all_have_init() && !std::exchange(had_init_, true)) {
    CollectiveArgs args;
    args.kind = call.kind;
    return job_.builder.collective(args);
  }
  ++job_.findings.apart;
  job_.builder.noop();
}

// ---- messages

// Ends of messages that no call could have: they happen at their time, without anybody waiting for them.
void StrandCompiler::messages_before(std::int64_t at) {
  for (;;) {
    const bool sends = send_ < thread_.sends.size() && thread_.sends[send_].at < at;
    const bool receives = receive_ < thread_.receives.size() && thread_.receives[receive_].posted < at;
    if (!sends && !receives) return;
    const bool send_first =
        sends && (!receives || thread_.sends[send_].at <= thread_.receives[receive_].posted);
    compute_until(
        std::min(send_first ? thread_.sends[send_].at : thread_.receives[receive_].posted, thread_.until));
    flush_compute();
    job_.builder.begin_call(job_.call_names[job_.trace.calls.size() + (send_first ? 0 : 1)]);
    ++job_.findings.outside;
    if (send_first) {
      const auto& m = thread_.sends[send_++];
      job_.builder.isend_and_forget(envelope(m.channel, false), Bytes{m.bytes});
    } else {
      post(thread_.receives[receive_++]);
    }
  }
}

// Whether the next message leaves in this call. Where one call ends the next may begin.
bool StrandCompiler::next_send(const Step& step) {
  if (send_ == thread_.sends.size()) return false;
  const auto at = thread_.sends[send_].at;
  return at == step.begin || (at > step.begin && at < step.end);
}

// Puts the receive that was posted at `at` in front of the others, if there is one: of several that which is
// complete at `complete`, or that which is not of the call `not_for`, as one call may end where the next
// begins. If there is none, one that was posted inside the call.
bool StrandCompiler::next_receive(const Step& step, std::int64_t at, std::optional<std::int64_t> complete,
                                  const Step* not_for) {
  constexpr std::size_t kMostCandidates = 16;
  auto& all = thread_.receives;
  if (receive_ == all.size()) return false;
  if (const auto posted = all[receive_].posted; posted != at)
    return posted >= step.begin && posted < step.end;
  auto found = receive_;
  for (auto i = receive_; i < all.size() && i < receive_ + kMostCandidates && all[i].posted == at; ++i) {
    const bool fits = complete
                          ? all[i].complete == *complete
                          : not_for == nullptr || not_for->begin != at || all[i].complete != not_for->end;
    if (!fits) continue;
    found = i;
    break;
  }
  const auto place = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  std::rotate(place(receive_), place(found), place(found + 1));
  return true;
}

void StrandCompiler::post(const ReceiveEnd& r) {
  const auto slot = job_.builder.irecv(envelope(r.channel, true), Bytes{r.bytes});
  waiting_.push_back({r.complete, posted_++, slot});
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

// Waits for the receives that are complete by then. Returns their number.
std::size_t StrandCompiler::complete_until(std::int64_t at) {
  std::size_t n = 0;
  for (; !waiting_.empty() && waiting_.front().complete <= at; ++n) {
    job_.builder.wait(waiting_.front().slot);
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
  }
  return n;
}

Envelope StrandCompiler::envelope(std::uint32_t channel, bool receiving) const {
  const auto& c = job_.trace.channels[channel];
  Envelope e;
  e.peer = job_.trace.threads[receiving ? c.key.from : c.key.to].task;
  e.tag = c.key.tag;
  e.communicator = job_.orders[c.order];
  return e;
}

bool StrandCompiler::fail(const Step& step, const Call& call, std::string message, Error::Kind kind) {
  Error e;
  e.kind = kind;
  e.where = fmt::format("task {}", thread_.task + 1);
  e.message = fmt::format("the call {} at {} {}", call.name, step.begin, message);
  error_ = std::move(e);
  return false;
}

}  // namespace busline::paraver
