// Notices about an archive, counted while it is read and reported once at the end.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::otf2 {

struct Notices {
  using Calls = std::map<std::string, std::uint64_t>;  ///< by name
  Calls collectives;                                   ///< left no record of what they move
  Calls nonblocking;  ///< non-blocking collectives of which no start is known
  Calls messages;     ///< calls that send or receive, without a record of it
  Calls on_files;     ///< take no time
  Calls not_simulated;
  Calls guessed;    ///< made communicators and left no record: taken for collectives of all ranks
  Calls left_out;   ///< the same, but not all ranks make them alike
  Calls locations;  ///< that are not ranks, by name
  std::uint64_t metric_records = 0;
  std::string metric_names;
  std::uint64_t negative_gaps = 0;        ///< an event is earlier than the one before
  std::uint64_t repaired_receives = 0;    ///< started while recording was off: taken for blocking ones
  std::uint64_t unknown_sends = 0;        ///< completed, started while recording was off
  std::uint64_t unfinished_receives = 0;  ///< of Busline's timelines
  std::uint64_t open_transfers = 0;       ///< one-sided, which no record completes
  Duration off, flush;                    ///< sums over the ranks
  std::set<std::uint32_t> ranks_off;      ///< while recording was off
  std::string creator;                    ///< unknown

  std::uint64_t restored_receives = 0;  ///< completed without a record, and got the messages that were left
  std::uint64_t chosen_receives = 0;    ///< of these, where several sources had sent
  std::uint64_t null_receives = 0;      ///< the same, without a message for them
  std::uint64_t moved_receives = 0;     ///< recorded on the world, taken for those of another communicator

  /// Adds what was counted elsewhere.
  void add(const Notices& other);
  /// Adds a Diagnostic for each kind of notice that occurred. `path`: the anchor file.
  void tell(const std::string& path, Diagnostics& diagnostics) const;
};

}  // namespace busline::otf2
