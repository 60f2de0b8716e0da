// The common parts of the emulated cluster's applications (docs/how-to/cluster.md): options, work that takes
// a given time, and the line that each run leaves.
#pragma once
#include <mpi.h>

#include <string>

namespace busline::cluster {

/// The command-line settings: `iters=20 size=32768 comp=10000 mode=sleep out=times.jsonl`.
struct ApplicationOptions {
  enum class Work {
    sleep,  ///< waits for a moment: exact with more ranks than cores
    busy,   ///< computes
  };
  int iterations = 10;
  int bytes = 65536;         ///< of a message; what exactly, each application says
  double compute_us = 2000;  ///< of one step of one rank
  Work work = Work::sleep;
  std::string out;  ///< where the line of the run is added; empty: printed
};

/// One run of an application. MPI is initialised while it lives.
class Application {
 public:
  /// Reads the options (ends all ranks with a message if they are wrong), opens all connections and starts
  /// the clock after a barrier.
  Application(std::string name, int argc, char** argv);
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  ~Application();

  const ApplicationOptions& options() const { return options_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// Works for that many microseconds, between two calls of MPI_Wtime: traces show the computation by them.
  void compute(double us);

  /// Called last, by all ranks: gathers the times; rank 0 adds the line of the run. Three MPI_Reduce, so that
  /// what was timed lies in a trace between the first MPI_Barrier and the third MPI_Reduce from the end.
  /// Gives the exit code.
  int finish();

 private:
  void calibrate();

  std::string name_;
  ApplicationOptions options_;
  int rank_ = 0, ranks_ = 1;
  double start_s_ = 0, computed_s_ = 0;
  double steps_per_us_ = 0;  // of busy work
};

}  // namespace busline::cluster
