#include "measuring/runs/times_file.hpp"

#include <limits>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/runs/run_set_fields.hpp"

namespace busline::runs {

void describe(Fields& f, TimedRank& r) {
  f.required("host", r.host);
  f.optional("core", Whole{r.core, 0, std::numeric_limits<std::int32_t>::max()});
  f.required("cores", Whole{r.cores, 0, measure::kMostRanks});
  f.required("time_ps", Picoseconds{r.time});
  describe(f, r.disturbance);
  f.required("made_from", r.made_from);
  f.required("made_to", r.made_to);
}

void describe(Fields& f, TimesFile& t) {
  f.required("schema", SchemaName{"busline/run-times/1"});
  f.required("mpi", t.mpi);
  f.required("cpu_model", t.cpu_model);
  f.required("cpus", Whole{t.cpus, 1, measure::kMostRanks});
  f.required("ranks", t.ranks);
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
