#include "studies/runs/noise_report.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

constexpr std::int64_t kMostNoiseRuns = std::numeric_limits<std::uint32_t>::max();

std::string above_quiet(Duration time, Duration quiet) {
  if (quiet <= Duration()) return "-";
  return signed_percent(time.in_seconds() / quiet.in_seconds() - 1);
}

void describe_spread(Fields& f, NoiseSpread& s) {
  f.required("low_ps", Picoseconds{s.low}, "5 % of the runs are shorter.");
  f.required("median_ps", Picoseconds{s.median}, "Half of the runs are shorter.");
  f.required("high_ps", Picoseconds{s.high}, "95 % of the runs are shorter.");
  f.required("mean_ps", Number{s.mean_ps}, "Mean of the runs.");
}

}  // namespace

void describe(Fields& f, NoiseRuns::Kind& kind) {
  f.required("name", kind.name, "Its place in the platform, such as '/noise/latency'.");
  describe_spread(f, kind.spread);
}

void describe(Fields& f, NoiseRuns& noise) {
  f.about("Run times under the platform's noise: docs/how-to/noise.md.");
  f.required("runs", Whole{noise.runs, 0, kMostNoiseRuns}, "Runs that were made.");
  f.required("incomplete", Whole{noise.incomplete, 0, kMostNoiseRuns},
             "Those among them that did not complete and are left out.");
  f.required("seed", Whole{noise.seed, 0, std::numeric_limits<std::int64_t>::max()}, "Of the noise.");
  f.required("quiet_ps", Picoseconds{noise.quiet},
             "The time without noise; all are of the region if there is one.");
  describe_spread(f, noise.all);
  f.optional("kinds", noise.kinds, "Runs with one kind of noise alone, if there are several.");
}

std::string to_text(const NoiseRuns& noise) {
  const auto range = [&](const NoiseSpread& s) {
    return fmt::format("{} to {}", readable(s.low), readable(s.high));
  };
  auto text = labelled_line(
      "with noise",
      fmt::format("{} in the median, 5 to 95 %: {}  ({} to {})", readable(noise.all.median), range(noise.all),
                  above_quiet(noise.all.low, noise.quiet), above_quiet(noise.all.high, noise.quiet)));
  auto runs = fmt::format("{} with seed {}", readable(std::uint64_t{noise.runs}, "run"), noise.seed);
  if (noise.incomplete > 0)
    runs += fmt::format("; {} did not complete", readable(std::uint64_t{noise.incomplete}));
  text += labelled_line("", runs);
  TextTable kinds({"noise alone", "5 %", "median", "95 %", "median adds"});
  for (const auto& k : noise.kinds)
    kinds.add({k.name, readable(k.spread.low), readable(k.spread.median), readable(k.spread.high),
               above_quiet(k.spread.median, noise.quiet)});
  return kinds.has_rows() ? text + "\n" + kinds.text() : text;
}

}  // namespace busline
