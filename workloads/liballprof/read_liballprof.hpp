// Reads traces of liballprof, LogGOPSim's tracer: a text file for each rank, a line for each MPI call
// (docs/reference/liballprof.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct LiballprofOptions {
  /// The library that was traced: which negative rank means any source, and how long a request of C is.
  enum class Library : std::uint8_t { unknown, mpich, open_mpi };
  Library library = Library::unknown;
  bool operator==(const LiballprofOptions&) const = default;
};

/// The Program of the ranks with these files, in rank order. An Error of kind bad_input with file and line if
/// one is no such trace or is cut; of kind unsupported for what the trace does not record: members of smaller
/// communicators, and what completed in Waitany, Waitsome or Test.
Expected<Program> read_liballprof(const std::vector<std::string>& files, const LiballprofOptions& options,
                                  Diagnostics& diagnostics);

/// Whether a file with these first bytes is the trace of a rank.
bool looks_like_liballprof(std::string_view head);

/// The files of the trace that `path` names, by rank: a folder with such files, or one of these, whose names
/// differ in the rank at their end alone. None if it is neither. A missing rank ends the list.
std::vector<std::string> liballprof_files(const std::string& path);

}  // namespace busline
