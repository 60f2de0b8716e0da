// The outcome of one point of a study: the stored metrics, listed once (docs/how-to/studies.md).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "studies/study/study.hpp"

namespace busline {

/// Times are whole picoseconds. Those of ranks are means over the ranks.
struct Outcome {
  enum class Status : std::uint8_t {
    done,
    deadlock,
    clock_overflow,
    refused,    ///< its values do not go together, or something in it cannot be simulated
    failed,     ///< the system refused something
    timed_out,  ///< by timeout
  };
  using Figure = std::optional<std::int64_t>;

  Status status = Status::done;
  std::string reason;  ///< for every status except done
  Figure run_time_ps;  ///< for a benchmark, the time that it reports
  Figure bytes_per_s;  ///< for a benchmark that reports a bandwidth
  Figure traced_run_time_ps, ranks;
  Figure compute_ps, latency_ps, wait_ps, collective_wait_ps, collective_ps, cpu_wait_ps;
  Figure largest_compute_ps;  ///< of any rank
  Figure link_wait_ps, bus_wait_ps;
  Figure messages, bytes, operations, events;
  // If the study asks why, for runs that can be watched.
  Figure slope_latency, slope_byte_time, slope_cpu_ps;
  Figure path_compute_ps, path_transfer_ps, path_latency_ps, path_wait_out_link_ps, path_wait_in_link_ps,
      path_wait_bus_ps, path_collective_ps, path_other_ps;
  std::string program;  ///< version and commit
  double wall_s = 0;    ///< that it took; differs from run to run
  bool operator==(const Outcome&) const = default;

  bool is_done() const { return status == Status::done; }
  /// Whether it has the critical path.
  bool has_path() const { return path_compute_ps.has_value(); }
};

/// What points are compared by: larger is slower. A time in picoseconds or, for a benchmark that reports a
/// bandwidth, the seconds that a byte takes. Nothing: it is not done, or there was nothing to take time.
std::optional<double> cost_of(const Outcome& outcome);
/// That time or bandwidth, for people; "-" where there is none.
std::string result_text(const Outcome& outcome);

inline constexpr std::array<std::pair<std::string_view, Outcome::Status>, 6> kOutcomeNames{
    {{"done", Outcome::Status::done},
     {"deadlock", Outcome::Status::deadlock},
     {"clock-overflow", Outcome::Status::clock_overflow},
     {"refused", Outcome::Status::refused},
     {"failed", Outcome::Status::failed},
     {"timed-out", Outcome::Status::timed_out}}};
std::string_view name_of(Outcome::Status status);

/// A column of the store and of exports; its name ends in its unit, if it has one. Add new columns at the
/// end.
struct FigureColumn {
  std::string_view name;
  Outcome::Figure Outcome::*figure;
};
inline constexpr std::array<FigureColumn, 28> kFigureColumns{
    {{"run_time_ps", &Outcome::run_time_ps},
     {"bytes_per_s", &Outcome::bytes_per_s},
     {"traced_run_time_ps", &Outcome::traced_run_time_ps},
     {"ranks", &Outcome::ranks},
     {"compute_ps", &Outcome::compute_ps},
     {"latency_ps", &Outcome::latency_ps},
     {"wait_ps", &Outcome::wait_ps},
     {"collective_wait_ps", &Outcome::collective_wait_ps},
     {"collective_ps", &Outcome::collective_ps},
     {"cpu_wait_ps", &Outcome::cpu_wait_ps},
     {"largest_compute_ps", &Outcome::largest_compute_ps},
     {"link_wait_ps", &Outcome::link_wait_ps},
     {"bus_wait_ps", &Outcome::bus_wait_ps},
     {"messages", &Outcome::messages},
     {"bytes", &Outcome::bytes},
     {"operations", &Outcome::operations},
     {"events", &Outcome::events},
     {"slope_latency", &Outcome::slope_latency},
     {"slope_byte_time", &Outcome::slope_byte_time},
     {"slope_cpu_ps", &Outcome::slope_cpu_ps},
     {"path_compute_ps", &Outcome::path_compute_ps},
     {"path_transfer_ps", &Outcome::path_transfer_ps},
     {"path_latency_ps", &Outcome::path_latency_ps},
     {"path_wait_out_link_ps", &Outcome::path_wait_out_link_ps},
     {"path_wait_in_link_ps", &Outcome::path_wait_in_link_ps},
     {"path_wait_bus_ps", &Outcome::path_wait_bus_ps},
     {"path_collective_ps", &Outcome::path_collective_ps},
     {"path_other_ps", &Outcome::path_other_ps}}};

/// The parts of the critical path by their names in tables; they add up to run_time_ps. Computing comes
/// first.
inline constexpr std::array<FigureColumn, 8> kPathParts{{{"compute", &Outcome::path_compute_ps},
                                                         {"transfers", &Outcome::path_transfer_ps},
                                                         {"latency", &Outcome::path_latency_ps},
                                                         {"output links", &Outcome::path_wait_out_link_ps},
                                                         {"input links", &Outcome::path_wait_in_link_ps},
                                                         {"buses", &Outcome::path_wait_bus_ps},
                                                         {"collectives", &Outcome::path_collective_ps},
                                                         {"other waits", &Outcome::path_other_ps}}};

/// A point and its outcome.
struct PointOutcome {
  std::uint64_t point = 0;
  std::vector<AxisValue> values;  ///< of each axis
  std::string id;                 ///< digest of everything that determines the outcome
  Outcome outcome;
};

}  // namespace busline
