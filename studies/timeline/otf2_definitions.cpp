#include "studies/timeline/otf2_definitions.hpp"

#ifdef BUSLINE_HAS_OTF2
#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace busline::timeline {
namespace {

class Definitions {
 public:
  Definitions(OTF2_GlobalDefWriter* to, const Writing& writing, const Otf2Numbers& numbers,
              const std::vector<std::uint64_t>& events_of, Otf2Errors& errors)
      : to_(to),
        writing_(writing),
        timeline_(writing.timeline),
        numbers_(numbers),
        events_of_(events_of),
        errors_(errors) {}

  void write() {
    constexpr std::uint64_t kPicoseconds = 1'000'000'000'000;
    errors_.keep(OTF2_GlobalDefWriter_WriteClockProperties(
        to_, kPicoseconds, static_cast<std::uint64_t>(writing_.begin),
        static_cast<std::uint64_t>(writing_.end - writing_.begin), OTF2_UNDEFINED_TIMESTAMP));
    empty_ = text("");
    const auto calls = timeline_.calls.size();
    const auto& used = numbers_.used_regions();
    for (OTF2_RegionRef self = 0; self < used.size(); ++self) {
      if (const auto index = used[self]; index < calls)
        define(self, timeline_.calls[index], OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION);
      else  // not of the program: readers of workloads leave these out
        define(self, std::string(kStateNames[index - calls]), OTF2_PARADIGM_USER,
               OTF2_REGION_ROLE_ARTIFICIAL);
    }
    for (const auto& [type, self] : numbers_.parameters())
      errors_.keep(OTF2_GlobalDefWriter_WriteParameter(to_, self, text(fmt::format("user event {}", type)),
                                                       OTF2_PARAMETER_TYPE_INT64));
    places();
    groups();
  }

 private:
  OTF2_StringRef text(const std::string& s) {
    errors_.keep(OTF2_GlobalDefWriter_WriteString(to_, strings_, s.c_str()));
    return strings_++;
  }
  void define(OTF2_RegionRef self, const std::string& name, OTF2_Paradigm paradigm, OTF2_RegionRole role) {
    const auto n = text(name);
    errors_.keep(OTF2_GlobalDefWriter_WriteRegion(to_, self, n, n, empty_, role, paradigm,
                                                  OTF2_REGION_FLAG_NONE, empty_, 0, 0));
  }
  void places() {
    const auto machine = text("machine"), node = text("node");
    errors_.keep(OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 0, text(timeline_.title), machine,
                                                          OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (std::uint32_t n = 0; n < timeline_.nodes.size(); ++n)
      errors_.keep(OTF2_GlobalDefWriter_WriteSystemTreeNode(
          to_, n + 1, text(fmt::format("node {}", timeline_.nodes[n].number)), node, 0));
    const auto& first = numbers_.first_tracks();
    for (std::uint32_t task = 0; task < first.size(); ++task) {
      const auto& t = timeline_.tracks[first[task]];
      errors_.keep(OTF2_GlobalDefWriter_WriteLocationGroup(to_, task, text(timeline_.name_of(t)),
                                                           OTF2_LOCATION_GROUP_TYPE_PROCESS, t.node + 1,
                                                           OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i)
      errors_.keep(OTF2_GlobalDefWriter_WriteLocation(to_, i, text(timeline_.name_of(timeline_.tracks[i])),
                                                      OTF2_LOCATION_TYPE_CPU_THREAD, events_of_[i],
                                                      numbers_.task_of_track(i)));
  }
  // The locations of ranks, then the groups, whose members are indices into those.
  void groups() {
    const auto& first = numbers_.first_tracks();
    std::vector<std::uint64_t> members(first.begin(), first.end());
    errors_.keep(OTF2_GlobalDefWriter_WriteGroup(to_, 0, empty_, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                 OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                 static_cast<std::uint32_t>(members.size()), members.data()));
    for (std::uint32_t c = 0; c < timeline_.communicators.size(); ++c) {
      members.clear();
      for (const auto rank : timeline_.communicators[c].members)
        members.push_back(numbers_.task_of_rank(rank));
      if (members.empty()) continue;
      errors_.keep(OTF2_GlobalDefWriter_WriteGroup(
          to_, c + 1, empty_, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
          static_cast<std::uint32_t>(members.size()), members.data()));
      const auto name = c == 0 ? std::string("MPI_COMM_WORLD") : fmt::format("communicator {}", c);
      errors_.keep(OTF2_GlobalDefWriter_WriteComm(to_, c, text(name), c + 1, OTF2_UNDEFINED_COMM,
                                                  OTF2_COMM_FLAG_NONE));
    }
  }

  OTF2_GlobalDefWriter* to_;
  const Writing& writing_;
  const Timeline& timeline_;
  const Otf2Numbers& numbers_;
  const std::vector<std::uint64_t>& events_of_;
  Otf2Errors& errors_;
  OTF2_StringRef strings_ = 0, empty_ = 0;
};

}  // namespace

void write_otf2_definitions(OTF2_GlobalDefWriter* to, const Writing& writing, const Otf2Numbers& numbers,
                            const std::vector<std::uint64_t>& events_of, Otf2Errors& errors) {
  Definitions(to, writing, numbers, events_of, errors).write();
}

}  // namespace busline::timeline
#endif
