// busline convert: a platform as a document; a workload in another format.
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/convert_options.hpp"
#include "cli/workload_options.hpp"
#include "cli/written_workload.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/readable.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/loggops/loggops.hpp"
#include "platforms/simgrid/simgrid_export.hpp"
#include "workloads/dumpi/rewrite/rewrite.hpp"
#include "workloads/write_workload.hpp"

namespace busline::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string from, to;
  WorkloadOptions workload;
  std::string ranks, begin, end;                            // for a DUMPI trace written as a DUMPI trace
  CollectivePreset collectives = GoalOutput{}.collectives;  // for GOAL schedules
  bool selects() const { return !ranks.empty() || !begin.empty() || !end.empty(); }
};

// A metafile or a folder, which may not exist yet.
bool is_dumpi_target(const std::string& to) {
  std::error_code not_there;
  const auto type = fs::path(to).extension();
  return type == ".meta" || type.empty() || to.ends_with('/') || fs::is_directory(to, not_there);
}

nlohmann::ordered_json document_of(const ConvertArguments& options) {
  return {{"schema", "busline/conversion/1"}, {"from", options.from}, {"to", options.to}};
}

tl::unexpected<Error> in_file(const std::string& path, Error error) {
  error.path = path;
  return tl::unexpected(std::move(error));
}

Expected<Exit> convert_platform(const ConvertArguments& options, const Invocation& invocation) {
  const bool for_loggops = fs::path(options.to).extension() == ".txt";
  auto workload = options.workload;
  if (for_loggops) workload.goal = {};  // its unit is that of the parameters
  if (options.selects() || workload != WorkloadOptions())
    return tl::unexpected(file_error(Error::Kind::bad_option, options.from,
                                     "is not a workload, but the options given are for workloads", ""));
  if (const auto* format = output_format(options.to))
    return tl::unexpected(file_error(
        Error::Kind::bad_option, options.to,
        fmt::format("{} is not a workload, expected one to write a {}", options.from, format->name),
        "a platform is written as a .json document, a SimGrid .xml file or LogGOPS parameters, .txt"));
  Diagnostics diagnostics;
  const auto platform = load_platform(options.from, diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  const bool to_stdout = options.to == "-", for_simgrid = fs::path(options.to).extension() == ".xml";
  const auto text = for_simgrid   ? to_simgrid_xml(*platform, diagnostics)
                    : for_loggops ? to_loggops_text(*platform, options.workload.goal.unit, diagnostics)
                                  : Expected<std::string>(to_json_text(*platform));
  if (!text) return in_file(options.from, text.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (!to_stdout)
    if (auto written = write_file(options.to, *text); !written)
      return tl::unexpected(std::move(written.error()));
  if (invocation.json) {
    auto document = document_of(options);
    document["platform"] = to_json(*platform);
    document["diagnostics"] = to_json(diagnostics);
    print_document(std::move(document), invocation, {options.from});
  } else if (to_stdout) {
    fmt::print("{}", *text);
  } else if (!invocation.quiet) {
    fmt::print("{}: {}\n", options.to, platform->name);
  }
  return kDone;
}

// Writes a DUMPI trace as a DUMPI trace: everything kept stays byte-identical.
Expected<Exit> rewrite(const ConvertArguments& options, const Invocation& invocation) {
  if (options.workload != WorkloadOptions())
    return tl::unexpected(file_error(Error::Kind::bad_option, options.to,
                                     "a DUMPI trace written as a DUMPI trace keeps its records unchanged",
                                     "leave out --compute-scale and the other options that change records"));
  auto selection = parse_selection(options.ranks, options.begin, options.end);
  if (!selection) return tl::unexpected(std::move(selection.error()));
  ProgressBar bar(!invocation.quiet, "writing");
  Diagnostics diagnostics;
  const auto done =
      dumpi::rewrite_trace(options.from, options.to, *selection, diagnostics, [&bar](double share) {
        bar.show(share);
        return !interrupted();
      });
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (!done) return tl::unexpected(done.error());
  if (done->stopped) return interrupt_exit().value_or(kInterrupted);
  if (invocation.json) {
    auto document = document_of(options);
    document["format"] = kDumpiTrace;
    document["meta"] = done->meta;
    document["files"] = done->files;
    document["records"] = done->records;
    document["left_out"] = done->left_out;
    document["diagnostics"] = to_json(diagnostics);
    print_document(std::move(document), invocation, done->read);
  } else if (!invocation.quiet) {
    fmt::print("{}: {}, {} records in {} files", done->meta, kDumpiTrace, readable(done->records),
               readable(std::uint64_t{done->files.size()}));
    if (done->left_out > 0) fmt::print(", {} left out", readable(done->left_out));
    fmt::print("\n");
  }
  return kDone;
}

Expected<Exit> convert_workload(const ConvertArguments& options, const Invocation& invocation) {
  if (options.selects())
    return tl::unexpected(file_error(Error::Kind::bad_option, options.to,
                                     "--ranks, --from and --to need a DUMPI trace as target",
                                     "choose a name that ends in .meta, or a folder"));
  if (auto known = check_workload_name(options.to); !known) return tl::unexpected(std::move(known.error()));
  Diagnostics diagnostics;
  const auto workload = load_workload(options.from, options.workload, diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  if (const auto stopped = interrupt_exit()) return *stopped;

  return write_and_tell(*workload, origin_of(*workload, options.workload), options.to, document_of(options),
                        invocation, std::move(diagnostics),
                        {options.workload.goal.unit, options.collectives});
}

Expected<Exit> run_convert(const ConvertArguments& options, const Invocation& invocation) {
  std::error_code not_there;
  if (fs::equivalent(options.from, options.to, not_there))
    return tl::unexpected(
        file_error(Error::Kind::bad_option, options.to, "is the file to convert", "choose another name"));
  const auto format = workload_format(options.from);
  if (!format) return tl::unexpected(format.error());
  if (format->empty()) return convert_platform(options, invocation);
  if (*format == kDumpiTrace && is_dumpi_target(options.to)) return rewrite(options, invocation);
  return convert_workload(options, invocation);
}

}  // namespace

Command add_convert(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(
      program, invocation, "convert",
      "Convert a platform to .json, SimGrid or LogGOPS, or a workload to another format",
      {"busline convert machine.cfg machine.json", "busline convert machine.cfg -",
       "busline convert machine.json machine.xml", "busline convert machine.json params.txt",
       "busline convert run/trace.meta run.program", "busline convert run/trace.meta trace.dim --cpu-time",
       "busline convert run/trace.meta run.goal --collectives open-mpi"});
  const auto options = std::make_shared<ConvertArguments>();
  app->add_option(
         "FROM", options->from,
         "A Dimemas .cfg, a .json document or LogGOPS parameters; or a workload, as for 'busline simulate'")
      ->type_name("")
      ->required();
  app->add_option("TO", options->to,
                  fmt::format("File to write: a .json document (- for standard output), a SimGrid .xml or "
                              "LogGOPS parameters, .txt; for "
                              "a workload {}",
                              output_extensions()))
      ->type_name("")
      ->required();
  std::string formats = "Workload formats:";
  for (const auto& f : output_formats())
    formats += fmt::format("\n  {:<10}{}; {}", f.extension, f.name, f.limits);
  formats += "\n  To write a DUMPI trace as a DUMPI trace, name a .meta file or a folder.";
  app->footer(fmt::format("{}\n\n{}", formats, app->get_footer()));
  add_workload_options(*app, options->workload);
  const std::string part = "Part of a DUMPI trace, written as a DUMPI trace";
  app->add_option("--ranks", options->ranks, "Only the files of these ranks: 0-3,7")
      ->type_name("LIST")
      ->group(part);
  app->add_option("--from", options->begin,
                  "Only calls entered at or after this time, counted from the end of MPI_Init: 1.5s")
      ->type_name("TIME")
      ->group(part);
  app->add_option("--to", options->end, "Only calls entered before this time")
      ->type_name("TIME")
      ->group(part);
  app->add_option_function<std::string>(
         "--collectives",
         [options](const std::string& name) {
           options->collectives = name == name_of(CollectivePreset::mpich) ? CollectivePreset::mpich
                                                                           : CollectivePreset::open_mpi;
         },
         "Library whose algorithms collectives are written by (default: mpich)")
      ->type_name("LIBRARY")
      ->check(CLI::IsMember(
          {std::string(name_of(CollectivePreset::mpich)), std::string(name_of(CollectivePreset::open_mpi))}))
      ->group("Writing GOAL schedules");
  return {app, [options, &invocation] { return run_convert(*options, invocation); }};
}

}  // namespace busline::cli
