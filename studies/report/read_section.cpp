#include "studies/report/read_section.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "documents/fields/document.hpp"
#include "documents/fields/printable.hpp"
#include "measuring/measurement/measurement_json.hpp"
#include "studies/report/curve_section.hpp"
#include "studies/report/find_section.hpp"
#include "studies/report/measurement_section.hpp"
#include "studies/report/read_run.hpp"
#include "studies/report/run_section.hpp"
#include "studies/report/study_section.hpp"
#include "studies/report/timeline_section.hpp"
#include "studies/report/traffic_section.hpp"
#include "studies/report/validation_section.hpp"
#include "studies/report/why_figures.hpp"
#include "studies/study/store.hpp"

namespace busline::report {
namespace {

using Reader = Expected<Section> (*)(const Document& document);

// A new kind is a line here.
constexpr std::array<std::pair<std::string_view, Reader>, 6> kKinds{{
    {"busline/result/1",
     [](const Document& d) {
       return read_run(d).and_then([&](const SimulateReport& run) -> Expected<Section> {
         auto section = run_section(run, d.path());
         auto why = read_why(d);
         if (!why) return tl::unexpected(std::move(why.error()));
         if (*why) add_why(**why, section);
         return section;
       });
     }},
    {"busline/measurement/1",
     [](const Document& d) {
       return measure::parse_measurement(d).map(
           [&](const measure::Measurement& m) { return measurement_section(m, d.path()); });
     }},
    {"busline/validation/1",
     [](const Document& d) {
       return read_validation(d).map([&](const Validation& v) { return validation_section(v, d.path()); });
     }},
    {"busline/trace-statistics/1",
     [](const Document& d) {
       return read_traffic(d).map([&](const Traffic& t) { return traffic_section(t, d.path()); });
     }},
    {"busline/curve/1",
     [](const Document& d) {
       return read_curve(d).map([&](const StoredCurve& c) { return curve_section(c, d.path()); });
     }},
    {"busline/study-find/1",
     [](const Document& d) {
       return read_find(d).map([&](const StoredFind& f) { return find_section(f, d.path()); });
     }},
}};

Error unknown(const std::string& path, std::string message) {
  return file_error(Error::Kind::bad_input, path, std::move(message),
                    "a report takes results of 'busline study run -o', documents of 'simulate --json', "
                    "'validate --json', 'inspect --stats --json', 'curve --json' and 'study find --json', "
                    "timelines of 'simulate --timeline "
                    "FILE.json', and measurements of 'busline measure -o'");
}

}  // namespace

Expected<Section> read_section(const std::string& path, double within) {
  if (is_store(path)) {
    const auto store = Store::open(path, Store::Mode::read);
    if (!store) return tl::unexpected(store.error());
    return study_section(*store, within);
  }
  const auto document = Document::read(path);
  if (!document) {
    auto error = document.error();
    if (error.hint.empty() && error.message.starts_with("is larger than"))
      error.hint =
          "a timeline may be of fewer ranks (--timeline-ranks) or of a part of the run (--time-range)";
    return tl::unexpected(std::move(error));
  }
  return section_of(*document);
}

Expected<Section> section_of(const Document& document) {
  const auto& path = document.path();
  if (is_timeline(document))
    return read_timeline(document).map(
        [&](ReadTimeline&& timeline) { return timeline_section(std::move(timeline), path); });
  const auto& root = document.root();
  const auto schema = root.is_object() ? root.find("schema") : root.end();
  if (!root.is_object() || schema == root.end() || !schema->is_string())
    return tl::unexpected(unknown(path, "is not a Busline document: it does not name its schema"));
  const auto& name = schema->get_ref<const std::string&>();
  for (const auto& [known, reader] : kKinds)
    if (name == known) return reader(document);
  return tl::unexpected(unknown(path, fmt::format("a report cannot show '{}'", printable(name))));
}

}  // namespace busline::report
