#include "studies/timeline/paraver_codes.hpp"

namespace busline::timeline {

ParaverState paraver_state(State s) {
  switch (s) {
    case State::ended:
      return {0, "Idle", "{117,195,255}"};
    case State::compute:
      return {1, "Running", "{0,0,255}"};
    case State::in_receive:
      return {3, "Waiting a message", "{255,0,0}"};
    case State::in_send:
      return {4, "Blocking Send", "{255,0,174}"};
    case State::for_members:
      return {5, "Synchronization", "{179,0,0}"};
    case State::for_cpu:
      return {7, "Scheduling and Fork/Join", "{255,255,0}"};
    case State::in_wait:
      return {8, "Wait/WaitAll", "{235,0,0}"};
    case State::file_access:
      return {12, "I/O", "{255,0,96}"};
    case State::collective:
      return {13, "Group Communication", "{255,144,26}"};
    case State::latency:
      return {18, "Startup Latency", "{95,200,0}"};
  }
  return {};
}

ParaverCall paraver_call(std::string_view name, std::uint32_t index) {
  const auto* const code = paraver::find_mpi_code(name);
  if (code != nullptr) return {code->type, code->value};
  return {kOther.type, kOtherCalls + index};
}

}  // namespace busline::timeline
