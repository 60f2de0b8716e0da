#include "workloads/paraver/ends_of_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>

namespace busline::paraver {

void move_to_calls(ThreadTrace& thread, const CallTable& calls) {
  auto send = thread.sends.begin();
  auto& receives = thread.receives;
  std::stable_sort(receives.begin(), receives.end(),
                   [](const ReceiveEnd& a, const ReceiveEnd& b) { return a.posted < b.posted; });
  auto receive = receives.begin();
  std::deque<std::int64_t> requests;  // ends of the calls that began them
  const Step* last_start = nullptr;

  const auto take_send = [&](const Step& step) {
    while (send != thread.sends.end() && send->at < step.begin) ++send;
    if (send == thread.sends.end() || send->at > step.end) return false;
    send++->at = step.begin;
    return true;
  };
  const auto next_receive = [&](const Step& step) {
    while (receive != receives.end() && receive->posted < step.begin) {
      receive->complete = receive->posted;  // outside of calls
      ++receive;
    }
    return receive != receives.end() && receive->posted <= step.end;
  };
  for (const auto& step : thread.steps) {
    if (!step.is_call()) continue;
    const auto& call = calls[step.what];
    const bool receives_one =
        call.role == Role::sendrecv || (call.role == Role::receive && !call.nonblocking);
    if (call.role == Role::send || call.role == Role::sendrecv) take_send(step);
    if (receives_one && next_receive(step)) {
      receive->posted = step.begin;
      receive->complete = step.end;
      ++receive;
    }
    if (call.role == Role::receive && call.nonblocking) requests.push_back(step.end);
    if (call.role == Role::start) {
      last_start = &step;
      while (take_send(step)) {
      }
    }
    if (call.role != Role::wait) continue;
    for (; next_receive(step); ++receive) {
      receive->complete = step.end;
      if (!requests.empty()) {
        receive->posted = requests.front();
        requests.pop_front();
      } else if (last_start != nullptr) {
        receive->posted = last_start->end;
      }
    }
  }
}

}  // namespace busline::paraver
