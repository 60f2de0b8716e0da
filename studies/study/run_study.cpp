#include "studies/study/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "studies/output/sha256.hpp"
#include "studies/study/run_point.hpp"

namespace busline {
namespace {

using Clock = std::chrono::steady_clock;

// What is on the way from the threads that simulate to the one that stores.
class Finished {
 public:
  struct Entry {
    PointOutcome point;
    bool simulated = true;  // false: its outcome was stored before, and only the point is new
  };

  void add(Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    changed_.notify_one();
  }
  void thread_ended() {
    const std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_one();
  }
  // What came until `until`, or until all of `threads` have ended.
  std::vector<Entry> take(Clock::time_point until, unsigned threads, bool& over) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, [&] { return ended_ == threads; });
    over = ended_ == threads;
    return std::exchange(entries_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  unsigned ended_ = 0;
};

bool runs_again(Outcome::Status status, bool retry) {
  return retry && (status == Outcome::Status::timed_out || status == Outcome::Status::failed);
}

// Shared by the threads that simulate.
struct Work {
  Work(const Cases& c, WorkloadPool& w, const RunStudyOptions& o,
       std::unordered_map<std::string, Outcome::Status> k)
      : cases(c), workloads(w), options(o), known(std::move(k)) {}

  const Cases& cases;
  WorkloadPool& workloads;
  const RunStudyOptions& options;
  const std::unordered_map<std::string, Outcome::Status> known;  // ids
  PointLimits limits;
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> interrupted = false;
  std::atomic<bool> store_failed = false;
  Finished finished;
};

// A point whose values do not go together has no inputs to tell it by but these.
std::string id_of(const std::vector<AxisValue>& values, const std::string& program) {
  Sha256 digest;
  digest.update("busline refused point 1\n" + program);
  for (const auto& v : values) digest.update("\n" + v.json);
  return digest.hex().substr(0, 32);
}

Finished::Entry without_case(const Work& work, std::uint64_t point, const Error& error) {
  Finished::Entry entry;
  auto& p = entry.point;
  p.point = point;
  p.values = work.cases.points().at(point);
  p.id = id_of(p.values, work.options.program);
  p.outcome.status =
      error.kind == Error::Kind::unreadable ? Outcome::Status::failed : Outcome::Status::refused;
  p.outcome.reason = to_string(error);
  p.outcome.program = work.options.program;
  return entry;
}

// Nothing if it was interrupted.
std::optional<Finished::Entry> finish(Work& work, std::uint64_t point) {
  const auto& program = work.options.program;
  Finished::Entry entry;
  auto& p = entry.point;
  p.point = point;
  const auto started = Clock::now();
  const auto c = work.cases.at(point);
  const auto id = c ? point_id(*c, work.workloads, program) : tl::unexpected(c.error());
  if (!id) return without_case(work, point, id.error());
  p.values = c->values;
  p.id = *id;
  const auto before = work.known.find(p.id);
  if (before != work.known.end() && !runs_again(before->second, work.options.retry)) {
    entry.simulated = false;
    p.outcome.status = before->second;
    return entry;
  }
  auto outcome = run_point(*c, work.workloads, work.limits);
  if (!outcome) return std::nullopt;
  p.outcome = *std::move(outcome);
  p.outcome.program = program;
  p.outcome.wall_s = std::chrono::duration<double>(Clock::now() - started).count();
  return entry;
}

void simulate_points(Work& work) {
  const auto& slice = work.options.slice;
  const auto count = slice.count(work.cases.points().count());
  while (!work.limits.stop()) {
    const auto i = work.next.fetch_add(1);
    if (i >= count) break;
    const auto point = i * slice.parts + slice.part - 1;
    auto entry = [&]() -> std::optional<Finished::Entry> {
      try {
        return finish(work, point);
      } catch (const std::exception& e) {  // no memory: the other points may need less
        Error error;
        error.kind = Error::Kind::unreadable;
        error.message = e.what();
        return without_case(work, point, error);
      }
    }();
    if (!entry) break;
    work.finished.add(*std::move(entry));
  }
  work.finished.thread_ended();
}

class Threads {
 public:
  Threads(Work& work, unsigned count) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([&work] { simulate_points(work); });
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (auto& t : threads_) t.join();
  }

 private:
  std::vector<std::thread> threads_;
};

// A batch with outcomes that were there filled in.
Expected<std::vector<PointOutcome>> batch(const Store& store, std::vector<Finished::Entry> entries,
                                          StudyProgress& progress) {
  std::vector<PointOutcome> points;
  for (auto& entry : entries) {
    if (entry.simulated) {
      ++progress.simulated;
    } else {
      const auto before = store.outcome(entry.point.id);
      if (!before) return tl::unexpected(before.error());
      if (*before) entry.point.outcome = **before;
    }
    ++progress.stored;
    if (!entry.point.outcome.is_done()) ++progress.failed;
    points.push_back(std::move(entry.point));
  }
  return points;
}

// Few at a time, so that many are in the file when the disk is full.
Expected<void> put(Store& store, const std::vector<PointOutcome>& points) {
  constexpr std::size_t kAtATime = 256;
  for (std::size_t i = 0; i < points.size(); i += kAtATime) {
    const std::span all(points);
    if (auto done = store.put(all.subspan(i, std::min(kAtATime, points.size() - i))); !done) return done;
  }
  return {};
}

}  // namespace

Expected<StudyProgress> run_study(const Cases& cases, WorkloadPool& workloads, Store& store,
                                  const RunStudyOptions& options) {
  auto known = store.known();
  if (!known) return tl::unexpected(std::move(known.error()));
  Work work(cases, workloads, options, *std::move(known));
  work.limits.stop_after = cases.study().timeout;
  work.limits.stop = [&work, &options] {
    if (options.stop && options.stop()) work.interrupted = true;
    return work.interrupted || work.store_failed;
  };
  StudyProgress progress;
  progress.points = options.slice.count(cases.points().count());
  const auto every =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.store_every_s));
  {
    const auto count =
        static_cast<unsigned>(std::clamp<std::uint64_t>(progress.points, 1, std::max(1U, options.threads)));
    Threads threads(work, count);
    for (bool over = false; !over;) {
      auto entries = work.finished.take(Clock::now() + every, count, over);
      auto points = batch(store, std::move(entries), progress);
      auto done = points ? Expected<void>() : tl::unexpected(points.error());
      if (points) done = put(store, *points);
      if (!done) {
        work.store_failed = true;
        return tl::unexpected(std::move(done.error()));
      }
      if (options.progress) options.progress(progress);
    }
  }
  progress.interrupted = work.interrupted;
  return progress;
}

}  // namespace busline
