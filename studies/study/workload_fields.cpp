#include "studies/study/workload_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, TraceChoice& t) {
  auto& d = t.options.dumpi;
  f.about("A trace or a Program file, and how it is read.");
  f.required("path", t.path, "The path of a trace or a Program file.");
  f.optional("compute_scale", NotNegative{d.compute_scale},
             "Factor on the traced duration of computation; for DUMPI traces only, like the members below.");
  f.optional("cpu_time", d.cpu_time,
             "Computation lasts the elapsed CPU time, not the wall time; false if left out.");
  f.optional("keep_io", d.keep_io, "File calls take as long as in the traced run; otherwise no time.");
  f.optional(
      "rematch_wildcards", d.rematch_wildcards,
      "Match wildcard receives with the message that arrives first, not the traced one; false if left out.");
  f.optional("salvage", d.salvage,
             "Use the intact part of a damaged or incomplete trace, which is otherwise an error.");
  f.optional("scale",
             DescribedList{t.options.scales,
                           [](Fields& of, std::size_t, RegionScale& scale) {
                             of.required(
                                 "region", scale.region,
                                 "Between two calls ('MPI_Bcast..MPI_Send'), a call whose own time counts "
                                 "('MPI_File_*'), or a user event ('solve').");
                             of.required("factor", NotNegative{scale.factor}, "Factor on the duration.");
                           }},
             "Computation of some regions, made longer or shorter; for traces of all formats.");
}

void describe(Fields& f, BenchmarkChoice& b) {
  f.about("A benchmark on the simulated machine, whose value is the result.");
  f.required("measure", Choice<BenchmarkChoice::Kind>{b.kind, kBenchmarkNames},
             "Half a round trip between two nodes, bytes per second between the halves of the ranks, or the "
             "time of a "
             "job launch (ZiaTest).");
  f.optional("size", b.size, "Message size: 1 B for latency, 1 MiB for bisection.");
  f.optional("ranks", Whole{b.ranks, 0, 10'000'000}, "For bisection; 0: one on each node.");
  f.optional("nodes", Whole{b.nodes, 0, 10'000'000}, "For launch; 0: all.");
  f.optional("ranks_per_node", Whole{b.ranks_per_node, 1, 10'000'000}, "For launch.");
}

}  // namespace busline
