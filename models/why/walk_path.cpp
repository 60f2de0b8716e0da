// PathObserver::path(): walks from the last end back to the start.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "models/why/path_observer.hpp"

namespace busline {
namespace {

/// The `most` greatest of its inputs, by `before`.
template <class T, class Before>
class Greatest {
 public:
  Greatest(std::size_t most, Before before) : most_(most), before_(std::move(before)) {}
  void add(T value) {
    all_.push_back(std::move(value));
    if (all_.size() >= 2 * most_ + 1024) cut();
  }
  std::vector<T> take() {
    cut();
    return std::move(all_);
  }

 private:
  void cut() {
    std::sort(all_.begin(), all_.end(), before_);
    if (all_.size() > most_) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(most_), all_.end());
  }
  std::size_t most_;
  Before before_;
  std::vector<T> all_;
};

/// Sorts the calls of a path by their time, drops those without any, and renumbers references to them.
void put_calls_in_order(CriticalPath& path) {
  std::vector<std::uint32_t> order(path.calls.size()), place(path.calls.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return path.calls[a].total > path.calls[b].total;
  });
  std::vector<CriticalPath::Call> calls;
  for (const auto c : order) {
    const bool named = std::any_of(path.latest.begin(), path.latest.end(),
                                   [&](const LatePartner& l) { return l.call == c; });
    if (path.calls[c].total == Duration() && !named) continue;
    place[c] = static_cast<std::uint32_t>(calls.size());
    calls.push_back(std::move(path.calls[c]));
  }
  for (auto& s : path.longest) s.call = place[s.call];
  for (auto& l : path.latest) l.call = place[l.call];
  path.calls = std::move(calls);
}

bool is_a_strands(std::uint64_t cause) {
  return cause <= static_cast<std::uint64_t>(PathCause::overhead);
}

}  // namespace

CriticalPath PathObserver::path(std::size_t most) const {
  CriticalPath path;
  path.total = Duration::picoseconds(parts_[last_end_].until);
  path.by_rank.resize(program_.ranks());
  path.calls.emplace_back();
  for (const auto& name : program_.call_names()) path.calls.push_back({name, {}, {}});
  const auto call_of = [&](std::uint64_t operation) -> std::uint32_t {
    if (operation >= program_.operations().size()) return 0;
    const auto& op = program_.operations()[operation];
    const bool between_calls = op.kind == OpKind::compute && (op.flags & Operation::elapsed) == 0;
    return between_calls || op.call >= program_.call_names().size() ? 0 : op.call + 1U;
  };
  Greatest<PathSegment, bool (*)(const PathSegment&, const PathSegment&)> longest(
      most, [](const PathSegment& a, const PathSegment& b) {
        return a.length != b.length ? a.length > b.length : a.from < b.from;
      });
  Greatest<LatePartner, bool (*)(const LatePartner&, const LatePartner&)> latest(
      most, [](const LatePartner& a, const LatePartner& b) {
        return a.late != b.late ? a.late > b.late : a.at < b.at;
      });
  const Part* waiting = nullptr;  // whose partner is sought
  const auto partner_is = [&](const Part& p) {
    if (waiting != nullptr && p.until > waiting->blocked_since) {
      const auto late = Duration::picoseconds(p.until - waiting->blocked_since);
      ++path.late_partners;
      path.partners_late += late;
      latest.add({Time::at(Duration::picoseconds(p.until)), late, waiting->rank, p.rank,
                  call_of(waiting->operation)});
    }
    waiting = nullptr;
  };
  for (auto i = last_end_; i != kStart; i = parts_[i].before) {
    const Part& p = parts_[i];
    if (p.cause == kLate) {
      partner_is(p);
      waiting = &p;
      continue;
    }
    if (is_a_strands(p.cause)) partner_is(p);
    const auto from = Duration::picoseconds(parts_[p.before].until);
    const auto length = Duration::picoseconds(p.until) - from;
    const auto call = call_of(p.operation);
    path.parts[p.cause] += length;
    path.by_rank[p.rank][p.cause] += length;
    path.calls[call].parts[p.cause] += length;
    path.calls[call].total += length;
    ++path.segments;
    longest.add({Time::at(from), length, static_cast<PathCause>(p.cause), p.rank, call});
  }
  path.longest = longest.take();
  path.latest = latest.take();
  put_calls_in_order(path);
  return path;
}

}  // namespace busline
