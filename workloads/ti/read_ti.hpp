// Reads time-independent traces of SimGrid's SMPI (format as of SimGrid 3.32): a call a line, "RANK VERB
// ARGUMENTS"; sizes in elements, bursts in floating-point operations. docs/reference/simgrid.md has the
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
  /// Added to the size of every message, and of what a collective moves: SMPI's replay sends 16 bytes of its
  /// own with each.
  std::uint64_t extra_bytes = 0;
  /// Messages below this size leave when they are received, and their senders do not wait for that: what
  /// SMPI's replay calls detached. 0: the platform's eager limit alone decides.
  std::uint64_t detached_below = 0;
  bool operator==(const TiOptions&) const = default;
};

/// The Program of the ranks whose files these are, in rank order; or of one file with the lines of all ranks.
/// What takes no time in SMPI's replay (init, finalize, test, location, what makes communicators) is left
/// out: the format has no communicators but that of all ranks. An Error of kind unsupported for verbs and
/// datatypes that SMPI's replay does not know either, of kind bad_input with file and line for what is not
/// such a trace; a wait without a request is bad input, too.
Expected<Program> read_ti(const std::vector<std::string>& files, const TiOptions& options = {});

/// A file with these first bytes is one of a time-independent trace: it begins with a rank and a verb.
bool looks_like_ti(std::string_view head);

/// The files of the trace that `path` names, for read_ti: a file of one or all ranks; a list of files as
/// SMPI's replay takes it, a path a line as seen from the list's folder or from where the program runs; or a
/// folder with such a list, or with the ranks' files. None if it is none of these. Cost: reads the beginnings
/// of all files.
std::vector<std::string> ti_files(const std::string& path);

}  // namespace busline
