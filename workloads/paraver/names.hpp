// The names in the files beside a Paraver trace: .pcf (event types, their values) and .row (rows). Both are
// optional and only for readers, so nothing in them is an error.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace busline::paraver {

struct Names {
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> values;  ///< of MPI calls and user events
  std::vector<std::string> threads;                                     ///< rows of level THREAD
};

/// Whether events of this type are part of the Program: what a user or the instrumentation of functions
/// marked, not counters, callers, and the states of runtimes and of the tracer itself.
bool is_user_event(std::int64_t type);

/// Keeps the values of MPI calls and user events. Labels lose control characters.
void read_pcf(std::string_view text, Names& names);
void read_row(std::string_view text, Names& names);

}  // namespace busline::paraver
