#include "cli/interval_option.hpp"

#include <fmt/format.h>

#include "cli/study.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"

namespace busline::cli {
namespace {

// What a flag counts when it is given once, without a value.
constexpr std::uint32_t kGiven = 1;

}  // namespace

void add_interval_option(CLI::App& command, std::uint32_t& runs) {
  command
      .add_flag("--interval", runs,
                fmt::format("Say how far the prediction may be off because the machine was measured, from {} "
                            "runs or as many as in --interval=200",
                            IntervalOptions().runs))
      ->disable_flag_override(false)
      ->default_str("");
}

Expected<std::optional<IntervalOptions>> interval_options(std::uint32_t runs) {
  if (runs == 0) return std::optional<IntervalOptions>();
  if (runs == kGiven) runs = IntervalOptions().runs;
  if (runs < kLeastIntervalRuns)
    return refuse_option("--interval", fmt::format("{} is too few runs", runs),
                         fmt::format("use {} or more; the tails of fewer are guesses", kLeastIntervalRuns));
  IntervalOptions how;
  how.runs = runs;
  how.threads = usual_threads();
  return std::optional(how);
}

Expected<std::optional<PredictionInterval>> interval_of(const IntervalOptions& wanted, const Program& program,
                                                        const Platform& platform, const Machine& machine,
                                                        SimulateOptions how, bool quiet) {
  ProgressBar bar(!quiet, "replaying with other figures");
  how.progress = [&bar](double share) {
    bar.show(share);
    return !interrupted();
  };
  return prediction_interval(program, platform, machine, how, wanted);
}

}  // namespace busline::cli
