// Reads time-independent traces of SimGrid's SMPI (format as of SimGrid 3.32): a text file for each rank, a
// call a line, "RANK VERB ARGUMENTS"; sizes in elements, bursts in floating-point operations.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/error.hpp"
#include "sim/program.hpp"

namespace busline {

struct TiOptions {
  double flops_per_second = 1e9;  ///< of the traced machine; > 0
  /// Added to the size of every message: SMPI's replay sends 16 bytes of its own with each.
  std::uint64_t extra_bytes = 0;
  /// Messages below this size leave when they are received, and their senders do not wait for that: what
  /// SMPI's replay calls detached. 0: the platform's eager limit alone decides.
  std::uint64_t detached_below = 0;
};

/// The Program of the ranks whose files these are, in rank order. Knows point-to-point calls, barrier,
/// compute and sleep; what takes no time in SMPI's replay (init, finalize, test, comm_size, location) is left
/// out. An Error of kind unsupported for other verbs, of kind bad_input with file and line for what is not
/// such a trace; a wait without a request is bad input, too.
Expected<Program> read_ti(const std::vector<std::string>& files, const TiOptions& options = {});

}  // namespace busline
