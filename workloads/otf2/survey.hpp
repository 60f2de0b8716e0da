// The first pass over a location's events: checks the records, and looks ahead for what the records of
// non-blocking receives do not tell.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/otf2/cursor.hpp"
#include "workloads/otf2/local_definitions.hpp"
#include "workloads/otf2/regions.hpp"

namespace busline::otf2 {

/// How the records of messages begin.
struct MessageFields {
  std::uint32_t peer = 0;  ///< rank in the communicator
  std::uint32_t comm = 0;  ///< id in the location's records
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
};
inline MessageFields message_fields(Cursor& c) {
  MessageFields f;
  f.peer = c.number32();
  f.comm = c.number32();
  f.tag = c.number32();
  f.bytes = c.number();
  return f;
}

/// The record of a collective; of a non-blocking one what its completion says.
struct CollectiveFields {
  std::uint8_t operation = 0;  ///< OTF2_CollectiveOp
  std::uint32_t comm = 0;      ///< id in the location's records
  std::uint32_t root = 0;
  std::uint64_t sent = 0, received = 0;  ///< bytes, as the writer means them
};
inline CollectiveFields collective_fields(Cursor& c) {
  CollectiveFields f;
  f.operation = c.byte();
  f.comm = c.number32();
  f.root = c.number32();
  f.sent = c.number();
  f.received = c.number();
  return f;
}

/// How a non-blocking receive ended.
struct Fate {
  /// Of an unknown one, `message.bytes` is the place of its record in the file.
  enum class Kind : std::uint32_t { unknown, received, cancelled };
  MessageFields message;
  Kind kind = Kind::unknown;
};

struct Survey {
  std::uint64_t events = 0;
  std::uint64_t operations = 0;  ///< about as many will be made of the events
  std::uint64_t metrics = 0;     ///< records of metrics
  std::vector<Fate> fates;       ///< of the location's MPI_IRECV_REQUEST records, in order
  /// Of the location's NON_BLOCKING_COLLECTIVE_REQUEST records, in order; nothing if no record completes one.
  std::vector<std::optional<CollectiveFields>> started_collectives;
  std::uint64_t unknown_fates = 0;
  std::size_t first_unknown = 0;  ///< place of the first of these in the file
  std::uint64_t isends = 0, isend_completions = 0;
  bool has_init = false, has_finalize = false;
  bool was_off = false;                                   ///< recording was switched off at times
  std::optional<std::size_t> first_of_mpi, first_sample;  ///< places of such records
};

/// Reads all events of a file. `path` is for errors only. An Error if the file is damaged. Memory is
/// proportional to the receives and the non-blocking collectives.
Expected<Survey> survey_events(std::string_view file, std::uint64_t chunk_size, const std::string& path,
                               LocalIndex& regions, const std::vector<Region>& table);

}  // namespace busline::otf2
