// What a Paraver trace has of one thread, in compact form: 24 bytes for each call, 56 for each message.
#pragma once
#include <cstdint>
#include <vector>

namespace busline::paraver {

/// A call, or something between calls. Times are in units of the trace.
struct Step {
  // Values of `what` that are no calls.
  static constexpr std::uint32_t kUserEvent = 0xffff'ffff;  ///< at `begin`; arguments: type, end: value
  static constexpr std::uint32_t kFlush = 0xffff'fffe;      ///< the tracer writes its buffer
  static constexpr std::uint32_t kNoTracing = 0xffff'fffd;  ///< calls are not recorded
  static constexpr std::uint32_t kNotClosed = 0xffff'fffc;  ///< a call that the trace's end cut
  static constexpr std::uint32_t kNoArguments = 0xffff'ffff;

  std::int64_t begin = 0, end = 0;
  std::uint32_t what = 0;  ///< index of a call (CallTable)
  std::uint32_t arguments = kNoArguments;

  bool is_call() const { return what < kNotClosed; }
};

struct SendEnd {
  std::int64_t at = 0;  ///< logical send
  std::uint64_t bytes = 0;
  std::uint32_t channel = 0;  ///< index (Channels)
};

struct ReceiveEnd {
  std::int64_t posted = 0;    ///< logical receive
  std::int64_t complete = 0;  ///< physical receive
  std::uint64_t bytes = 0;
  std::uint32_t channel = 0;
};

struct ThreadTrace {
  std::uint32_t task = 0;
  std::int64_t until = 0;  ///< the thread's end
  std::vector<Step> steps;
  std::vector<SendEnd> sends;        ///< by time
  std::vector<ReceiveEnd> receives;  ///< in the order of the file
};

}  // namespace busline::paraver
