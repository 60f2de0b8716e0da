// What several jobs on one machine do to each other, as text and JSON (docs/how-to/jobs.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "models/jobs/simulate_jobs.hpp"

namespace busline {

/// For documents: "links_out"; for readers: "output links".
std::string_view name_of(MeetingPlace place);
std::string_view description_of(MeetingPlace place);

/// Members of busline/result/1.
void describe(Fields& f, JobResult& job);
void describe(Fields& f, JobMatrix& matrix);

/// Tables: a row for each job; then, for each job that waited, for what and because of whom.
std::string jobs_text(const std::vector<JobResult>& jobs);
/// Rows are slowed down, columns slow them down.
std::string matrix_text(const JobMatrix& matrix);

/// The job of a rank and its number there, "jacobi 3"; "rank 3" without jobs.
std::string name_of_rank(const std::vector<JobResult>& jobs, std::uint32_t rank);

}  // namespace busline
