#include "cli/optional_parts.hpp"

#include "models/flow/plugin.hpp"
#include "platforms/topology/graph_file.hpp"
#include "sim/base/shared_library.hpp"
#include "studies/study/team.hpp"
#include "studies/timeline/format.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::cli {
namespace {

bool writes_otf2() {
  return timeline::format_of("x.otf2").has_value();
}

// For a part loaded on demand: the reason why it cannot be loaded.
template <class Loaded>
OptionalPart loadable(const char* name, const char* gives, const Expected<Loaded>& loaded,
                      const std::string& how_to_get) {
  OptionalPart part{name, gives, loaded.has_value(), {}};
  if (!loaded) part.how_to_get.append(loaded.error().message).append("; ").append(how_to_get);
  return part;
}

}  // namespace

std::vector<OptionalPart> optional_parts() {
  return {{"zlib", "reads gzip-compressed traces", can_unpack("gzip"), how_to_build_with("zlib1g-dev")},
          {"liblzma", "reads xz-compressed traces", can_unpack("xz"), how_to_build_with("liblzma-dev")},
          loadable("SimGrid", "also solves the flows of --model flow with SimGrid", load_flows(),
                   how_to_get_simgrid_flows()),
          {"Boost.Graph", "reads topologies in DOT", can_read_dot(), how_to_link_with("libboost-graph-dev")},
          {"OTF2", "writes timelines in OTF2", writes_otf2(), how_to_build_with("libopen-trace-format2-dev")},
          loadable("MPI", "runs one study in several processes", load_team(), how_to_get_team())};
}

}  // namespace busline::cli
