// Limits on the time and resolution of measurements: options of the kinds that measure with ranks, and their
// progress display.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "documents/command_line/terminal.hpp"
#include "measuring/measurement/measurement.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::cli {

/// The option --budget.
struct BudgetOption {
  std::string text;

  /// `usual`: the default; "none": no limit.
  void add_to(CLI::App& command, const std::string& usual);
  /// An Error for anything but a time above 0.
  Expected<std::optional<Duration>> limit() const;
};

/// The option --resolution.
struct ResolutionOption {
  std::string text = "1%";

  void add_to(CLI::App& command);
  Expected<double> share() const;
};

/// What a document says about the budget; a warning for suites that were cut, one for those left out.
std::optional<measure::BudgetUse> budget_use(std::optional<Duration> limit, const measure::Testbed& testbed,
                                             std::vector<std::string> left_out);
void warn_of_budget(const std::vector<measure::Suite>& suites, const std::vector<std::string>& left_out,
                    Diagnostics& diagnostics);
/// An Error if there are no suites and `missed` of them, which failed or were left out.
Expected<void> check_measured(const std::vector<measure::Suite>& suites, std::size_t missed);

/// Shows which suite is measured and how much is done, and stops on Ctrl-C: a measure::Watch.
class SuiteProgressBar {
 public:
  /// `shares` of the suites: one after the other, as measure::SuitePlan has them.
  SuiteProgressBar(bool wanted, const measure::Testbed& testbed, std::optional<Duration> budget,
                   std::vector<double> shares);
  bool operator()(const measure::SuiteProgress& progress);

 private:
  ProgressBar bar_;
  const measure::Testbed& testbed_;
  std::optional<Duration> budget_;
  Duration begin_;
  std::vector<double> shares_;
  double all_ = 0, done_ = 0;  // of the shares
  std::size_t begun_ = 0;
  std::string suite_;
};

}  // namespace busline::cli
