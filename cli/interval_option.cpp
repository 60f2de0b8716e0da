#include "cli/interval_option.hpp"

#include <fmt/format.h>

#include "cli/study.hpp"

namespace busline::cli {
namespace {

// What a flag counts when it is given once, without a value.
constexpr std::uint32_t kGiven = 1;

}  // namespace

void add_interval_option(CLI::App& command, std::uint32_t& runs) {
  command.add_flag("--interval", runs,
                   fmt::format("Say how far the prediction may be off because the machine was measured, from "
                               "{} runs or as many as in --interval=200",
                               IntervalOptions().runs));
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

}  // namespace busline::cli
