// The first line of a Paraver trace (docs/reference/paraver.md):
//   #Paraver (DATE at TIME):END[_ns]:NODES[(CPUS,...)]:APPLICATIONS:APPLICATION[:APPLICATION...]
//   APPLICATION = TASKS(THREADS:NODE,...)[,COMMUNICATORS]
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::paraver {

inline constexpr std::string_view kMagic = "#Paraver ";

struct Task {
  std::uint64_t threads = 1;
  std::uint64_t first_thread = 0;  ///< its number among the threads of all tasks
};

struct Application {
  std::vector<Task> tasks;
};

struct Header {
  std::string date;               ///< "09/10/2019 at 16:10"
  std::int64_t end = 0;           ///< in units
  std::int64_t unit = 1'000'000;  ///< ps: that of a microsecond, or of a nanosecond
  std::string nodes;              ///< "2(4,4)": nodes with their CPUs
  std::vector<Application> applications;
  std::uint64_t threads = 0;  ///< of all
};

/// Reads the line, without its end. `path` is for errors, which are at line 1. `most_threads`: more are
/// rejected, since tables of them are made.
Expected<Header> read_header(std::string_view line, const std::string& path, std::uint64_t most_threads);

}  // namespace busline::paraver
