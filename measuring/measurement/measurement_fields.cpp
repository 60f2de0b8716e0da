#include "measuring/measurement/measurement_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline::measure {

void describe(Fields& f, Measurement& m) {
  f.about(
      "docs/reference/measuring.md explains every member. Names that end in _ps are picoseconds. Everything "
      "except 'provenance' is byte-identical for the same simulated measurement.");
  f.required("schema", SchemaName{kMeasurementSchema});
  f.required("testbed", Choice<TestbedKind>{m.testbed, kTestbedNames},
             "What ran: a simulated machine, real MPI, or one process without MPI.");
  f.required("machine", m.machine);
  f.optional("clock", m.clock);
  f.optional("merged", m.merged);
  f.optional("budget", m.budget);
  f.required("suites", m.suites, "Measurements, each of one quantity over one argument.");
  f.required("provenance", m.provenance);
}

void describe(Fields& f, MeasuredMachine& m) {
  f.about("The measured machine; unknown members are left out.");
  f.required("name", m.name, "The name of the machine; for a simulated one, the name of its platform.");
  f.optional("nodes", m.nodes, "Host names, by number of the node.");
  f.optional("cpus_per_node", Whole{m.cpus_per_node, 1, kMostRanks},
             "CPUs of a node; left out if not known.");
  f.optional("cpu_model", m.cpu_model, "Name of the CPU; left out if not known.");
  f.optional(
      "mpi", m.mpi,
      "First line of MPI_Get_library_version; of a simulated machine, the library whose choices it has.");
  f.optional("pinning", m.pinning, "How ranks are bound to CPUs, in words; left out if not known.");
  f.optional("scheduler_job", m.scheduler_job, "The scheduler's name of the job; left out without one.");
  f.optional("hwloc_xml", m.hwloc_xml, "hwloc's description of a node, as XML; left out if there is none.");
}

void describe(Fields& f, MeasuringClock& c) {
  f.about("The clock that timed the samples.");
  f.required("source", c.source, "simulated, MPI_Wtime, clock_gettime, ...");
  f.required("tick_ps", Picoseconds{c.tick}, "The smallest difference seen between two readings.");
  f.required("overhead_ps", Picoseconds{c.overhead}, "The duration of a reading.");
}

void describe(Fields& f, MergedFrom& m) {
  f.about("For merged measurements: what was merged, and how.");
  f.required("rule", Choice<MergeRule>{m.rule, kMergeRuleNames},
             "The weight of a run in the median: its number of samples, or equal for all.");
  f.required("files", m.files, "The documents that were merged.");
}

void describe(Fields& f, BudgetUse& b) {
  f.about(
      "The time available to the run, on the testbed's own clock: simulated time on a simulated testbed.");
  f.required("limit_ps", Picoseconds{b.limit}, "The time limit of the run.");
  f.required("used_ps", Picoseconds{b.used}, "The time that the run used.");
  f.optional("left_out", b.left_out, "Suites for which no time was left.");
}

void describe(Fields& f, Suite& s) {
  f.about("A measurement of one quantity over one argument.");
  f.required("name", s.name, "Unique in the document; merging and comparing match it.");
  f.required("operation", s.operation, "The call: 'MPI_Send / MPI_Recv', or a benchmark's own term.");
  f.required("pattern", Choice<Pattern>{s.pattern, kPatternNames},
             "How ranks work together in one single measurement.");
  f.required("time", Choice<TimeOf>{s.time, kTimeOfNames}, "What a sample times.");
  f.required("varies", Choice<Varies>{s.varies, kVariesNames}, "The unit of a point's argument.");
  f.optional("class", Choice<std::optional<RouteClass>>{s.route_class, kRouteClassNames},
             "Which part of the machine the messages cross.");
  f.optional("bytes", Whole{s.bytes, 0, kMostCount}, "Message size, where that does not vary.");
  f.optional("chunks", Whole{s.chunks, 0, kMostCount}, "Pieces of work, where that does not vary.");
  f.required("ranks", Wholes{s.ranks, 0, kMostRanks}, "The ranks that took part.");
  f.optional("nodes", Wholes{s.nodes, 0, kMostRanks}, "The node of each of these ranks.");
  f.optional("concurrent", Whole{s.concurrent, 1, kMostRanks},
             "Pairs that were active at once, where that does not vary.");
  f.required("messages", Whole{s.messages, 0, kMostRanks}, "Sent by each sender per sample.");
  f.required("warmup", Whole{s.warmup, 0, kMostRanks}, "Calls before the first sample.");
  f.optional("lead_in", Choice<LeadIn>{s.lead_in, kLeadInNames}, "What ranks do before each sample.");
  f.optional("element", Whole{s.element, 1, 16},
             "Bytes of the numbers that a reduction combines, where its length is a multiple of them.");
  f.optional("buffers", Whole{s.buffers, 1, kMostRanks}, "Used in turn by the messages of a rank.");
  f.optional("launch", s.launch);
  f.optional("overhead_ps", NotNegative{s.overhead_ps.value}, "What was subtracted from each result.");
  f.optional("overhead_standard_error_ps", NotNegative{s.overhead_ps.standard_error},
             "Standard error of overhead_ps.");
  f.optional("repetition", s.repetition);
  f.optional("ended_by", Choice<std::optional<SuiteEnd>>{s.ended_by, kSuiteEndNames},
             "What ended it before everything planned was measured.");
  f.required("points", s.points, "Ascending by ranks, then argument, without repeats.");
}

void describe(Fields& f, RepetitionRules& r) {
  f.about("How often a measurement was to be repeated.");
  f.required("rule", Choice<StopRule>{r.rule, kStopRuleNames},
             "The quantity that had to be small enough, relative to the mean or the median.");
  f.required("precision", NotNegative{r.precision}, "How small it had to be: a share, such as 0.03.");
  f.required("min_repetitions", Whole{r.min_repetitions, 0, kMostRepetitions},
             "Minimum samples of each point, unless a limit came first.");
  f.required("max_repetitions", Whole{r.max_repetitions, 1, kMostRepetitions},
             "Maximum samples of each point.");
  f.optional("time_limit_ps", OptionalPicoseconds{r.time_limit},
             "For a point: no sample starts after this time; left out if there is no limit.");
  f.required("cut_quantile", NotNegative{r.cut_quantile, 0.5},
             "Share of the samples that was cut off at each end to form the result.");
}

void describe(Fields& f, Point& p) {
  f.about("A suite at one argument.");
  f.required("argument", Whole{p.argument, 0, kMostCount}, "0 if nothing varies.");
  f.optional("ranks", Wholes{p.ranks, 0, kMostRanks},
             "The ranks involved, where they are not the suite's ranks.");
  f.required("result_ps", NotNegative{p.result_ps.value}, "Formed from the samples, less the overhead.");
  f.required("standard_error_ps", NotNegative{p.result_ps.standard_error}, "Standard error of result_ps.");
  f.required("count", Whole{p.count, 0, kMostCount}, "Samples that form the result.");
  f.optional("stop", Choice<std::optional<Stop>>{p.stop, kStopNames}, "Why it was not repeated further.");
  f.optional("settled", p.settled, "Whether it has the requested precision.");
  f.optional("refined", p.refined, "Whether its argument was outside the suite's grid.");
  f.optional("interpolated", p.interpolated, "Not measured, but interpolated between measured points.");
  f.optional("batch", Whole{p.batch, 1, kMostRanks},
             "Calls timed together because the clock is too coarse for one.");
  f.optional("merged", p.merged);
  f.optional("time_ps", p.time_ps);
  f.optional("samples_ps", PicosecondsList{p.samples}, "All samples, in the order in which they were taken.");
  f.optional("node_results_ps", Numbers{p.node_results_ps}, "The same as result_ps on each of the ranks.");
  f.optional("launch", p.launch);
}

void describe(Fields& f, LaunchSubject& l) {
  f.about("The ZiaTest launches, one for each number of nodes.");
  f.required("variant", Choice<ziatest::Variant>{l.variant, kVariantNames},
             "Variant of the exchange: as described, or as the program performs it.");
  f.required("ranks_per_node", Whole{l.ranks_per_node, 1, kMostRanks}, "Ranks on each node.");
  f.required("image_bytes", Whole{l.image_bytes, 0, kMostCount}, "Size of the executable.");
}

void describe(Fields& f, LaunchDetails& l) {
  f.about("What ZiaTest reports about a launch besides its time.");
  f.required("slowest_rank", Whole{l.slowest_rank, 0, kMostRanks}, "The rank that took the last time stamp.");
  f.optional("phases", l.phases, "In order; none if not known.");
}

void describe(Fields& f, PointSpread& s) {
  f.about("What merging several runs found for a point.");
  f.required("runs", Whole{s.runs, 1, kMostCount}, "Runs with a value here.");
  f.optional("interpolated_runs", Whole{s.interpolated_runs, 0, kMostCount},
             "Those of them that did not measure here.");
  f.required("results_ps", s.results_ps, "The smallest and the largest of their results.");
}

void describe(Fields& f, Summary& s) {
  f.about(
      "Over all samples, in the unit of the member's name. Quantiles follow Hyndman and Fan's definition 7.");
  f.required("count", Whole{s.count, 1, kMostCount}, "Number of samples.");
  f.required("min", NotNegative{s.min}, "The smallest sample.");
  f.required("p1", NotNegative{s.p1}, "1st percentile.");
  f.required("p10", NotNegative{s.p10}, "10th percentile.");
  f.required("p25", NotNegative{s.p25}, "25th percentile.");
  f.required("median", NotNegative{s.median}, "50th percentile.");
  f.required("p75", NotNegative{s.p75}, "75th percentile.");
  f.required("p90", NotNegative{s.p90}, "90th percentile.");
  f.required("p99", NotNegative{s.p99}, "99th percentile.");
  f.required("max", NotNegative{s.max}, "The largest sample.");
  f.required("mean", NotNegative{s.mean}, "Arithmetic mean of all samples.");
  f.required("standard_deviation", NotNegative{s.standard_deviation}, "Of the samples.");
  f.required("standard_error", NotNegative{s.standard_error}, "Of the mean.");
  f.optional("median_interval", s.median_interval,
             "95 %, from order statistics; absent for fewer than 6 samples.");
  f.required("outliers", Whole{s.outliers, 0, kMostCount},
             "Samples beyond Tukey's fences. All statistics include them.");
}

}  // namespace busline::measure

namespace busline::ziatest {

void describe(Fields& f, PhaseTime& t) {
  f.about("A phase of the launch that each rank passes before its time stamp.");
  f.required("phase", Choice<Phase>{t.phase, measure::kPhaseNames},
             "The command reaches the node, the executable arrives, the daemon gets ready, processes start, "
             "MPI_Init, the exchange.");
  f.required(
      "critical_ps", Picoseconds{t.critical},
      "How much later the last rank finishes this phase than the last rank finished the previous phase.");
  f.required("slowest_rank_ps", Picoseconds{t.slowest_rank}, "The time of the slowest rank itself.");
}

}  // namespace busline::ziatest
