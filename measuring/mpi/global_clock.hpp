// One clock for all ranks: how far each rank's MPI_Wtime is ahead of rank 0's, and how that drifts.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

namespace busline::mpi {

/// The measured state of a rank's clock.
struct ClockOffset {
  double at = 0;         ///< on the rank's own clock, in seconds
  double ahead = 0;      ///< of rank 0's clock, in seconds; negative: behind
  double uncertain = 0;  ///< by how much that may be wrong: half of the fastest round trip
};

/// Measures offsets by ping-pongs of rank 0 with each other rank in turn, and keeps the last two
/// measurements, between and beyond which clocks are taken to drift linearly. On a machine whose MPI_Wtime is
/// one clock (the attribute MPI_WTIME_IS_GLOBAL) there is nothing to measure.
class GlobalClock {
 public:
  explicit GlobalClock(MPI_Comm job, std::uint32_t ping_pongs = 50);

  /// All ranks call it at the same time. Cost: `ping_pongs` round trips for each rank, one rank after the
  /// other.
  void synchronise();

  /// Rank 0's time at a time of this rank.
  double global(double own) const { return own - ahead(own); }
  double now() const { return global(MPI_Wtime()); }
  /// Relative: 1e-6 is a microsecond a second. 0 until there were two measurements some time apart.
  double drift() const { return drift_; }
  bool is_global() const { return is_global_; }

 private:
  double ahead(double own) const { return last_.ahead + drift_ * (own - last_.at); }
  ClockOffset with_root();
  void serve(int rank);

  MPI_Comm job_;
  std::uint32_t ping_pongs_;
  int rank_ = 0, ranks_ = 1;
  bool is_global_ = false;
  bool measured_ = false;
  ClockOffset last_;
  double drift_ = 0;
};

}  // namespace busline::mpi
