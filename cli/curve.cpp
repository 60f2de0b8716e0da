// busline curve: the run time without contention over a figure of the machine, complete
// (docs/how-to/curves.md).
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/workload_options.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "platforms/load_platform.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"
#include "studies/runs/curve_report.hpp"
#include "studies/runs/draw_curve.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {
namespace {

struct CurveArguments {
  std::string platform, workload, latency, bandwidth, speed;
  std::vector<std::string> sets, slowdowns{"1%", "5%", "10%"}, at;
  bool csv = false;
  WorkloadOptions workload_options;
};

template <class T>
Expected<double> in_range_units(const Parsed<T>& value, const std::string& text, const std::string& option,
                                double (*amount)(T)) {
  if (!value)
    return refuse_option(option,
                         fmt::format("{}: column {}: {}", text, value.error().column, value.error().reason));
  return amount(*value);
}

Expected<double> parse_value(CurveAxis axis, const std::string& text, const std::string& option) {
  switch (axis) {
    case CurveAxis::latency:
      return in_range_units<Duration>(parse_duration(text), text, option,
                                      [](Duration d) { return static_cast<double>(d.count()) * 1e-12; });
    case CurveAxis::bandwidth:
      return in_range_units<Bandwidth>(parse_bandwidth(text), text, option,
                                       [](Bandwidth b) { return b.in_bytes_per_second(); });
    case CurveAxis::speed:
      break;
  }
  const auto factor = decimal_number(text);
  if (!factor || !(*factor > 0))
    return refuse_option(option, fmt::format("'{}' is not a number above 0", text),
                         "such as 0.5 for half the speed");
  return *factor;
}

Expected<CurveRange> parse_range(CurveAxis axis, const std::string& text, const std::string& option) {
  const auto dots = text.find("..");
  if (dots == text.npos)
    return refuse_option(option, fmt::format("'{}': expected two values with '..' between them", text),
                         "such as --latency 0us..100us, --bandwidth 100GB/s..1GB/s, --speed 4..0.5");
  const auto from = parse_value(axis, text.substr(0, dots), option);
  if (!from) return tl::unexpected(from.error());
  const auto to = parse_value(axis, text.substr(dots + 2), option);
  if (!to) return tl::unexpected(to.error());
  // From the better machine to the worse one, so that the run time rises.
  const bool worse_is_larger = axis == CurveAxis::latency;
  if ((*from < *to) == worse_is_larger) return CurveRange{axis, *from, *to};
  return CurveRange{axis, *to, *from};
}

Expected<CurveRange> range_of(const CurveArguments& o) {
  if (!o.bandwidth.empty()) return parse_range(CurveAxis::bandwidth, o.bandwidth, "--bandwidth");
  if (!o.speed.empty()) return parse_range(CurveAxis::speed, o.speed, "--speed");
  return parse_range(CurveAxis::latency, o.latency, "--latency");
}

Expected<void> read_values(const CurveArguments& options, CurveReport& report) {
  for (const auto& text : options.slowdowns) {
    const auto share = parse_share(text, "--slowdown");
    if (!share) return tl::unexpected(share.error());
    report.slowdowns.push_back(*share);
  }
  for (const auto& text : options.at) {
    const auto value = parse_value(report.range.axis, text, "--at");
    if (!value) return tl::unexpected(value.error());
    const auto place = report.range.place_of(*value);
    if (place < 0 || place > 1)
      return refuse_option(
          "--at", fmt::format("{} lies outside the curve", text),
          fmt::format("which runs from {} to {}", value_text(report.range.axis, report.range.from),
                      value_text(report.range.axis, report.range.to)));
    report.asked.push_back(*value);
  }
  return {};
}

Expected<Exit> run_curve(const CurveArguments& options, const Invocation& invocation) {
  CurveReport report;
  const auto range = range_of(options);
  if (!range) return tl::unexpected(range.error());
  report.range = *range;
  if (auto read = read_values(options, report); !read) return tl::unexpected(std::move(read.error()));
  LoadOptions load;
  load.sets = options.sets;
  const auto platform = load_platform(options.platform, load, report.diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  const auto workload = load_workload(options.workload, options.workload_options, report.diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  const auto told = static_cast<std::ptrdiff_t>(report.diagnostics.size());

  const auto drawn = [&] {
    ProgressBar bar(!invocation.quiet, "drawing");
    return draw_curve(*workload, *platform, report, [&bar](double share, std::string_view step) {
      bar.show(share, step);
      return !interrupted();
    });
  }();
  if (!invocation.quiet) print_diagnostics({report.diagnostics.begin() + told, report.diagnostics.end()});
  if (!drawn) return tl::unexpected(drawn.error());
  if (const auto stopped = interrupt_exit()) return *stopped;

  if (invocation.json) {
    auto inputs = workload->files;
    inputs.insert(inputs.begin(), options.platform);
    print_document(to_json(report), invocation, inputs);
  } else {
    fmt::print("{}", options.csv ? to_csv(report) : to_text(report));
  }
  return kDone;
}

}  // namespace

Command add_curve(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "curve",
                  "Show the run time as a function of latency, bandwidth or CPU speed: every breakpoint",
                  {"busline curve cluster.json trace.meta",
                   "busline curve cluster.json trace.meta --latency 0us..50us --slowdown 2%",
                   "busline curve cluster.json trace.dim --bandwidth 100GB/s..1GB/s --csv > curve.csv"});
  const auto options = std::make_shared<CurveArguments>();
  options->latency = "0us..1ms";
  app->add_option("PLATFORM", options->platform, "The machine: a .json document or a Dimemas .cfg")
      ->type_name("")
      ->required();
  app->add_option("WORKLOAD", options->workload, "The workload to run on it, as for 'busline simulate'")
      ->type_name("")
      ->required();
  auto* latency = app->add_option("--latency", options->latency, "Vary the network's latency")
                      ->type_name("A..B")
                      ->capture_default_str();
  auto* bandwidth = app->add_option("--bandwidth", options->bandwidth, "Vary the network's bandwidth instead")
                        ->type_name("A..B");
  auto* speed = app->add_option("--speed", options->speed, "Vary the speed of all CPUs instead, by a factor")
                    ->type_name("A..B");
  latency->excludes(bandwidth)->excludes(speed);
  bandwidth->excludes(speed);
  app->add_option("--slowdown", options->slowdowns,
                  "Show how far the value may go until the run is this much slower")
      ->type_name("SHARE,...")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--at", options->at, "Also show the run time at these values")
      ->type_name("VALUE,...")
      ->delimiter(',');
  app->add_flag("--csv", options->csv, "Print the breakpoints as CSV");
  app->add_option("--set", options->sets,
                  "Change a member of the platform, such as /mpi/rendezvous_from=32KiB; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  add_workload_options(*app, options->workload_options);
  return {app, [options, &invocation] { return run_curve(*options, invocation); }};
}

}  // namespace busline::cli
