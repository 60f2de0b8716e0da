#include "studies/runs/jobs_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "documents/fields/names.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

struct PlaceName {
  std::string_view name, description;
};
constexpr std::array<PlaceName, kMeetingPlaces> kPlaceTexts{{{"links_out", "output links"},
                                                             {"links_in", "input links"},
                                                             {"buses", "buses"},
                                                             {"memory", "memory of nodes"},
                                                             {"between", "links between machines"},
                                                             {"stream", "earlier messages to the same node"},
                                                             {"sharing", "sharing links and buses"},
                                                             {"cpus", "CPUs"}}};
constexpr Names<MeetingPlace, kMeetingPlaces> kPlaceNames = [] {
  Names<MeetingPlace, kMeetingPlaces> names{};
  for (std::size_t i = 0; i < kMeetingPlaces; ++i)
    names[i] = {kPlaceTexts[i].name, static_cast<MeetingPlace>(i)};
  return names;
}();

constexpr std::int64_t kMostJobNumber = std::numeric_limits<std::uint32_t>::max();

std::string slower_text(std::optional<double> change) {
  return change ? signed_percent(*change) : "-";
}

}  // namespace

std::string_view name_of(MeetingPlace place) {
  return kPlaceTexts[static_cast<std::size_t>(place)].name;
}
std::string_view description_of(MeetingPlace place) {
  return kPlaceTexts[static_cast<std::size_t>(place)].description;
}

/// A time of each job.
struct DurationOfJob {
  Duration time;
};
Expected<void> read_value(const Cursor& at, DurationOfJob& out) {
  Picoseconds ps{out.time};
  return read_value(at, ps);
}
nlohmann::ordered_json write_value(const DurationOfJob& v) {
  return v.time.count();
}
nlohmann::ordered_json schema_of(DurationOfJob& v) {
  return schema_of(Picoseconds{v.time});
}

/// A slowdown, or null.
struct SlowdownCell {
  std::optional<double> value;
};
Expected<void> read_value(const Cursor& at, SlowdownCell& out) {
  out.value.reset();
  if (at.value().is_null()) return {};
  Number number{out.value.emplace()};
  return read_value(at, number);
}
nlohmann::ordered_json write_value(const SlowdownCell& v) {
  if (!v.value) return nullptr;
  return *v.value;
}
nlohmann::ordered_json schema_of(SlowdownCell&) {
  return {{"type", {"number", "null"}}};
}

void describe(Fields& f, JobWait& wait) {
  std::vector<DurationOfJob> times;
  for (const auto d : wait.by_job) times.push_back({d});
  f.required("for", Choice<MeetingPlace>{wait.place, kPlaceNames},
             "What the job's messages or ranks waited for.");
  f.required("by_job_ps", times, "Split by the jobs that held it, in the order of jobs.");
  wait.by_job.clear();
  for (const auto& t : times) wait.by_job.push_back(t.time);
}

void describe(Fields& f, JobResult& job) {
  const auto slower = job.slowdown();
  SlowdownCell slowdown{slower};
  f.about("A job among several on the machine: docs/how-to/jobs.md.");
  f.required("name", job.name, "As --job names it.");
  f.required("first_rank", Whole{job.first_rank, 0, kMostJobNumber}, "Its rank 0 is this rank of the run.");
  f.required("rank_count", Whole{job.ranks, 0, kMostJobNumber}, "Its ranks.");
  f.required("background", job.background, "Whether it was repeated until the others had ended.");
  f.required("start_ps", Picoseconds{job.start}, "When it started.");
  f.optional("run_time_ps", OptionalPicoseconds{job.run_time},
             "From its start to its end; in the background, the mean of complete repetitions.");
  f.required("repetitions", Whole{job.repetitions, 0, std::numeric_limits<std::int64_t>::max()},
             "Complete ones, in the background.");
  f.optional("alone_ps", OptionalPicoseconds{job.alone}, "Its run time without the other jobs.");
  f.optional("slowdown", WriteOnly{slowdown}, "run_time_ps / alone_ps - 1.");
  f.required("waits", job.waits, "Waiting times that are not 0, summed over its messages or ranks.");
}

void describe(Fields& f, JobMatrix& m) {
  std::vector<DurationOfJob> times;
  for (const auto d : m.alone) times.push_back({d});
  std::vector<std::vector<SlowdownCell>> cells;
  for (const auto& row : m.slowdown) {
    auto& written = cells.emplace_back();
    for (const auto& cell : row) written.push_back({cell});
  }
  f.about("How much each job slows each other one down: docs/how-to/jobs.md.");
  f.required("jobs", m.names, "Their names.");
  f.required("alone_ps", times, "The run time of each alone.");
  f.required(
      "slowdown", cells,
      "[job][other]: its run time beside the other, which is repeated, divided by that alone, minus 1. "
      "null for a job beside itself.");
  m.alone.clear();
  for (const auto& t : times) m.alone.push_back(t.time);
  m.slowdown.clear();
  for (const auto& row : cells) {
    auto& read = m.slowdown.emplace_back();
    for (const auto& cell : row) read.push_back(cell.value);
  }
}

std::string jobs_text(const std::vector<JobResult>& jobs) {
  TextTable table({"job", "ranks", "start", "run time", "alone", "slower by"});
  for (const auto& job : jobs) {
    auto time = job.run_time ? readable(*job.run_time) : std::string("-");
    if (job.background) time += fmt::format(" x {}", job.repetitions);
    table.add({job.name, readable(std::uint64_t{job.ranks}), readable(job.start), time,
               job.alone ? readable(*job.alone) : "-", slower_text(job.slowdown())});
  }
  auto text = table.text();
  TextTable waits({"job", "waited for", "held by", "time"});
  waits.align_left(1);
  waits.align_left(2);
  for (const auto& job : jobs)
    for (const auto& wait : job.waits)
      for (std::size_t by = 0; by < jobs.size() && by < wait.by_job.size(); ++by)
        if (wait.by_job[by] > Duration())
          waits.add({job.name, std::string(description_of(wait.place)),
                     jobs[by].name == job.name ? "itself" : jobs[by].name, readable(wait.by_job[by])});
  if (waits.has_rows()) text.append("\n").append(waits.text());
  return text;
}

std::string matrix_text(const JobMatrix& matrix) {
  std::vector<std::string> heading{"job", "alone"};
  for (const auto& name : matrix.names) heading.push_back("beside " + name);
  TextTable table(heading);
  for (std::size_t a = 0; a < matrix.names.size(); ++a) {
    std::vector<std::string> row{matrix.names[a], readable(matrix.alone[a])};
    for (const auto& cell : matrix.slowdown[a]) row.push_back(slower_text(cell));
    table.add(std::move(row));
  }
  return table.text();
}

std::string name_of_rank(const std::vector<JobResult>& jobs, std::uint32_t rank) {
  for (const auto& job : jobs)
    if (rank >= job.first_rank && rank - job.first_rank < job.ranks)
      return fmt::format("{} {}", job.name, rank - job.first_rank);
  return fmt::format("rank {}", rank);
}

}  // namespace busline
