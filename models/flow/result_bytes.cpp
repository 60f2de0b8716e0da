#include "models/flow/result_bytes.hpp"

#include "sim/base/field_bytes.hpp"

namespace busline {

template <class A>
void pass_fields(A& a, RankTimes& t) {
  a(t.compute, t.latency, t.wait, t.collective_wait, t.collective, t.cpu_wait);
}
template <class A>
void pass_fields(A& a, RankResult& r) {
  a(r.node, r.end, r.times, r.link_wait, r.bus_wait, r.messages_sent, r.bytes_sent, r.collective_messages,
    r.collective_bytes);
}
template <class A>
void pass_fields(A& a, ResourceResult& r) {
  a(r.id.kind, r.id.owner, r.id.port, r.capacity, r.busy, r.wait, r.messages, r.peak_queue, r.label);
}
template <class A>
void pass_fields(A& a, BlockedRank& b) {
  a(b.rank, b.call_number, b.call, b.waits_for);
}
template <class A>
void pass_fields(A& a, RegionResult& r) {
  a(r.run_time, r.ranks, r.call_times);
}
template <class A>
void pass_fields(A& a, BelowLinkBound& b) {
  a(b.kind, b.calls, b.below, b.time, b.least);
}
template <class A>
void pass_fields(A& a, Result& r) {
  a(r.status, r.run_time, r.operations, r.events, r.messages, r.bytes, r.collective_messages,
    r.collective_bytes, r.ranks, r.resources, r.blocked, r.region, r.marks, r.below_link_bound);
}
template <class A>
void pass_fields(A& a, Error& e) {
  a(e.kind, e.path, e.offset, e.line, e.column, e.where, e.message, e.hint);
}

std::string to_bytes(const Expected<Result>& result) {
  FieldWriter writer;
  auto copy = result;  // the reader may change the fields
  bool there = copy.has_value();
  writer(there);
  if (there)
    writer(*copy);
  else
    writer(copy.error());
  return std::move(writer.bytes);
}

Expected<Result> from_bytes(std::string_view bytes) {
  FieldReader reader(bytes);
  bool there = false;
  Result result;
  Error error;
  reader(there);
  if (there)
    reader(result);
  else
    reader(error);
  if (!reader.good()) {
    error = {};
    error.kind = Error::Kind::unsupported;
    error.message = "a result was cut on its way between two processes";
  } else if (there) {
    return result;
  }
  return tl::unexpected(std::move(error));
}

}  // namespace busline
