// Calibration and validation in Python.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/load_run_sets.hpp"
#include "cli/platform_of_machine.hpp"
#include "documents/text/json_document.hpp"
#include "measuring/import/load_measurements.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/load_platform.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "studies/accuracy/comparison_report.hpp"
#include "studies/accuracy/validation_report.hpp"
#include "validation/calibrate/calibration.hpp"
#include "validation/compare/simulated_measurement.hpp"
#include "validation/compare/traces_from.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

// ---- calibration

struct CalibrationRequest {
  std::vector<std::string> files, algorithms;
  std::string name, library, reference;
  double hold_out = 0;
  std::uint64_t seed = 1;
  measure::ImportOptions imports;
};

struct CalibrationObject {
  PlatformObject platform;
  std::string text, document;
  bool is_good = false;
  std::vector<std::string> warnings;
};

Expected<std::vector<measure::Measurement>> measurements_of(const CalibrationRequest& request,
                                                            Diagnostics& diagnostics) {
  std::vector<measure::Measurement> all;
  for (const auto& path : request.files) {
    auto loaded = measure::load_measurements(path, diagnostics, request.imports);
    if (!loaded) return loaded;
    for (auto& m : *loaded) all.push_back(std::move(m));
  }
  return all;
}

Expected<calibrate::CalibrationOptions> calibration_options(const CalibrationRequest& request,
                                                            Diagnostics& diagnostics) {
  calibrate::CalibrationOptions how;
  how.name = request.name;
  how.hold_out = request.hold_out;
  how.seed = request.seed;
  how.search_collectives = request.library == "searched";
  auto algorithms = calibrate::parse_known_algorithms(request.algorithms);
  if (!algorithms) return tl::unexpected(std::move(algorithms.error()));
  how.algorithms = *std::move(algorithms);
  for (const auto& [known, preset] : kCollectivePresetNames)
    if (known == request.library) how.library = preset;
  if (!how.library && !how.search_collectives && request.library != "auto")
    return refuse_option(
        "collectives",
        fmt::format("'{}' is not a library whose choices of algorithms are known", request.library),
        "auto, open-mpi, mpich, dimemas, or searched");
  if (request.reference.empty()) return how;
  auto reference = measure::load_measurements(request.reference, diagnostics, request.imports);
  if (!reference) return tl::unexpected(std::move(reference.error()));
  how.reference = std::move(reference->front());
  return how;
}

Expected<CalibrationObject> calibrated(const CalibrationRequest& request) {
  Diagnostics diagnostics;
  const auto measurements = measurements_of(request, diagnostics);
  if (!measurements) return tl::unexpected(measurements.error());
  const auto how = calibration_options(request, diagnostics);
  if (!how) return tl::unexpected(how.error());
  auto found = calibrate::calibrate(*measurements, *how);
  if (!found) {
    auto e = std::move(found.error());
    e.path = e.where == "reference" ? request.reference : request.files.front();
    return tl::unexpected(std::move(e));
  }
  diagnostics.insert(diagnostics.end(), found->diagnostics.begin(), found->diagnostics.end());
  CalibrationObject made;
  made.text = to_text(*found);
  made.document = document_text(to_json(*found));
  made.is_good = found->is_good();
  made.warnings = texts_of(diagnostics);
  const auto name = found->platform.name;
  made.platform.document = std::make_shared<const Document>(document_of(found->platform, name));
  made.platform.platform = std::make_shared<const Platform>(std::move(found->platform));
  return made;
}

// ---- validation

struct ValidationRequest {
  std::shared_ptr<const Platform> platform;  // null: `path`, a platform's file or a folder of them
  std::string path;
  std::vector<std::string> runs;
  std::string traces, model, mapping;
  double most_spread = 0.05;
  measure::ImportOptions imports;
};

struct ValidationObject {
  std::string text, document;
  bool of_runs = false;  // else of a measurement
  std::vector<std::string> warnings;
};

// The platform for runs on each machine.
class PlatformOfMachine {
 public:
  explicit PlatformOfMachine(const ValidationRequest& request) : request_(request) {}

  Expected<const Platform*> of(const std::string& machine, const std::string& whom,
                               Diagnostics& diagnostics) {
    if (request_.platform) return request_.platform.get();
    const auto path = cli::platform_of_machine(request_.path, machine, whom);
    if (!path) return tl::unexpected(path.error());
    if (const auto known = platforms_.find(*path); known != platforms_.end()) return &known->second;
    auto platform = load_platform(*path, diagnostics);
    if (!platform) return tl::unexpected(std::move(platform.error()));
    return &platforms_.emplace(*path, *std::move(platform)).first->second;
  }

 private:
  const ValidationRequest& request_;
  std::map<std::string, Platform> platforms_;
};

Expected<std::vector<compare::TracedRuns>> sets_to_compare(const ValidationRequest& request,
                                                           const std::vector<runs::RunSet>& timed,
                                                           std::vector<runs::RunSet>& traced,
                                                           Diagnostics& diagnostics) {
  if (request.traces.empty()) {
    std::vector<compare::TracedRuns> compared;
    for (const auto& set : timed) compared.push_back({.timed = &set});
    return compared;
  }
  auto loaded = cli::load_traces(request.traces);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  traced = *std::move(loaded);
  return compare::traces_from(traced, timed, diagnostics);
}

Expected<ValidationObject> validated_runs(const ValidationRequest& request,
                                          const std::shared_ptr<Supervision>& supervision) {
  ValidationReport report;
  report.model = request.model;
  report.most_spread = request.most_spread;
  compare::CompareOptions how;
  how.model = request.model;
  if (!request.mapping.empty()) {
    auto mapping = parse_mapping(request.mapping);
    if (!mapping) return tl::unexpected(std::move(mapping.error()));
    how.replay.mapping = *std::move(mapping);
  }
  const auto timed = cli::load_run_sets(request.runs);
  if (!timed) return tl::unexpected(timed.error());
  std::vector<runs::RunSet> traced;
  const auto sets = sets_to_compare(request, *timed, traced, report.diagnostics);
  if (!sets) return tl::unexpected(sets.error());
  PlatformOfMachine platforms(request);
  for (std::size_t i = 0; i < sets->size() && !supervision->stop; ++i) {
    const auto& set = *(*sets)[i].timed;
    how.progress = [&, done = static_cast<double>(i)](double share) {
      supervision->share = (done + share) / static_cast<double>(sets->size());
      return !supervision->stop;
    };
    how.replay.traces = (*sets)[i].traced;
    Diagnostics news;
    const auto& machine = set.machine.name;
    const auto platform = platforms.of(machine, fmt::format("{}, which ran on {}", set.name, machine), news);
    if (!platform) return tl::unexpected(platform.error());
    auto run = compare::compare_run(set, **platform, how, news);
    if (!run) return tl::unexpected(std::move(run.error()));
    tell_once(report.diagnostics, std::move(news));
    report.runs.push_back(*std::move(run));
  }
  return ValidationObject{to_text(report, false), document_text(to_json(report)), true,
                          texts_of(report.diagnostics)};
}

Expected<ValidationObject> validated_measurement(const ValidationRequest& request,
                                                 const std::shared_ptr<Supervision>& supervision) {
  const auto& path = request.runs.front();
  ComparisonReport report;
  report.first = path;
  const auto real = measure::load_measurement(path, report.diagnostics, request.imports);
  if (!real) return tl::unexpected(real.error());
  const auto& machine = real->machine.name;
  PlatformOfMachine platforms(request);
  const auto platform =
      platforms.of(machine, fmt::format("{}, measured on {}", path, machine), report.diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  report.second = (*platform)->name;
  const auto simulated =
      compare::simulate_measurement(*real, **platform, request.model, Supervision::progress(supervision));
  if (!simulated) return tl::unexpected(simulated.error());
  if (simulated->measurement.suites.empty() && !simulated->left_out.empty())
    return refuse_file(
        Error::Kind::bad_input, path, "none of its suites can be simulated",
        fmt::format("{}: {}", simulated->left_out.front().suite, simulated->left_out.front().why));
  auto comparison = compare::compare_measurements(*real, simulated->measurement);
  if (!comparison) return tl::unexpected(std::move(comparison.error()));
  report.comparison = *std::move(comparison);
  for (const auto& [suite, why] : simulated->left_out) {
    report.left_out.emplace_back(suite, why);
    std::erase(report.comparison.only_first, suite);
  }
  return ValidationObject{to_text(report), document_text(to_json(report)), false,
                          texts_of(report.diagnostics)};
}

Expected<ValidationObject> validated(const ValidationRequest& request,
                                     const std::shared_ptr<Supervision>& supervision) {
  for (const auto& path : request.runs) {
    if (!measure::holds_measurement(path)) continue;
    if (request.runs.size() == 1) return validated_measurement(request, supervision);
    return refuse_option("runs", fmt::format("{} is a measurement, which must be validated alone", path));
  }
  return validated_runs(request, supervision);
}

}  // namespace

void add_accuracy(py::module_& m) {
  py::class_<CalibrationObject>(m, "Calibration")
      .def_readonly("platform", &CalibrationObject::platform)
      .def_readonly("text", &CalibrationObject::text)
      .def_readonly("document", &CalibrationObject::document)
      .def_readonly("is_good", &CalibrationObject::is_good)
      .def_readonly("warnings", &CalibrationObject::warnings);
  m.def("calibrate", [](std::vector<std::string> files, std::string name, double hold_out,
                        std::vector<std::string> algorithms, std::string library, std::string reference,
                        std::uint64_t seed, std::uint32_t ranks, std::uint32_t ranks_per_node) {
    const CalibrationRequest request{std::move(files),
                                     std::move(algorithms),
                                     std::move(name),
                                     std::move(library),
                                     std::move(reference),
                                     hold_out,
                                     seed,
                                     {ranks, ranks_per_node}};
    return value_of(made_interruptibly<Expected<CalibrationObject>>(
        [request](const auto&) { return calibrated(request); }));
  });
  py::class_<ValidationObject>(m, "Validation")
      .def_readonly("text", &ValidationObject::text)
      .def_readonly("document", &ValidationObject::document)
      .def_readonly("of_runs", &ValidationObject::of_runs)
      .def_readonly("warnings", &ValidationObject::warnings);
  m.def("validate",
        [](const std::optional<PlatformObject>& platform, std::string path, std::vector<std::string> runs,
           std::string traces, std::string model, std::string mapping, double most_spread,
           std::uint32_t ranks, std::uint32_t ranks_per_node, const py::object& progress) {
          const ValidationRequest request{platform ? platform->platform : nullptr,
                                          std::move(path),
                                          std::move(runs),
                                          std::move(traces),
                                          std::move(model),
                                          std::move(mapping),
                                          most_spread,
                                          {ranks, ranks_per_node}};
          return value_of(made_interruptibly<Expected<ValidationObject>>(
              [request](const auto& supervision) { return validated(request, supervision); }, progress));
        });
}

}  // namespace busline::python
