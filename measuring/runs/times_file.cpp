#include "measuring/runs/times_file.hpp"

#include <limits>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/runs/run_set_fields.hpp"

namespace busline::runs {

void describe(Fields& f, TimedRank& r) {
  f.required("host", r.host, "Where the rank ran.");
  f.optional("core", Whole{r.core, 0, std::numeric_limits<std::int32_t>::max()},
             "Where the rank was when it ended; left out if not known.");
  f.required("cores", Whole{r.cores, 0, measure::kMostRanks}, "Number that the rank may use; 0: not known.");
  f.required("time_ps", Picoseconds{r.time}, "The time of the region on this rank.");
  describe(f, r.disturbance);
  f.required("made_from", r.made_from,
             "Whether the rank made the call that starts the region; true if none is named.");
  f.required("made_to", r.made_to, "Likewise of the call that it ends with.");
}

void describe(Fields& f, TimesFile& t) {
  f.about("docs/how-to/record.md. Written when the program ends, and read at once into a run set.");
  f.required("schema", SchemaName{"busline/run-times/1"});
  f.required("mpi", t.mpi, "First line of MPI_Get_library_version.");
  f.required("cpu_model", t.cpu_model, "From rank 0's node; empty if not known.");
  f.required("cpus", Whole{t.cpus, 1, measure::kMostRanks}, "From rank 0's node.");
  f.required("ranks", NotEmpty{t.ranks}, "By rank.");
}

Expected<void> check(const Cursor& at, const TimesFile& t) {
  if (t.ranks.empty()) return tl::unexpected(at.member("ranks")->expected("at least one rank"));
  return {};
}

Expected<TimesFile> read_times_file(const std::string& path) {
  const auto document = Document::read(path);
  if (!document) return tl::unexpected(document.error());
  TimesFile times;
  if (auto read = read_value(Cursor(*document), times); !read) return tl::unexpected(std::move(read.error()));
  return times;
}

}  // namespace busline::runs
