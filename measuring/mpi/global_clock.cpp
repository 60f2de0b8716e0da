#include "measuring/mpi/global_clock.hpp"

#include <limits>

namespace busline::mpi {
namespace {

constexpr int kTag = 77;
// Over less time than this the error of two offsets makes more of a drift than clocks do.
constexpr double kLeastInterval = 0.5;

}  // namespace

GlobalClock::GlobalClock(MPI_Comm job, std::uint32_t ping_pongs) : ping_pongs_(ping_pongs) {
  MPI_Comm_dup(job, &job_);
  MPI_Comm_rank(job_, &rank_);
  MPI_Comm_size(job_, &ranks_);
  void* value = nullptr;
  int known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &known);
  is_global_ = known != 0 && *static_cast<int*>(value) != 0;
}

// Rank 0 answers with its time.
void GlobalClock::serve(int rank) {
  for (std::uint32_t i = 0; i < ping_pongs_; ++i) {
    double time = 0;
    MPI_Recv(&time, 1, MPI_DOUBLE, rank, kTag, job_, MPI_STATUS_IGNORE);
    time = MPI_Wtime();
    MPI_Send(&time, 1, MPI_DOUBLE, rank, kTag, job_);
  }
}

// The answer was made somewhere between asking and getting it: half way, give or take half. The fastest round
// trip says it best.
ClockOffset GlobalClock::with_root() {
  ClockOffset best{.at = 0, .ahead = 0, .uncertain = std::numeric_limits<double>::infinity()};
  for (std::uint32_t i = 0; i < ping_pongs_; ++i) {
    const double asked = MPI_Wtime();
    double root = asked;
    MPI_Send(&root, 1, MPI_DOUBLE, 0, kTag, job_);
    MPI_Recv(&root, 1, MPI_DOUBLE, 0, kTag, job_, MPI_STATUS_IGNORE);
    const double answered = MPI_Wtime();
    if (const double half = (answered - asked) / 2; half < best.uncertain)
      best = {.at = asked + half, .ahead = asked + half - root, .uncertain = half};
  }
  return best;
}

void GlobalClock::synchronise() {
  if (is_global_) return;
  for (int rank = 1; rank < ranks_; ++rank) {
    if (rank_ == 0) {
      serve(rank);
    } else if (rank_ == rank) {
      const auto now = with_root();
      if (measured_ && now.at - last_.at > kLeastInterval)
        drift_ = (now.ahead - last_.ahead) / (now.at - last_.at);
      last_ = now;
      measured_ = true;
    }
  }
}

}  // namespace busline::mpi
