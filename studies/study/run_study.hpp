// Runs the points of a study on several threads and stores what they give.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "studies/study/case.hpp"
#include "studies/study/points.hpp"
#include "studies/study/store.hpp"
#include "studies/study/workload_pool.hpp"

namespace busline {

struct StudyProgress {
  std::uint64_t points = 0;     ///< of the slice
  std::uint64_t stored = 0;     ///< of these, done or failed, now or before
  std::uint64_t simulated = 0;  ///< now
  std::uint64_t failed = 0;     ///< of the stored ones
  bool interrupted = false;     ///< at the end: stop() said so
  /// For several processes, those that did not work to the end, and why.
  struct Absent {
    unsigned rank = 0;
    std::string reason;
  };
  std::vector<Absent> absent{};
};

struct RunStudyOptions {
  unsigned threads = 1;  ///< at least 1
  Slice slice{};
  bool retry = false;     ///< runs points again that are stored as timed out or failed
  std::string program{};  ///< which program simulates: another one's outcomes are not this one's
  /// Longest wait from a point's end until it is in the file.
  double store_every_s = 0.1;
  std::function<bool()> stop{};                          ///< Polled from time to time, by all threads
  std::function<void(const StudyProgress&)> progress{};  ///< called from time to time, by the calling thread
};

/// Runs what is not stored yet. A point that cannot run is stored with its reason, and the rest continue;
/// stop() drops the points in progress. The stored results do not depend on the number of threads, except for
/// Outcome::wall_s. An Error comes from the store; everything stored before it stays.
Expected<StudyProgress> run_study(const Cases& cases, WorkloadPool& workloads, Store& store,
                                  const RunStudyOptions& options);

}  // namespace busline
