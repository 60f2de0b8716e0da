// Reads time-independent traces of SimGrid's SMPI (format as of SimGrid 3.32): one call per line, "RANK VERB
// ARGUMENTS"; sizes in elements, bursts in floating-point operations. docs/reference/simgrid.md lists the
// verbs.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct TiOptions {
  double flops_per_second = 1e9;  ///< of the traced machine; > 0
  /// Added to the size of every message and of the data of a collective: SMPI's replay sends 16 extra bytes
  /// with each.
  std::uint64_t extra_bytes = 0;
  /// Messages below this size leave when they are received, without their senders waiting: detached, in terms
  /// of SMPI's replay. 0: the platform's eager limit alone decides.
  std::uint64_t detached_below = 0;
  bool operator==(const TiOptions&) const = default;
};

/// The Program of the ranks with these files, in rank order; or of one file with the lines of all ranks.
/// Calls without time in SMPI's replay (init, finalize, test, location, those that make communicators) are
/// left out: the format has only the communicator of all ranks. An Error of kind unsupported for verbs and
/// datatypes that SMPI's replay does not know either, of kind bad_input with file and line if the file is not
/// such a trace or a wait has no request.
Expected<Program> read_ti(const std::vector<std::string>& files, const TiOptions& options = {});

/// Whether a file with these first bytes belongs to a time-independent trace: it begins with a rank and a
/// verb.
bool looks_like_ti(std::string_view head);

/// The files of the trace that `path` names, for read_ti: a file of one or all ranks; a list of files as for
/// SMPI's replay, one path per line relative to the list's folder or to the current folder; or a folder with
/// such a list, or with the ranks' files. None if it is none of these. Cost: reads the beginnings of all
/// files.
std::vector<std::string> ti_files(const std::string& path);

}  // namespace busline
