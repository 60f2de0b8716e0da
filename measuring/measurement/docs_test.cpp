// docs/reference/measuring.md is right about the measurement file: its example reads, and its tables name
// what there is.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

#include "documents/fields/object.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/measurement/measurement_json.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

std::string page() {
  std::ifstream file(BUSLINE_SOURCE_DIR "/docs/reference/measuring.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
void check_named(const std::string& text) {
  T value{};
  for (const auto& key : fields::keys_of(fields::Object(value)).known)
    CHECK_MESSAGE(text.find('`' + key + '`') != std::string::npos, key);
}

}  // namespace

TEST_CASE("the example of docs/reference/measuring.md reads, and its figures are those of its samples") {
  const auto text = page();
  const std::string fence = "```json\n";
  const auto begin = text.find(fence) + fence.size();
  const auto m = parse_measurement(text.substr(begin, text.find("```", begin) - begin), "measuring.md");
  if (!m) FAIL(to_string(m.error()));
  const auto& suite = m->suites.at(0);
  const auto& point = suite.points.at(0);
  RepetitionControl control(*suite.repetition);
  Duration elapsed;
  std::optional<Stop> stop;
  for (const auto sample : point.samples) stop = control.add(sample, elapsed += sample);
  CHECK(stop == point.stop);
  const auto outcome = control.outcome();
  CHECK(outcome.result == point.result_ps);
  CHECK(outcome.count == point.count);
  CHECK(outcome.summary.p1 == doctest::Approx(point.time_ps->p1));
  CHECK(outcome.summary.p25 == doctest::Approx(point.time_ps->p25));
  CHECK(outcome.summary.p90 == doctest::Approx(point.time_ps->p90));
  CHECK(outcome.summary.mean == doctest::Approx(point.time_ps->mean));
  CHECK(outcome.summary.standard_deviation == doctest::Approx(point.time_ps->standard_deviation));
  CHECK(outcome.summary.standard_error == doctest::Approx(point.time_ps->standard_error));
  CHECK(outcome.summary.outliers == point.time_ps->outliers);
}

TEST_CASE("docs/reference/measuring.md names every member and every pattern of a measurement file") {
  const auto text = page();
  check_named<MeasuredMachine>(text);
  check_named<Suite>(text);
  check_named<Point>(text);
  for (const auto& named : kPatternNames)
    CHECK_MESSAGE(text.find(fmt::format("`{}`", named.first)) != std::string::npos, named.first);
}
