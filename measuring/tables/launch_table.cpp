#include "measuring/tables/launch_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "measuring/measurement/measurement_fields.hpp"

namespace busline {
namespace {

using namespace measure;

Duration time_of(const Point& p) {
  return Duration::from_double(p.result_ps.value);
}

// As many cells as there are phases; "-" where they are not known.
void add_phases(std::vector<std::string>& row, const Point& p, const TimeColumn& time) {
  for (const auto& [name, phase] : kPhaseNames) {
    std::string cell = "-";
    if (p.launch)
      for (const auto& t : p.launch->phases)
        if (t.phase == phase) cell = time(t.critical);
    row.push_back(std::move(cell));
  }
}

}  // namespace

std::string to_text(const LaunchSubject& launch) {
  const auto* const name = std::find_if(kVariantNames.begin(), kVariantNames.end(),
                                        [&](const auto& v) { return v.second == launch.variant; });
  return fmt::format("variant {}, {} per node, an executable of {}", name->first,
                     readable(launch.ranks_per_node, "rank"), readable(Bytes{launch.image_bytes}));
}

std::string launch_table(const Suite& suite) {
  Duration largest;
  for (const auto& p : suite.points) largest = std::max(largest, time_of(p));
  const TimeColumn time(largest);
  std::vector<std::string> heading{"nodes", "ranks", fmt::format("time [{}]", time.unit)};
  for (const auto& [name, phase] : kPhaseNames) heading.emplace_back(name);
  heading.emplace_back("slowest rank");
  TextTable table(std::move(heading));
  for (const auto& p : suite.points) {
    std::vector<std::string> row{readable(p.argument), readable(p.argument * suite.launch->ranks_per_node),
                                 time(time_of(p))};
    add_phases(row, p, time);
    row.push_back(p.launch ? readable(std::uint64_t{p.launch->slowest_rank}) : "-");
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace busline
