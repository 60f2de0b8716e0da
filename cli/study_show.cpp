// busline study show, export, merge: commands for stored results.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/study.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/text/readable.hpp"
#include "studies/study/store.hpp"
#include "studies/study/study_report.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

struct ShowOptions {
  std::string file, against = "base";
  std::uint64_t rows = 200;
  StudyOptions compare;
};

Expected<Exit> show_points(const ShowOptions& options, const Invocation& invocation) {
  const auto store = Store::open(options.file, Store::Mode::read);
  if (!store) return tl::unexpected(store.error());
  const auto with = compare_with(options.compare);
  if (!with) return tl::unexpected(with.error());
  if (invocation.json) {
    auto document = study_json(*store, *with);
    if (!document) return tl::unexpected(std::move(document.error()));
    print_document(*std::move(document), invocation, {options.file});
    return kDone;
  }
  StudyView view;
  view.against = options.against == "best" ? StudyView::Against::best : StudyView::Against::base;
  view.with = *with;
  view.rows = options.rows;
  const auto text = study_text(*store, view);
  if (!text) return tl::unexpected(text.error());
  fmt::print("{}", *text);
  return kDone;
}

struct ExportOptions {
  std::string format, file, output = "-";
};

Expected<Exit> write_rows(const ExportOptions& options) {
  const auto format = options.format == "csv" ? ExportFormat::csv : ExportFormat::jsonl;
  const auto store = Store::open(options.file, Store::Mode::read);
  if (!store) return tl::unexpected(store.error());
  if (options.output == "-") {
    auto done = export_study(*store, format, [](std::string_view text) -> Expected<void> {
      fmt::print("{}", text);
      return {};
    });
    return done.map([] { return kDone; });
  }
  auto file = OutputFile::create(options.output);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto done = export_study(*store, format, [&](std::string_view text) { return file->write(text); });
  if (done) done = file->commit();
  return done.map([] { return kDone; });
}

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
};

Expected<Exit> merge(const MergeOptions& options) {
  std::optional<StoredStudy> study;
  std::optional<Store> whole;
  for (const auto& file : options.files) {
    const auto part = Store::open(file, Store::Mode::read);
    if (!part) return tl::unexpected(part.error());
    const auto of = part->study();
    if (!of) return tl::unexpected(of.error());
    if (!*of || (study && (*of)->axes != study->axes))
      return refuse_option(
          "FILES", fmt::format("{} does not belong to the same study as {}", file, options.files.front()),
          "slices of one study have the same axes");
    if (!whole) {
      study = **of;
      auto opened = Store::open(options.output, Store::Mode::create);
      if (!opened) return tl::unexpected(std::move(opened.error()));
      whole = *std::move(opened);
      if (auto begun = whole->begin(*study); !begun) return tl::unexpected(std::move(begun.error()));
    }
    if (auto done = whole->merge(*part); !done) return tl::unexpected(std::move(done.error()));
  }
  std::uint64_t points = 0;
  const auto counted = whole->each([&](const PointOutcome&) -> Expected<void> {
    ++points;
    return {};
  });
  if (!counted) return tl::unexpected(counted.error());
  fmt::print("{} of {} points in {}\n", readable(points), readable(study->points), options.output);
  return kDone;
}

}  // namespace

Command add_study_show(CLI::App& study, Invocation& invocation) {
  auto* app =
      new_command(study, invocation, "show", "Show stored results as a table",
                  {"busline study show results.sqlite", "busline study show results.sqlite --against best",
                   "busline study show results.sqlite --base /network/buses=2 --weight hpcg=3",
                   "busline study show results.sqlite --json"});
  const auto options = std::make_shared<ShowOptions>();
  app->add_option("RESULTS", options->file, "A results file")->type_name("")->required();
  app->add_option("--against", options->against,
                  "Reference for slowdowns: the base or the best point of the same workload")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"base", "best"}))
      ->capture_default_str();
  app->add_option("--rows", options->rows, "Maximum number of table rows")
      ->type_name("N")
      ->capture_default_str();
  add_comparison_options(*app, options->compare);
  return {app, [options, &invocation] { return show_points(*options, invocation); }};
}

Command add_study_export(CLI::App& study, Invocation& invocation) {
  auto* app = new_command(study, invocation, "export", "Export stored results for other programs",
                          {"busline study export csv results.sqlite -o results.csv",
                           "busline study export jsonl results.sqlite"});
  const auto options = std::make_shared<ExportOptions>();
  app->add_option("FORMAT", options->format, "csv, or jsonl with one JSON object per line")
      ->type_name("")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->required();
  app->add_option("RESULTS", options->file, "A results file")->type_name("")->required();
  app->add_option("-o,--output", options->output, "File to write; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  return {app, [options] { return write_rows(*options); }};
}

Command add_study_merge(CLI::App& study, Invocation& invocation) {
  auto* app = new_command(study, invocation, "merge", "Merge the results of slices",
                          {"busline study merge part-*.sqlite -o results.sqlite"});
  const auto options = std::make_shared<MergeOptions>();
  app->add_option("FILES", options->files, "Results files of one study")->type_name("")->required();
  app->add_option("-o,--output", options->output, "Results file to merge into; it may already exist")
      ->type_name("FILE")
      ->required();
  return {app, [options] { return merge(*options); }};
}

}  // namespace busline::cli
