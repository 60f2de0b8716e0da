#include "measuring/measurement/measurement.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace busline::measure {

Point point_of(std::uint64_t argument, const Repeated& measured, std::vector<Duration> samples) {
  Point p;
  p.argument = argument;
  p.result_ps = measured.result;
  p.count = measured.count;
  p.stop = measured.stop;
  p.settled = measured.settled;
  p.time_ps = measured.summary;
  p.samples = std::move(samples);
  return p;
}

void sort_points(Suite& suite) {
  std::sort(suite.points.begin(), suite.points.end(), [](const Point& a, const Point& b) {
    return std::tie(a.ranks, a.argument) < std::tie(b.ranks, b.argument);
  });
}

}  // namespace busline::measure
