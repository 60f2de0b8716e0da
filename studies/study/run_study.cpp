#include "studies/study/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "studies/study/point_work.hpp"
#include "studies/study/store_points.hpp"

namespace busline {
namespace {

using Clock = std::chrono::steady_clock;

// Results on their way from the simulating threads to the storing thread.
class Finished {
 public:
  void add(FinishedPoint point) {
    const std::lock_guard lock(mutex_);
    points_.push_back(std::move(point));  // no thread is woken: points are stored in batches
  }
  void thread_ended() {
    const std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_one();
  }
  // The results received until `until`, or until all of `threads` have ended.
  std::vector<FinishedPoint> take(Clock::time_point until, unsigned threads, bool& over) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, [&] { return ended_ == threads; });
    over = ended_ == threads;
    return std::exchange(points_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FinishedPoint> points_;
  unsigned ended_ = 0;
};

class Threads {
 public:
  Threads(const PointWork& work, const Slice& slice, std::uint64_t points, unsigned count,
          Finished& finished) {
    for (unsigned n = 0; n < count; ++n)
      threads_.emplace_back([&, points] {
        while (!work.stopped()) {
          const auto i = next_.fetch_add(1);
          if (i >= points) break;
          auto point = work.run(slice.point(i));
          if (!point) break;
          finished.add(*std::move(point));
        }
        finished.thread_ended();
      });
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (auto& t : threads_) t.join();
  }

 private:
  std::atomic<std::uint64_t> next_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

Expected<StudyProgress> run_study(const Cases& cases, WorkloadPool& workloads, Store& store,
                                  const RunStudyOptions& options) {
  auto known = store.known();
  if (!known) return tl::unexpected(std::move(known.error()));
  std::atomic<bool> was_interrupted = false, store_failed = false;
  const auto stop = [&] {
    if (options.stop && options.stop()) was_interrupted = true;
    return was_interrupted || store_failed;
  };
  const PointWork work(cases, workloads, *std::move(known), options.program, options.retry,
                       {cases.study().timeout, stop});
  StudyProgress progress;
  progress.points = options.slice.count(cases.points().count());
  const auto every =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.store_every_s));
  {
    const auto count =
        static_cast<unsigned>(std::clamp<std::uint64_t>(progress.points, 1, std::max(1U, options.threads)));
    Finished finished;
    const Threads threads(work, options.slice, progress.points, count, finished);
    for (bool over = false; !over;) {
      auto points = finished.take(Clock::now() + every, count, over);
      if (auto done = store_points(store, std::move(points), progress); !done) {
        store_failed = true;
        return tl::unexpected(std::move(done.error()));
      }
      if (options.progress) options.progress(progress);
    }
  }
  progress.interrupted = was_interrupted;
  return progress;
}

}  // namespace busline
