#include "measuring/commands/measuring_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

constexpr const char* kNone = "none";

}  // namespace

void BudgetOption::add_to(CLI::App& command, const std::string& usual) {
  text = usual;
  command
      .add_option("--budget", text,
                  "Finish in about this time on the testbed's clock, with fewer repetitions and points: such "
                  "as 10min, or none for no limit")
      ->type_name("TIME")
      ->capture_default_str();
}

Expected<std::optional<Duration>> BudgetOption::limit() const {
  if (text == kNone) return std::optional<Duration>{};
  const auto limit = parse_duration(text);
  if (!limit)
    return refuse_option("--budget", fmt::format("{}: {}", text, limit.error().reason), "such as 10min");
  if (*limit <= Duration())
    return refuse_option("--budget", fmt::format("{} leaves no time to measure", text),
                         "such as 10min, or none");
  return std::optional(*limit);
}

void ResolutionOption::add_to(CLI::App& command) {
  command
      .add_option("--resolution", text,
                  "Time several calls together where a clock tick is a larger share of a sample")
      ->type_name("SHARE")
      ->capture_default_str();
}

Expected<double> ResolutionOption::share() const {
  return parse_share(text, "--resolution");
}

std::optional<measure::BudgetUse> budget_use(std::optional<Duration> limit, const measure::Testbed& testbed,
                                             std::vector<std::string> left_out) {
  if (!limit) return std::nullopt;
  return measure::BudgetUse{*limit, testbed.elapsed(), std::move(left_out)};
}

void warn_of_budget(const std::vector<measure::Suite>& suites, const std::vector<std::string>& left_out,
                    Diagnostics& diagnostics) {
  std::vector<std::string> cut;
  for (const auto& s : suites)
    if (s.ended_by == measure::SuiteEnd::time_limit) cut.push_back(s.name);
  const auto warn = [&](const char* code, const std::vector<std::string>& names, const char* what) {
    if (!names.empty())
      diagnostics.push_back(
          {Diagnostic::Severity::warning, code, fmt::format("{}: {}", what, fmt::join(names, ", "))});
  };
  warn("cut-suites", cut, "cut short because time ran out");
  warn("left-out", left_out, "not measured because time ran out");
}

Expected<void> check_measured(const std::vector<measure::Suite>& suites, std::size_t missed) {
  if (!suites.empty() || missed == 0) return {};
  auto error = option_error({}, "no suite was measured", "the warnings say why; -q suppresses them");
  error.kind = Error::Kind::unsupported;
  return tl::unexpected(std::move(error));
}

SuiteProgressBar::SuiteProgressBar(bool wanted, const measure::Testbed& testbed,
                                   std::optional<Duration> budget, std::vector<double> shares)
    : bar_(wanted, "measuring"),
      testbed_(testbed),
      budget_(budget),
      begin_(testbed.elapsed()),
      shares_(std::move(shares)),
      all_(std::accumulate(shares_.begin(), shares_.end(), 0.0)) {}

bool SuiteProgressBar::operator()(const measure::SuiteProgress& progress) {
  if (progress.suite != suite_ || begun_ == 0) {
    suite_ = progress.suite;
    if (begun_ > 0 && begun_ <= shares_.size()) done_ += shares_[begun_ - 1];
    ++begun_;
  }
  double share = all_ > 0 ? done_ / all_ : 0;
  if (budget_)
    share = std::max(share, static_cast<double>((testbed_.elapsed() - begin_).count()) /
                                static_cast<double>(budget_->count()));
  bar_.show(share, suite_);
  return !interrupted();
}

}  // namespace busline::cli
