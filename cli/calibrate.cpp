// busline calibrate: a platform from measurements of a machine (docs/how-to/calibration.md).
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/import_options.hpp"
#include "measuring/import/load_measurements.hpp"
#include "platforms/description/platform_json.hpp"
#include "sim/base/quantity.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "validation/calibrate/calibration.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

struct CalibrateArguments {
  std::vector<std::string> files, algorithms;
  std::string library = "auto";
  std::string output, reference, hold_out;
  bool strict = false;
  calibrate::CalibrationOptions calibrate;
  measure::ImportOptions imports;
};

Expected<double> parse_hold_out(const std::string& text) {
  if (text.empty()) return 0.0;
  const auto share = parse_share(text);
  constexpr double kMost = 0.9;  // some points must remain to fit
  if (share && *share <= kMost) return *share;
  return refuse_option("--hold-out",
                       fmt::format("'{}' is not a share of the points, expected 0 to 90%", text),
                       share ? "such as 20%" : share.error().reason);
}

constexpr std::string_view kSearched = "searched";

// Nothing for "auto" and "searched".
Expected<std::optional<CollectivePreset>> library_named(std::string_view name) {
  if (name == "auto" || name == kSearched) return std::nullopt;
  for (const auto& [known, preset] : kCollectivePresetNames)
    if (known == name) return preset;
  return refuse_option("--collectives",
                       fmt::format("'{}' is not a library whose choices of algorithms are known", name),
                       "auto, open-mpi, mpich, dimemas, or searched");
}

Expected<void> save(const Platform& platform, const std::string& path) {
  if (path == "-") {
    fmt::print("{}", to_json_text(platform));
    return {};
  }
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  if (auto written = file->write(to_json_text(platform)); !written) return written;
  return file->commit();
}

Expected<Exit> run_calibrate(CalibrateArguments options, const Invocation& invocation) {
  const auto share = parse_hold_out(options.hold_out);
  if (!share) return tl::unexpected(share.error());
  options.calibrate.hold_out = *share;
  auto algorithms = calibrate::parse_known_algorithms(options.algorithms);
  if (!algorithms) return tl::unexpected(std::move(algorithms.error()));
  options.calibrate.algorithms = *std::move(algorithms);
  const auto library = library_named(options.library);
  if (!library) return tl::unexpected(library.error());
  options.calibrate.library = *library;
  options.calibrate.search_collectives = options.library == kSearched;
  std::vector<measure::Measurement> measurements;
  Diagnostics diagnostics;
  for (const auto& path : options.files) {
    auto loaded = measure::load_measurements(path, diagnostics, options.imports);
    if (!loaded) return tl::unexpected(std::move(loaded.error()));
    for (auto& m : *loaded) measurements.push_back(std::move(m));
  }
  auto inputs = options.files;
  if (!options.reference.empty()) {
    auto m = measure::load_measurements(options.reference, diagnostics, options.imports);
    if (!m) return tl::unexpected(std::move(m.error()));
    options.calibrate.reference = std::move(m->front());
    inputs.push_back(options.reference);
  }
  const auto calibrated = calibrate::calibrate(measurements, options.calibrate);
  if (!calibrated) {
    auto e = calibrated.error();
    e.path = e.where == "reference" ? options.reference : options.files.front();
    return tl::unexpected(std::move(e));
  }
  diagnostics.insert(diagnostics.end(), calibrated->diagnostics.begin(), calibrated->diagnostics.end());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (!options.output.empty())
    if (auto saved = save(calibrated->platform, options.output); !saved)
      return tl::unexpected(std::move(saved.error()));
  const Exit done = options.strict && !calibrated->is_good() ? kBeyondThreshold : kDone;
  if (options.output == "-") return done;
  if (invocation.json)
    print_document(to_json(*calibrated), invocation, inputs);
  else if (!invocation.quiet)
    fmt::print("{}", to_text(*calibrated));
  return done;
}

}  // namespace

Command add_calibrate(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(
      program, invocation, "calibrate", "Calibrate a platform from measurements of a machine",
      {"busline calibrate measured.json -o platform.json",
       "busline calibrate run1.json run2.json -o platform.json --hold-out 20%",
       "busline calibrate measured.json -o platform.json --algorithm "
       "MPI_Alltoall=pairwise,MPI_Bcast=binomial",
       "busline calibrate new.json --reference old.json -o new-platform.json",
       "busline calibrate site_PingPong.csv site_Isend.csv site_Recv.csv load_*.csv -o site.json"});
  const auto options = std::make_shared<CalibrateArguments>();
  app->add_option(
         "MEASUREMENT", options->files,
         "Measurements of one machine: documents, or result files of other benchmarks (LinkTest, SKaMPI, "
         "OSU, Intel, SimGrid's platform calibration)")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output, "Platform to write; - for standard output")
      ->type_name("FILE");
  app->add_option("--name", options->calibrate.name, "Name of the platform [the measured machine's]")
      ->type_name("NAME");
  app->add_option("--algorithm", options->algorithms,
                  "Algorithm that the MPI library was set to use for a collective, such as "
                  "MPI_Alltoall=pairwise; may be repeated")
      ->type_name("OPERATION=NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--collectives", options->library,
                  "Whose costs of collectives are expected: open-mpi, mpich, dimemas, searched (nobody's), "
                  "or auto (the library that the measurement names; dimemas on a simulated machine)")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--reference", options->reference,
                  "Measurement, with the same fixed work, of the machine whose relative speed is 1")
      ->type_name("FILE");
  app->add_option("--hold-out", options->hold_out,
                  "Hold out this share of the points to test the fit, such as 20%")
      ->type_name("SHARE");
  app->add_flag("--strict", options->strict,
                "Exit 1 if the platform does not reproduce the measurements that it comes from");
  app->add_option("--seed", options->calibrate.seed,
                  "Seed for the confidence intervals and the choice of held-out points")
      ->type_name("N")
      ->capture_default_str();
  add_import_options(*app, options->imports);
  return {app, [options, &invocation] { return run_calibrate(*options, invocation); }};
}

}  // namespace busline::cli
