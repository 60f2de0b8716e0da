// A rank's part of a Program as MPI calls, prepared before any timing. Independent of MPI, so it can be
// tested without; measuring/mpi/executor.hpp executes it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "sim/program/program_builder.hpp"

namespace busline::mpi {

struct Call {
  enum class Kind : std::uint8_t {
    send,
    isend,
    recv,
    irecv,
    wait,              ///< for `slot`
    wait_all,          ///< for slots first .. first + count of CallList::waited
    sendrecv,          ///< sends to `peer`, receives from `other`
    iprobe,            ///< again and again until there is a message
    collective,        ///< CallList::collectives[first]
    collective_start,  ///< the same, without waiting; its request is `slot`
    mark,              ///< `first`: the label
    work,              ///< `bytes`: nanoseconds of it
    local,             ///< `first`: a LocalCall; `bytes` are copied
    answer,            ///< a send to where the last open receive came from
    repeat,            ///< goes back `count` calls, `bytes` times at most, unless that receive had tag `tag`
  };
  Kind kind = Kind::mark;
  SendMode mode = SendMode::standard;
  bool waits = true;                 ///< of an answer: it blocks
  bool replace = false;              ///< of a sendrecv
  bool starts_a_sample = false;      ///< of a barrier: a sample's first mark is next
  std::int32_t peer = 0, other = 0;  ///< ranks in the communicator; kAny: any source
  std::int32_t tag = 0;              ///< kAny: any
  std::uint32_t communicator = 0;    ///< of the Program
  std::uint64_t bytes = 0;
  std::uint32_t slot = 0, first = 0, count = 0;
};
inline constexpr std::int32_t kAny = -1;

/// Calls that concern one rank alone, by name.
enum class LocalCall : std::uint8_t { wtime, comm_rank, comm_size, iprobe, buffer_attach, memory_copy };

struct CallList {
  std::vector<Call> calls;
  std::vector<std::uint32_t> waited;  ///< slots of wait_all
  std::vector<CollectiveArgs> collectives;
  std::vector<std::uint64_t> slot_bytes;  ///< by slot: the largest message received into it
  std::uint64_t message_bytes = 0;        ///< the largest message that is sent or received without a slot
  std::uint64_t collective_bytes = 0;     ///< the most that a collective sends or receives on a rank
  std::uint64_t copied_bytes = 0;         ///< the largest copy in memory
  std::uint64_t buffered_bytes = 0;       ///< of buffered sends, all together
  std::uint32_t buffered_sends = 0;
  bool has_open_receives = false;
};

/// Errors (unsupported): operations that no benchmark has (one-sided transfers, events, non-blocking
/// collectives other than those of kernels, roots other than a communicator's first rank), messages of 2 GiB
/// or more, several strands.
Expected<CallList> call_list(const Program& program, std::uint32_t rank);

}  // namespace busline::mpi
