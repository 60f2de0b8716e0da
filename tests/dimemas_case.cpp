#include "tests/dimemas_case.hpp"

#include <utility>

#include "models/simulate.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"
#include "workloads/dim/read_dim.hpp"

namespace busline {
namespace {

Error bad_option(std::string message) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.message = std::move(message);
  return e;
}

Expected<DimemasOverrides> overrides_of(const std::string& folder, const std::vector<std::string>& options) {
  DimemasOverrides o;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto& option = options[i];
    if (option == "-F") {
      o.all_eager = true;
      continue;
    }
    if (i + 1 == options.size()) return tl::unexpected(bad_option(option + ": a value is missing"));
    const auto& value = options[++i];
    const auto keep = [](auto parsed, auto& to) -> std::optional<Error> {
      if (!parsed) return std::move(parsed).error();
      to = *parsed;
      return std::nullopt;
    };
    std::optional<Error> problem;
    if (option == "-S")
      problem = keep(parse_dimemas_size(value, option), o.rendezvous_from);
    else if (option == "--bandwidth")
      problem = keep(parse_dimemas_bandwidth(value, option), o.bandwidth);
    else if (option == "--latency")
      problem = keep(parse_dimemas_latency(value, option), o.latency);
    else if (option == "-s")
      o.scheduler = folder + "/" + value;
    else
      problem = bad_option(option + ": not a Dimemas option that changes a prediction");
    if (problem) return tl::unexpected(*std::move(problem));
  }
  return o;
}

}  // namespace

Expected<Result> run_dimemas_case(const std::string& folder, const std::vector<std::string>& options,
                                  Diagnostics& diagnostics) {
  LoadOptions load;
  auto overrides = overrides_of(folder, options);
  if (!overrides) return tl::unexpected(std::move(overrides).error());
  load.overrides = *std::move(overrides);
  const auto platform = load_platform(folder + "/platform.cfg", load, diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  const auto program = read_dim(folder + "/trace.dim", diagnostics);
  if (!program) return tl::unexpected(program.error());
  const auto machine = place_ranks(*platform, program->ranks());
  if (!machine) return tl::unexpected(machine.error());
  return simulate(*program, *platform, *machine);
}

}  // namespace busline
