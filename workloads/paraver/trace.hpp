// The second pass over a Paraver trace: keeps the calls and messages of one application, by thread.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/paraver/call_table.hpp"
#include "workloads/paraver/channels.hpp"
#include "workloads/paraver/collective_sizes.hpp"
#include "workloads/paraver/prv_header.hpp"
#include "workloads/paraver/survey.hpp"
#include "workloads/paraver/thread_trace.hpp"

namespace busline::paraver {

/// What stands beside the begin of a collective.
struct Arguments {
  static constexpr std::int64_t kNoCommunicator = -1;
  std::int64_t communicator = kNoCommunicator;
  std::uint64_t sent = 0, received = 0;
  bool is_root = false;
  auto operator<=>(const Arguments&) const = default;
};

/// An application's communicators: those with lines that fit it, then those that only its calls name.
struct CommunicatorTable {
  std::map<std::int64_t, std::vector<std::uint32_t>> members;  ///< by number; tasks in rank order
  std::map<std::int64_t, std::set<std::uint32_t>> undefined;   ///< by number: the tasks that use it
};

struct Trace {
  Trace(const Names& names, std::uint32_t tasks) : calls(names), has_init(tasks) {}
  bool all_have_init() const { return std::find(has_init.begin(), has_init.end(), false) == has_init.end(); }

  std::vector<ThreadTrace> threads;  ///< that become strands, by task
  CallTable calls;
  std::vector<Arguments> arguments;
  Channels channels;
  CommunicatorTable communicators;
  std::vector<bool> has_init;                                    ///< by task: the first MPI_Init is recorded
  std::set<std::pair<std::uint32_t, std::int64_t>> user_events;  ///< that occur: type, value
  std::uint64_t begins_lost = 0, ends_lost = 0;                  ///< of calls
  std::uint64_t nested = 0;                                      ///< calls inside calls, left out
  std::uint64_t parts = 0;                                       ///< messages inside collectives, left out
};

/// `text` is as far as it was surveyed without an error. Errors: calls inside a call that has no end.
Expected<Trace> collect(std::string_view text, const std::string& path, const Header& header,
                        const Survey& survey, std::uint32_t application, const Names& names);

}  // namespace busline::paraver
