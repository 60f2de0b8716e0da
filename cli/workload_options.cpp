#include "cli/workload_options.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "workloads/ti/flops.hpp"

namespace busline::cli {
namespace {

void add_ti_options(CLI::App& command, TiOptions& options) {
  const std::string group = "Time-independent traces";
  // More than a tebibyte is considered a mistake.
  const auto size = [](const std::string& text) {
    const auto read = parse_bytes(text);
    return read && count(*read) <= std::uint64_t{1} << 40U
               ? std::string()
               : "'" + text + "' is not a size with a unit, such as 64KiB";
  };
  command
      .add_option_function<std::string>(
          "--host-speed",
          [&options](const std::string& text) {
            options.flops_per_second = parse_flops(text).value_or(options.flops_per_second);
          },
          "Speed of the traced machine in flop/s (default: 1Gf)")
      ->type_name("SPEED")
      ->check([](const std::string& text) {
        return parse_flops(text) ? std::string() : "'" + text + "' is not a speed with a unit, such as 1Gf";
      })
      ->group(group);
  const auto add_size = [&](const char* name, std::uint64_t& value, const char* help) {
    command
        .add_option_function<std::string>(
            name, [&value](const std::string& text) { value = count(parse_bytes(text).value_or(Bytes{})); },
            help)
        ->type_name("SIZE")
        ->check(size)
        ->group(group);
  };
  add_size("--message-header", options.extra_bytes, "Bytes added to every message; SMPI's replay adds 16B");
  add_size("--detached-below", options.detached_below,
           "Sends of smaller messages do not block; the messages leave when they are received (SMPI: 64KiB)");
}

void add_goal_options(CLI::App& command, GoalOptions& options) {
  command
      .add_option_function<std::string>(
          "--goal-unit",
          [&options](const std::string& text) { options.unit = parse_duration(text).value_or(options.unit); },
          "What a calc of 1 lasts, also in what is written (default: 1ns)")
      ->type_name("TIME")
      ->check([](const std::string& text) {
        const auto read = parse_duration(text);
        return read && *read > Duration() ? std::string()
                                          : "'" + text + "' is not a time above 0 with a unit, such as 1ns";
      })
      ->group("GOAL schedules");
}

void add_liballprof_options(CLI::App& command, LiballprofOptions& options) {
  command
      .add_option_function<std::string>(
          "--mpi",
          [&options](const std::string& name) {
            using enum LiballprofOptions::Library;
            options.library = name == "mpich" ? mpich : open_mpi;
          },
          "Library that was traced, where the trace does not tell")
      ->type_name("LIBRARY")
      ->check(CLI::IsMember({"mpich", "open-mpi"}))
      ->group("liballprof traces");
}

// The region is all before the last '='.
std::optional<RegionScale> scale_of(const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  RegionScale scale{text.substr(0, equals), 0};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, scale.factor);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(scale.factor) || scale.factor < 0)
    return std::nullopt;
  return scale;
}

}  // namespace

void add_workload_options(CLI::App& command, WorkloadOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--scale",
          [&options](const std::vector<std::string>& texts) {
            for (const auto& text : texts) options.scales.push_back(*scale_of(text));
          },
          "Multiply the computation of a region, such as 'MPI_Bcast..MPI_Send=0.5' or 'solve=0.5'; "
          "repeatable")
      ->type_name("REGION=FACTOR")
      ->expected(1)
      ->take_all()
      ->check([](const std::string& text) {
        return scale_of(text)
                   ? std::string()
                   : "'" + text + "' is not a region and a factor of 0 or more, such as 'solve=0.5'";
      })
      ->group("Computation");
  const std::string group = "DUMPI traces";
  auto& dumpi = options.dumpi;
  command
      .add_option("--compute-scale", dumpi.compute_scale,
                  "Multiply the duration of computation by this factor")
      ->type_name("FACTOR")
      ->group(group);
  command
      .add_flag("--cpu-time", dumpi.cpu_time, "Take CPU time, not wall time, as the duration of computation")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--keep", [&dumpi](const std::string&) { dumpi.keep_io = true; },
          "io: file calls take as long as when they were traced")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"io"}))
      ->group(group);
  command
      .add_flag("--rematch-wildcards", dumpi.rematch_wildcards,
                "Match wildcard receives with the message that arrives first, not the traced one")
      ->group(group);
  command.add_flag("--salvage", dumpi.salvage, "Use the intact part of a damaged or incomplete trace")
      ->group(group);
  command
      .add_option("--application", options.paraver.application,
                  "Application of a trace that holds several (default: the one with MPI calls)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""))
      ->group("Paraver traces");
  add_ti_options(command, options.ti);
  add_goal_options(command, options.goal);
  add_liballprof_options(command, options.liballprof);
}

}  // namespace busline::cli
