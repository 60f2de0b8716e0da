#include "measuring/runs/run_set_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline::measure {

void describe(Fields& f, RankPlace& p) {
  f.about("Where a rank ran.");
  f.required("host", p.host, "Name of its node.");
  f.required("node", Whole{p.node, 0, kMostRanks}, "Counted from 0 as hosts appear.");
  f.optional("core", Whole{p.core, 0, std::numeric_limits<std::int32_t>::max()},
             "Where the rank was when it ended.");
}

}  // namespace busline::measure

namespace busline::runs {

void describe(Fields& f, Borders& b) {
  f.about(
      "The timed part on each rank. Without from: from the return of MPI_Init; without to: to the entry of "
      "MPI_Finalize.");
  f.optional("from", CallText{b.from},
             "Begins when this call returns: MPI_Barrier:1 is each rank's first, MPI_Reduce:-3 its third "
             "from the end.");
  f.optional("to", CallText{b.to}, "Ends when this call is entered, named likewise.");
}

void describe(Fields& f, Disturbance& d) {
  f.optional("cpu_wait_ps", OptionalPicoseconds{d.cpu_wait},
             "Between MPI_Init and MPI_Finalize, ready to run and waiting for a CPU; of a run, on the rank "
             "where it was longest. Left out where the kernel does not count it, as the next two.");
  f.optional("throttled_ps", OptionalPicoseconds{d.throttled},
             "The same for the time in which control groups had used up their CPU time.");
  f.optional("preempted", Whole{d.preempted, 0, std::numeric_limits<std::int64_t>::max()},
             "Involuntary context switches; of a run, of all ranks together.");
}

void describe(Fields& f, Run& r) {
  f.about("A run without a tracer.");
  f.optional("time_ps", OptionalPicoseconds{r.time},
             "Time of the region, the longest over all ranks. Missing if and only if the run failed.");
  f.optional("rank_times_ps", measure::PicosecondsList{r.rank_times}, "By rank, all of them; or left out.");
  f.optional("wall_ps", OptionalPicoseconds{r.wall}, "From the start of the launcher to its end.");
  f.optional("exit_code", Whole{r.exit_code, 0, kMostExitCode},
             "Exit code of the launcher; 128 + N if signal N terminated it.");
  describe(f, r.disturbance);
}

void describe(Fields& f, TracedRun& t) {
  f.about("The traced run, with the members of a run and its trace.");
  f.required("trace", PathText{t.trace},
             "A .meta file or a folder with one: an absolute path, or one inside the document's folder.");
  describe(f, t.run);
}

void describe(Fields& f, RunSet& s) {
  f.about("docs/how-to/record.md explains every member. Names that end in _ps are picoseconds.");
  f.required("schema", SchemaName{kRunSetSchema});
  f.required("name", s.name, "Name of the program, for tables.");
  f.required("command", s.command,
             "As started: the launcher, {} where the program's words begin, and the program.");
  f.required("ranks", Whole{s.ranks, 1, measure::kMostRanks}, "Ranks of each run.");
  f.required("machine", s.machine);
  f.optional("placement", s.placement, "By rank, all of them; or left out.");
  f.optional("region", s.region);
  f.required("runs", s.runs, "In the order in which they were made.");
  f.optional("traced", s.traced);
  f.optional("environment", Variables{s.environment}, "Variables that affect how programs run.");
  f.required("provenance", s.provenance);
}

}  // namespace busline::runs
