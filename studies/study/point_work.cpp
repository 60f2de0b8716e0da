#include "studies/study/point_work.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "documents/text/sha256.hpp"

namespace busline {
namespace {

using Clock = std::chrono::steady_clock;

bool runs_again(Outcome::Status status, bool retry) {
  return retry && (status == Outcome::Status::timed_out || status == Outcome::Status::failed);
}

// A point whose values are incompatible has no other inputs to identify it.
std::string id_of(const std::vector<AxisValue>& values, const std::string& program) {
  Sha256 digest;
  digest.update("busline refused point 1\n" + program);
  for (const auto& v : values) digest.update("\n" + v.json);
  return digest.hex().substr(0, 32);
}

}  // namespace

FinishedPoint PointWork::without_case(std::uint64_t point, const Error& error) const {
  FinishedPoint finished;
  auto& p = finished.point;
  p.point = point;
  p.values = cases_.points().at(point);
  p.id = id_of(p.values, program_);
  p.outcome.status =
      error.kind == Error::Kind::unreadable ? Outcome::Status::failed : Outcome::Status::refused;
  p.outcome.reason = to_string(error);
  p.outcome.program = program_;
  return finished;
}

std::optional<FinishedPoint> PointWork::run(std::uint64_t point) const {
  try {
    return finish(point);
  } catch (const std::exception& e) {  // no memory: the other points may need less
    Error error;
    error.kind = Error::Kind::unreadable;
    error.message = e.what();
    return without_case(point, error);
  }
}

std::optional<FinishedPoint> PointWork::finish(std::uint64_t point) const {
  FinishedPoint finished;
  auto& p = finished.point;
  p.point = point;
  const auto started = Clock::now();
  const auto c = cases_.at(point);
  const auto id = c ? point_id(*c, workloads_, program_) : tl::unexpected(c.error());
  if (!id) return without_case(point, id.error());
  p.values = c->values;
  p.id = *id;
  const auto before = known_.find(p.id);
  if (before != known_.end() && !runs_again(before->second, retry_)) {
    finished.simulated = false;
    p.outcome.status = before->second;
    return finished;
  }
  auto outcome = run_point(*c, workloads_, limits_);
  if (!outcome) return std::nullopt;
  p.outcome = *std::move(outcome);
  p.outcome.program = program_;
  p.outcome.wall_s = std::chrono::duration<double>(Clock::now() - started).count();
  return finished;
}

}  // namespace busline
