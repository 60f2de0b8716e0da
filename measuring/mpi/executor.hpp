// Runs a rank's MPI calls (call_list.hpp) for real and notes when it came to its marks.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "measuring/mpi/buffer_ring.hpp"
#include "measuring/mpi/call_list.hpp"
#include "sim/program/program.hpp"

namespace busline::mpi {

/// On the rank's own MPI_Wtime.
struct MarkTime {
  std::uint32_t label = 0;
  double seconds = 0;
};

class Executor {
 public:
  /// For the ranks of `job`, which outlives this.
  explicit Executor(MPI_Comm job);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// What to do instead of the Barrier before a sample: all ranks of the communicator are to leave it
  /// together. Empty: MPI_Barrier.
  using Start = std::function<void(MPI_Comm)>;

  /// Gets the memory that the messages of `list` need, and touches it. Local to the rank. Errors: those of
  /// BufferRing.
  Expected<void> prepare(const CallList& list, const KernelBuffers& buffers = {});

  /// All ranks of the job call it with the same Program, each with the calls of its own rank, which it has
  /// prepared.
  std::vector<MarkTime> run(const Program& program, const CallList& list, const Start& start);

 private:
  void make_communicators(const Program& program);
  void free_communicators();
  void execute(const CallList& list, const Start& start);
  void start_collective(const CollectiveArgs& args, MPI_Comm communicator, MPI_Request& request);
  void collective(const CollectiveArgs& args, MPI_Comm communicator);
  void local(const Call& call);
  void note(const Call& call, const MPI_Status& status);

  MPI_Comm job_;
  int rank_ = 0;
  std::vector<std::vector<std::uint32_t>> members_;  // of the communicators below
  std::vector<MPI_Comm> communicators_;              // the Program's; MPI_COMM_NULL: not a member
  BufferRing out_, in_;
  std::vector<std::byte> attached_, copy_;
  std::vector<std::size_t> slot_offset_;  // in a buffer of in_
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Request> batch_;
  std::vector<int> counts_, displacements_;
  std::vector<MPI_Request> unwaited_;  // answers that did not block
  std::vector<MarkTime> marks_;
  int last_source_ = 0, last_tag_ = 0;
  volatile std::uint64_t sink_ = 0;
};

/// Nanoseconds of fixed work: that many steps of a chain of a multiplication and an addition, each of which
/// needs the one before. The compiler cannot shorten it; a core at 4 GHz takes about a nanosecond a step.
std::uint64_t fixed_work(std::uint64_t nanoseconds, std::uint64_t seed);

}  // namespace busline::mpi
