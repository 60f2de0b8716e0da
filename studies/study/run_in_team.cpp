#include "studies/study/run_in_team.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "studies/study/store_points.hpp"
#include "studies/study/team_letters.hpp"

namespace busline {
namespace {

using Clock = std::chrono::steady_clock;

/// What rank 0 knows about the other ranks, and which points are not assigned yet.
class Handout {
 public:
  Handout(Team& team, const Slice& slice, std::uint64_t points)
      : team_(team), slice_(slice), count_(points), has_(team.size()), there_(team.size() - 1) {}

  /// No waiting rank is left.
  bool over() const { return there_ == 0; }
  void stop() { stopped_ = true; }

  void leaves(unsigned rank) {
    --there_;
    returned_.insert(returned_.end(), has_[rank].begin(), has_[rank].end());
    has_[rank].clear();
  }
  void is_done(unsigned rank, std::uint64_t point) { std::erase(has_[rank], point); }
  void answer(unsigned rank) {
    TeamLetter letter;
    letter.kind = LetterKind::points;
    // Fewer towards the end, so that all end together; few in any case, for points that take long.
    constexpr std::uint64_t kMost = 16;
    const auto left = count_ - next_ + returned_.size();
    for (auto n = std::clamp<std::uint64_t>(left / (4 * there_), 1, kMost); n > 0 && !stopped_; --n) {
      if (!returned_.empty()) {
        letter.points.push_back(returned_.back());
        returned_.pop_back();
      } else if (next_ < count_) {
        letter.points.push_back(slice_.point(next_++));
      }
    }
    has_[rank] = letter.points;
    if (letter.points.empty()) {
      letter.kind = LetterKind::dismiss;
      --there_;
    }
    team_.send(rank, to_bytes(std::move(letter)));
  }

 private:
  Team& team_;
  const Slice slice_;
  const std::uint64_t count_;
  std::uint64_t next_ = 0;
  std::vector<std::vector<std::uint64_t>> has_;  // by rank: points in progress
  std::vector<std::uint64_t> returned_;          // of those who left
  unsigned there_;
  bool stopped_ = false;
};

void leave(Team& team, std::string reason) {
  TeamLetter letter;
  letter.kind = LetterKind::absent;
  letter.reason = std::move(reason);
  team.send(0, to_bytes(std::move(letter)));
}

}  // namespace

TeamLeader::~TeamLeader() {
  if (dismissed_) return;
  for (auto waiting = team_.size() - 1; waiting > 0; --waiting) {
    const auto letter = team_.receive();
    if (letter_from(letter.text).kind != LetterKind::absent)
      team_.send(letter.from, bytes_of(LetterKind::dismiss));
  }
}

Expected<StudyProgress> TeamLeader::run(const Cases& cases, Store& store, const RunStudyOptions& options) {
  auto known = store.known();
  if (!known) return tl::unexpected(std::move(known.error()));
  TeamLetter knows;
  knows.kind = LetterKind::known;
  knows.known.assign(known->begin(), known->end());
  const auto known_text = to_bytes(std::move(knows));
  dismissed_ = true;
  StudyProgress progress;
  progress.points = options.slice.count(cases.points().count());
  Handout handout(team_, options.slice, progress.points);
  const auto every =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.store_every_s));
  Expected<void> stored;
  std::vector<FinishedPoint> finished;
  auto next_store = Clock::now() + every;
  const auto put = [&] {
    next_store = Clock::now() + every;
    if (stored) stored = store_points(store, std::exchange(finished, {}), progress);
    if (!stored) handout.stop();
    if (options.progress) options.progress(progress);
  };
  while (!handout.over()) {
    if (options.stop && options.stop()) {
      progress.interrupted = true;
      handout.stop();
    }
    if (Clock::now() >= next_store) put();
    if (!team_.has_letter()) {
      // Waiting inside MPI would take a whole core from simulating ranks.
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      continue;
    }
    const auto received = team_.receive();
    auto letter = letter_from(received.text);
    switch (letter.kind) {
      case LetterKind::ready:
        team_.send(received.from, known_text);
        break;
      case LetterKind::wants:
        handout.answer(received.from);
        break;
      case LetterKind::done:
        handout.is_done(received.from, letter.finished.point.point);
        letter.finished.point.values = cases.points().at(letter.finished.point.point);
        finished.push_back(std::move(letter.finished));
        break;
      default:
        progress.absent.push_back({received.from, letter.reason});
        handout.leaves(received.from);
    }
  }
  put();
  if (!stored) return tl::unexpected(std::move(stored.error()));
  return progress;
}

void follow_leader(Team& team, const Cases& cases, WorkloadPool& workloads, const RunStudyOptions& options) {
  team.send(0, bytes_of(LetterKind::ready));
  auto letter = letter_from(team.receive().text);
  if (letter.kind != LetterKind::known) return;
  const auto stop = [&] { return options.stop && options.stop(); };
  const PointWork work(cases, workloads, {letter.known.begin(), letter.known.end()}, options.program,
                       options.retry, {cases.study().timeout, stop});
  for (;;) {
    team.send(0, bytes_of(LetterKind::wants));
    letter = letter_from(team.receive().text);
    if (letter.kind != LetterKind::points) return;
    for (const auto point : letter.points) {
      auto finished = work.run(point);
      if (!finished) return leave(team, "interrupted");
      TeamLetter done;
      done.kind = LetterKind::done;
      done.finished = *std::move(finished);
      team.send(0, to_bytes(std::move(done)));
    }
  }
}

void cannot_follow(Team& team, const Error& error) {
  leave(team, to_string(error));
}

}  // namespace busline
