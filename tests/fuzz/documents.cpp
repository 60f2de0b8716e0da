#include "tests/fuzz/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "studies/report/page_data.hpp"
#include "studies/report/read_section.hpp"
#include "studies/study/points.hpp"
#include "studies/study/study.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace busline::fuzz {
namespace {

// A Latin hypercube has a list as long as its points for each axis.
constexpr std::uint64_t kMostSampled = 1000;

std::string fault_in_points(const Study& study) {
  if (study.sampling.points > kMostSampled) return {};
  const auto points = Points::of(study.axes, study.sampling);
  if (!points) return "a study without points was read: " + to_string(points.error());
  for (const std::uint64_t p : {std::uint64_t{0}, points->count() / 2, points->count() - 1})
    if (points->at(p).size() != points->axes().size()) return fmt::format("point {} lacks values", p);
  return {};
}

}  // namespace

std::string fault_in_study(std::string_view text) {
  const auto study = parse_study(std::string(text), kInput, "");
  if (!study) return fault_in_error(study.error(), text);
  const auto again = parse_study(study->document, kInput, "");
  if (!again) return "its own document cannot be read: " + to_string(again.error());
  if (!std::ranges::equal(again->axes, study->axes, {}, &Axis::values, &Axis::values))
    return "its own document has other axes";
  return fault_in_points(*study);
}

std::string fault_in_reported(std::string_view bytes) {
  static MemoryFile file;
  file.write(bytes);
  auto section = report::read_section(file.path());
  if (!section) return fault_in_error(section.error(), bytes);
  report::Report whole;
  whole.sections.push_back(*std::move(section));
  const auto data = report::page_data(whole);
  if (data.find('<') != std::string::npos) return "the page's data could end its script: " + data;
  return {};
}

}  // namespace busline::fuzz
