#include "workloads/paraver/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/paraver/names.hpp"

namespace busline::paraver {
namespace {

class SurveySink {
 public:
  SurveySink(const Header& header, Survey& survey) : survey_(survey) {
    survey_.threads.resize(header.threads);
    survey_.uses_mpi.resize(header.applications.size());
    survey_.to_another.resize(header.applications.size());
  }
  void read_by(RecordReader<SurveySink>& reader) { reader_ = &reader; }

  bool state(const StateRecord& r) {
    ++survey_.states;
    auto& t = thread(r.place);
    if (r.state == kTracingOff) ++t.steps;
    if (r.state == kRunning && r.end > r.begin) t.running = saturated_sum(t.running, r.end - r.begin);
    if (r.state != kIdle && r.state != kNotCreated) t.until = std::max(t.until, r.end);
    return true;
  }

  bool events(const Place& place, std::int64_t at, const EventPair* pairs, std::size_t n) {
    ++survey_.events;
    auto& t = thread(place);
    if (at < t.last_event)
      return reader_->fail(
          fmt::format("the time is {}, but the thread's last event was at {}", at, t.last_event),
          "Paraver's records are ordered by time: sort the trace");
    t.last_event = at;
    t.until = std::max(t.until, at);
    for (std::size_t i = 0; i < n; ++i) {
      const auto [type, value] = pairs[i];
      if (is_mpi(type)) {
        t.has_mpi = true;
        survey_.uses_mpi[place.application] = true;
        if (value != 0) ++t.steps;
      } else if (is_user_event(type) || (type == kFlush && value != 0) || (type == kTracing && value == 0)) {
        ++t.steps;
      } else if (type == kTracingMode && value == 2) {
        ++survey_.bursts_only;
      }
    }
    return true;
  }

  bool message(const MessageRecord& r) {
    ++survey_.messages;
    auto& from = thread(r.sender);
    auto& to = thread(r.receiver);
    if (r.logical_send < from.last_send)
      return reader_->fail(fmt::format("the logical send is {}, but the thread's last message left at {}",
                                       r.logical_send, from.last_send),
                           "Paraver's records are ordered by time: sort the trace");
    from.last_send = r.logical_send;
    if (r.sender.application != r.receiver.application)
      for (const auto application : {r.sender.application, r.receiver.application})
        if (!survey_.to_another[application]) survey_.to_another[application] = reader_->line_number();
    ++from.sends;
    ++to.receives;
    from.has_mpi = to.has_mpi = true;
    from.until = std::max(from.until, r.logical_send);
    to.until = std::max(to.until, std::min(r.logical_receive, r.physical_receive));
    survey_.uses_mpi[r.sender.application] = survey_.uses_mpi[r.receiver.application] = true;
    if (r.physical_receive > r.logical_receive) survey_.ends_only = false;
    return true;
  }

  bool communicator(const CommunicatorLine& c) {
    survey_.communicators.push_back(c);
    return true;
  }

 private:
  ThreadSurvey& thread(const Place& place) {
    auto& t = survey_.threads[place.index];
    t.has_records = true;
    return t;
  }

  Survey& survey_;
  RecordReader<SurveySink>* reader_ = nullptr;
};

Error without_end(std::string_view text, const std::string& path, std::uint64_t lines) {
  Error e;
  e.path = path;
  e.line = text.find('\n') == std::string_view::npos ? 1 : lines + 1;
  e.column = 1;
  e.message = "the line has no end, so its last number may be incomplete";
  e.hint = "the file is probably truncated: copy it again, or use what is there with --salvage";
  return e;
}

}  // namespace

Expected<Survey> survey(std::string_view text, const std::string& path, const Header& header, bool salvage) {
  Survey s;
  SurveySink sink(header, s);
  RecordReader<SurveySink> reader(text, path, header, sink);
  sink.read_by(reader);
  std::optional<Error> problem;
  if (!reader.read())
    problem = reader.error();
  else if (!text.ends_with('\n'))
    problem = without_end(text, path, reader.line_number());
  s.bytes = reader.read_bytes();
  if (problem && !salvage) return tl::unexpected(*std::move(problem));
  s.stopped_before = std::move(problem);
  return s;
}

}  // namespace busline::paraver
