#include "studies/study/workload_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, TraceChoice& t) {
  auto& d = t.options.dumpi;
  f.required("path", t.path);
  f.optional("compute_scale", NotNegative{d.compute_scale});
  f.optional("cpu_time", d.cpu_time);
  f.optional("keep_io", d.keep_io);
  f.optional("rematch_wildcards", d.rematch_wildcards);
  f.optional("salvage", d.salvage);
  f.optional("scale", DescribedList{t.options.scales, [](Fields& of, std::size_t, RegionScale& scale) {
                                      of.required("region", scale.region);
                                      of.required("factor", NotNegative{scale.factor});
                                    }});
}

void describe(Fields& f, BenchmarkChoice& b) {
  f.required("measure", Choice<BenchmarkChoice::Kind>{b.kind, kBenchmarkNames});
  f.optional("size", b.size);
  f.optional("ranks", Whole{b.ranks, 0, 10'000'000});
  f.optional("nodes", Whole{b.nodes, 0, 10'000'000});
  f.optional("ranks_per_node", Whole{b.ranks_per_node, 1, 10'000'000});
}

}  // namespace busline
