#include "workloads/paraver/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::paraver {
namespace {

constexpr std::int64_t kPartTag = 0x7fff'ffff;  // in timelines of Busline: of messages inside collectives

// A line is of the application whose members it can name: mergers number all lines with the first
// application.
CommunicatorTable communicators_that_fit(const Header& header, const Survey& survey,
                                         std::uint32_t application) {
  CommunicatorTable table;
  const auto fits = [&](const CommunicatorLine& c, std::size_t a) {
    const auto tasks = static_cast<std::int64_t>(header.applications[a].tasks.size());
    auto sorted = c.tasks;
    std::sort(sorted.begin(), sorted.end());
    return sorted.front() >= 1 && sorted.back() <= tasks &&
           std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  };
  for (const auto& c : survey.communicators) {
    const auto named = static_cast<std::size_t>(c.application - 1);
    if (!fits(c, application) || (named != application && fits(c, named))) continue;
    auto& members = table.members[c.number];
    if (!members.empty()) continue;
    for (const auto task : c.tasks) members.push_back(static_cast<std::uint32_t>(task - 1));
  }
  return table;
}

class TraceSink {
 public:
  TraceSink(Trace& trace, const Header& header, const Survey& survey, std::uint32_t application)
      : trace_(trace), survey_(survey), application_(application) {
    const auto& tasks = header.applications[application].tasks;
    first_thread_ = tasks.front().first_thread;
    const auto threads = tasks.back().first_thread + tasks.back().threads - first_thread_;
    numbers_.assign(threads, kLeftOut);
    for (std::uint32_t t = 0; t < tasks.size(); ++t) add_threads(t, tasks[t]);
    open_.resize(trace.threads.size());
  }
  void read_by(RecordReader<TraceSink>& reader) { reader_ = &reader; }

  bool state(const StateRecord& r) {
    const auto number = number_of(r.place);
    if (number != kLeftOut && r.state == kTracingOff)
      trace_.threads[number].steps.push_back({r.begin, r.end, Step::kNoTracing});
    return true;
  }

  bool events(const Place& place, std::int64_t at, const EventPair* pairs, std::size_t n) {
    const auto number = number_of(place);
    if (number == kLeftOut) return true;
    auto& open = open_[number];
    Arguments early;  // stand before their call in the line
    for (std::size_t i = 0; i < n; ++i) {
      const auto [type, value] = pairs[i];
      if (is_mpi(type)) {
        if (value == 0) {
          end_call(number, type, at);
        } else {
          if (begin_call(number, type, value, at)) open.arguments = std::exchange(early, {});
        }
      } else if (type >= kSentBytes && type <= kCommunicator) {
        keep(open.depth > 0 ? open.arguments : early, type, value);
      } else if (is_user_event(type)) {
        trace_.threads[number].steps.push_back(
            {at, value, Step::kUserEvent, static_cast<std::uint32_t>(type)});
        constexpr std::size_t kMostLabels = 100'000;
        if (trace_.user_events.size() < kMostLabels)
          trace_.user_events.emplace(static_cast<std::uint32_t>(type), value);
      } else if (type == kFlush) {
        pause(number, Step::kFlush, open.flush, value != 0, at);
      } else if (type == kTracing) {
        pause(number, Step::kNoTracing, open.no_tracing, value == 0, at);
      }
    }
    return true;
  }

  bool message(const MessageRecord& r) {
    if (r.sender.application != application_ || r.receiver.application != application_) return true;
    if (survey_.ends_only && r.tag == kPartTag) {
      ++trace_.parts;
      return true;
    }
    const auto from = number_of(r.sender), to = number_of(r.receiver);
    const auto channel = trace_.channels.of({from, to, static_cast<std::int32_t>(r.tag)}, r.logical_receive);
    const auto bytes = static_cast<std::uint64_t>(r.bytes);
    trace_.threads[from].sends.push_back({r.logical_send, bytes, channel});
    trace_.threads[to].receives.push_back({r.logical_receive, r.physical_receive, bytes, channel});
    return true;
  }

  bool communicator(const CommunicatorLine&) { return true; }

  // Calls that the trace's end cut are left out.
  std::optional<Error> finish(const std::string& path) {
    for (std::uint32_t i = 0; i < open_.size(); ++i) {
      const auto& open = open_[i];
      if (open.depth == 0) continue;
      auto& thread = trace_.threads[i];
      auto& step = thread.steps[open.step];
      if (open.inner > 0) {
        auto e =
            file_error(Error::Kind::bad_input, path,
                       fmt::format("the call {} that begins at {} has no end, but {} inside it",
                                   trace_.calls[step.what].name, step.begin,
                                   counted(open.inner, "call") + (open.inner == 1 ? " begins" : " begin")));
        e.where = fmt::format("task {}", thread.task + 1);
        return e;
      }
      ++trace_.ends_lost;
      step.what = Step::kNotClosed;
      thread.until = std::min(thread.until, step.begin);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kLeftOut = 0xffff'ffff;
  struct Open {
    std::uint32_t depth = 0;  // 0: no call
    std::int64_t type = 0;    // of the call's events
    std::uint64_t inner = 0;  // calls that began inside it
    std::size_t step = 0;
    Arguments arguments;
    std::optional<std::size_t> flush, no_tracing;  // steps
  };

  // Threads with MPI calls are strands; without any, the first one stands for its task.
  void add_threads(std::uint32_t number, const Task& task) {
    const auto* const surveys = &survey_.threads[task.first_thread];
    const auto add = [&](std::uint64_t thread) {
      numbers_[task.first_thread + thread - first_thread_] =
          static_cast<std::uint32_t>(trace_.threads.size());
      ThreadTrace t;
      t.task = number;
      t.until = surveys[thread].until;
      t.steps.reserve(surveys[thread].steps);
      t.sends.reserve(surveys[thread].sends);
      t.receives.reserve(surveys[thread].receives);
      trace_.threads.push_back(std::move(t));
    };
    bool any = false;
    for (std::uint64_t thread = 0; thread < task.threads; ++thread) {
      if (!surveys[thread].has_mpi) continue;
      any = true;
      add(thread);
    }
    if (!any) add(0);
  }

  std::uint32_t number_of(const Place& place) const {
    return place.application == application_ ? numbers_[place.index - first_thread_] : kLeftOut;
  }

  static void keep(Arguments& of, std::int64_t type, std::int64_t value) {
    const auto bytes = static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, 0, dim::kMostBytes));
    switch (type) {
      case kSentBytes:
        of.sent = bytes;
        break;
      case kReceivedBytes:
        of.received = bytes;
        break;
      case kRoot:
        of.is_root = value == 1;
        break;
      default:
        of.communicator = value < 0 ? Arguments::kNoCommunicator : value;
    }
  }

  // Of calls inside a call, the outer one counts. Returns whether this is an outer one.
  bool begin_call(std::uint32_t number, std::int64_t type, std::int64_t value, std::int64_t at) {
    auto& open = open_[number];
    if (open.depth > 0) {
      ++open.inner;
      ++trace_.nested;
      if (type == open.type) ++open.depth;
      return false;
    }
    auto& steps = trace_.threads[number].steps;
    open.depth = 1;
    open.inner = 0;
    open.type = type;
    open.step = steps.size();
    steps.push_back({at, at, trace_.calls.index_of(type, value)});
    return true;
  }

  void end_call(std::uint32_t number, std::int64_t type, std::int64_t at) {
    auto& open = open_[number];
    if (open.depth == 0) {
      ++trace_.begins_lost;
      return;
    }
    if (type != open.type || --open.depth > 0) return;
    auto& thread = trace_.threads[number];
    auto& step = thread.steps[open.step];
    step.end = at;
    const auto& call = trace_.calls[step.what];
    const auto a = std::exchange(open.arguments, {});
    const bool defined = trace_.communicators.members.contains(a.communicator);
    if (a != Arguments{}) {
      step.arguments = number_of(a);
      if (!defined && a.communicator != Arguments::kNoCommunicator)
        trace_.communicators.undefined[a.communicator].insert(thread.task);
    }
    if (call.role == Role::init) trace_.has_init[thread.task] = true;
  }

  std::uint32_t number_of(const Arguments& a) {
    const auto [at, fresh] =
        argument_numbers_.emplace(a, static_cast<std::uint32_t>(trace_.arguments.size()));
    if (fresh) trace_.arguments.push_back(a);
    return at->second;
  }

  void pause(std::uint32_t number, std::uint32_t what, std::optional<std::size_t>& open, bool begins,
             std::int64_t at) {
    auto& thread = trace_.threads[number];
    if (begins && !open) {
      open = thread.steps.size();
      thread.steps.push_back({at, thread.until, what});  // to the thread's end unless it ends before
    } else if (!begins && open) {
      thread.steps[*open].end = at;
      open.reset();
    }
  }

  Trace& trace_;
  const Survey& survey_;
  std::uint32_t application_;
  std::uint64_t first_thread_ = 0;
  std::vector<std::uint32_t> numbers_;  // by thread of the application
  std::vector<Open> open_;              // by number
  std::map<Arguments, std::uint32_t> argument_numbers_;
  RecordReader<TraceSink>* reader_ = nullptr;
};

}  // namespace

Expected<Trace> collect(std::string_view text, const std::string& path, const Header& header,
                        const Survey& survey, std::uint32_t application, const Names& names) {
  Trace trace(names, static_cast<std::uint32_t>(header.applications[application].tasks.size()));
  trace.communicators = communicators_that_fit(header, survey, application);
  TraceSink sink(trace, header, survey, application);
  RecordReader<TraceSink> reader(text, path, header, sink);
  sink.read_by(reader);
  if (!reader.read()) return tl::unexpected(*reader.error());
  if (auto problem = sink.finish(path)) return tl::unexpected(*std::move(problem));
  return trace;
}

}  // namespace busline::paraver
