// busline report: results and measurements as a page with figures (docs/how-to/report.md).
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/study.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/text/readable.hpp"
#include "studies/report/gnuplot.hpp"
#include "studies/report/page.hpp"
#include "studies/report/read_section.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string output = "report.html", gnuplot, title = "Busline report", within = "5%";
};

struct Written {
  std::string path;
  std::size_t bytes = 0;
};

nlohmann::ordered_json document(const report::Report& report, const std::vector<Written>& written) {
  nlohmann::ordered_json j{{"schema", "busline/report/1"}, {"title", report.title}};
  auto& sections = j["sections"] = nlohmann::ordered_json::array();
  for (const auto& s : report.sections)
    sections.push_back(
        {{"kind", s.kind}, {"title", s.title}, {"source", s.source}, {"figures", s.figures.size()}});
  auto& files = j["files"] = nlohmann::ordered_json::array();
  for (const auto& w : written) files.push_back({{"path", w.path}, {"bytes", w.bytes}});
  return j;
}

Expected<Exit> run_report(const ReportArguments& options, const Invocation& invocation) {
  report::Report report{options.title, fmt::format("Busline {}", version_and_commit()), {}};
  const auto within = parse_share(options.within, "--within");
  if (!within) return tl::unexpected(within.error());
  for (const auto& file : options.files) {
    auto section = report::read_section(file, *within);
    if (!section) return tl::unexpected(std::move(section.error()));
    report.sections.push_back(*std::move(section));
  }
  std::vector<Written> written;
  const auto write = [&](const std::string& path, const std::string& text) {
    written.push_back({path, text.size()});
    return write_file(path, text);
  };
  if (auto done = write(options.output, report::html_page(report)); !done)
    return tl::unexpected(std::move(done.error()));
  if (!options.gnuplot.empty()) {
    if (auto made = report::make_folder(options.gnuplot); !made)
      return tl::unexpected(std::move(made.error()));
    for (const auto& [name, text] : report::gnuplot_files(report))
      if (auto done = write(options.gnuplot + "/" + name, text); !done)
        return tl::unexpected(std::move(done.error()));
  }
  if (invocation.json)
    print_document(document(report, written), invocation, options.files);
  else if (!invocation.quiet)
    for (const auto& w : written) fmt::print("{}: {}\n", w.path, readable(Bytes{w.bytes}));
  return kDone;
}

}  // namespace

Command add_report(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(
      program, invocation, "report", "Write an HTML page with figures of results and measurements",
      {"busline report results.sqlite", "busline report run.json measurement.json -o report.html",
       "busline report results.sqlite --within 2%",
       "busline report results.sqlite --gnuplot figures   # then: cd figures && gnuplot *.gp"});
  const auto options = std::make_shared<ReportArguments>();
  app->add_option(
         "FILES", options->files,
         "Study results, measurements, or the --json output of simulate, validate, inspect --stats, curve or "
         "study find")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output, "Page to write")->type_name("FILE")->capture_default_str();
  app->add_option("--gnuplot", options->gnuplot,
                  "Also write each figure's data and gnuplot script to this folder")
      ->type_name("FOLDER");
  app->add_option("--within", options->within, "Of a study: how much slower than the best is fast enough")
      ->type_name("SHARE")
      ->capture_default_str();
  app->add_option("--title", options->title, "Heading of the page")->type_name("TEXT")->capture_default_str();
  return {app, [options, &invocation] { return run_report(*options, invocation); }};
}

}  // namespace busline::cli
