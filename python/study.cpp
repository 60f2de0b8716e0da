// Studies in Python: they run as those of 'busline study run', and their results are columns.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "cli/study.hpp"
#include "documents/text/json_document.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "studies/report/page.hpp"
#include "studies/report/study_section.hpp"
#include "studies/study/axis_number.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/run_study.hpp"
#include "studies/study/study_report.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

/// Its store is for one thread at a time, which the GIL is.
struct ResultsObject {
  std::shared_ptr<Store> store;
  std::vector<std::string> warnings;
};

struct StudyRequest {
  std::string document, name, folder, output;
  unsigned threads = 0;
  bool retry = false;
};

Expected<ResultsObject> run_requested(const StudyRequest& request,
                                      const std::shared_ptr<Supervision>& supervision) {
  auto study = parse_study(request.document, request.name, request.folder);
  if (!study) return tl::unexpected(std::move(study.error()));
  Diagnostics diagnostics;
  const auto cases = Cases::of(*std::move(study), diagnostics);
  if (!cases) return tl::unexpected(cases.error());
  WorkloadPool workloads;
  // Reports a misspelt name before creating a results file.
  if (const auto first = cases->at(0))
    if (const auto found = workloads.deciding_text(first->workload); !found)
      return tl::unexpected(found.error());
  auto store = Store::open(request.output.empty() ? ":memory:" : request.output, Store::Mode::create);
  if (!store) return tl::unexpected(std::move(store.error()));
  if (auto begun = store->begin(stored(cases->study(), cases->points().count())); !begun)
    return tl::unexpected(std::move(begun.error()));
  RunStudyOptions how;
  how.threads = request.threads > 0 ? request.threads : cli::usual_threads();
  how.retry = request.retry;
  how.program = cli::version_and_commit();
  how.stop = [supervision] { return supervision->stop.load(); };
  how.progress = [supervision](const StudyProgress& p) {
    supervision->share =
        static_cast<double>(p.stored) / static_cast<double>(std::max<std::uint64_t>(p.points, 1));
  };
  if (const auto done = run_study(*cases, workloads, *store, how); !done) return tl::unexpected(done.error());
  const auto after = workloads.diagnostics();
  diagnostics.insert(diagnostics.end(), after.begin(), after.end());
  return ResultsObject{std::make_shared<Store>(*std::move(store)), texts_of(diagnostics)};
}

ResultsObject run_study_of(const StudyRequest& request, const py::object& progress) {
  return value_of(made_interruptibly<Expected<ResultsObject>>(
      [request](const auto& supervision) { return run_requested(request, supervision); }, progress));
}

ResultsObject read_results(const std::string& path) {
  auto store = value_of(Store::open(path, Store::Mode::read));
  value_of(study_in(store));
  return {std::make_shared<Store>(std::move(store)), {}};
}

/// The value of an axis as an object of Python, and as a number in SI units or None.
std::pair<py::object, py::object> axis_value(const AxisValue& value) {
  const auto number = axis_number(value.json);
  py::object shown = py::str(value.name);
  if (number && number->kind == QuantityKind::number) {
    const auto whole = nlohmann::json::parse(value.json, nullptr, false);
    shown = whole.is_number_integer() ? py::object(py::int_(whole.get<std::int64_t>()))
                                      : py::object(py::float_(number->value));
  }
  return {shown, number ? py::object(py::float_(si_of(*number))) : py::object(py::none())};
}

/// Name and values of each column.
py::list columns_of(const ResultsObject& self) {
  const auto study = value_of(study_in(*self.store));
  const auto comparison = value_of(Comparison::of(*self.store, study, {}));
  py::list points, statuses, reasons, to_base;
  const auto axes = axes_of(study);
  std::vector<py::list> values(axes.size()), numbers(axes.size()), figures(kFigureColumns.size());
  check(self.store->each([&](const PointOutcome& p) -> Expected<void> {
    points.append(p.point);
    for (std::size_t a = 0; a < axes.size() && a < p.values.size(); ++a) {
      const auto [value, number] = axis_value(p.values[a]);
      values[a].append(value);
      numbers[a].append(number);
    }
    statuses.append(std::string(name_of(p.outcome.status)));
    reasons.append(p.outcome.reason);
    to_base.append(comparison.to_base(p));
    for (std::size_t f = 0; f < figures.size(); ++f) figures[f].append(p.outcome.*kFigureColumns[f].figure);
    return {};
  }));
  py::list columns;
  columns.append(py::make_tuple("point", points));
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!axes[a].varies()) continue;
    columns.append(py::make_tuple(axes[a].label, values[a]));
    std::vector<std::string> jsons;
    for (const auto& v : axes[a].values) jsons.push_back(v.json);
    if (const auto kind = kind_of_axis(jsons); kind && *kind != QuantityKind::number)
      columns.append(py::make_tuple(axes[a].label + std::string(si_suffix(*kind)), numbers[a]));
  }
  columns.append(py::make_tuple("status", statuses));
  columns.append(py::make_tuple("reason", reasons));
  columns.append(py::make_tuple("to_base", to_base));
  for (std::size_t f = 0; f < figures.size(); ++f)
    columns.append(py::make_tuple(std::string(kFigureColumns[f].name), figures[f]));
  return columns;
}

std::vector<std::string> varied_axes(const ResultsObject& self) {
  std::vector<std::string> labels;
  for (const auto& axis : axes_of(value_of(study_in(*self.store))))
    if (axis.varies()) labels.push_back(axis.label);
  return labels;
}

std::string page_of_study(const ResultsObject& self) {
  auto section = value_of(report::study_section(*self.store));
  return report::html_page({section.title, fmt::format("Busline {}", cli::version_and_commit()), {section}});
}

}  // namespace

void add_studies(py::module_& m) {
  m.def("run_study", [](std::string document, std::string name, std::string folder, std::string output,
                        unsigned threads, bool retry, const py::object& progress) {
    return run_study_of(
        {std::move(document), std::move(name), std::move(folder), std::move(output), threads, retry},
        progress);
  });
  m.def("load_results", &read_results);
  py::class_<ResultsObject>(m, "StudyResults")
      .def("columns", &columns_of)
      .def("axes", &varied_axes)
      .def("page", &page_of_study)
      .def("text", [](const ResultsObject& self) { return value_of(study_text(*self.store, {})); })
      .def("document",
           [](const ResultsObject& self) { return document_text(value_of(study_json(*self.store))); })
      .def_property_readonly("path", [](const ResultsObject& self) { return self.store->path(); })
      .def_property_readonly("warnings", [](const ResultsObject& self) { return self.warnings; });
}

}  // namespace busline::python
