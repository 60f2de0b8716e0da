#include "measuring/runs/run_set_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline::measure {

void describe(Fields& f, RankPlace& p) {
  f.required("host", p.host);
  f.required("node", Whole{p.node, 0, kMostRanks});
  f.optional("core", Whole{p.core, 0, std::numeric_limits<std::int32_t>::max()});
}

}  // namespace busline::measure

namespace busline::runs {

void describe(Fields& f, Borders& b) {
  f.optional("from", CallText{b.from});
  f.optional("to", CallText{b.to});
}

void describe(Fields& f, Run& r) {
  f.optional("time_ps", measure::OptionalPicoseconds{r.time});
  f.optional("rank_times_ps", measure::PicosecondsList{r.rank_times});
  f.optional("wall_ps", measure::OptionalPicoseconds{r.wall});
  f.optional("exit_code", Whole{r.exit_code, 0, kMostExitCode});
}

void describe(Fields& f, TracedRun& t) {
  f.required("trace", PathText{t.trace});
  describe(f, t.run);
}

void describe(Fields& f, RunSet& s) {
  f.required("schema", SchemaName{kRunSetSchema});
  f.required("name", s.name);
  f.required("command", s.command);
  f.required("ranks", Whole{s.ranks, 1, measure::kMostRanks});
  f.required("machine", s.machine);
  f.optional("placement", s.placement);
  f.optional("region", s.region);
  f.required("runs", s.runs);
  f.optional("traced", s.traced);
  f.optional("environment", Variables{s.environment});
  f.required("provenance", s.provenance);
}

}  // namespace busline::runs
