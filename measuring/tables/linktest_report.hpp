// What is shown of a run of LinkTest: a page of text, a document "busline/linktest/1", or a table of all
// pairs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measuring/linktest/linktest_result.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct LinkTestReport {
  std::string name;  ///< of the file or the run
  linktest::LinkTestResult result;
  Diagnostics diagnostics;
};

/// Settings, and of each iteration: spread of times within and between nodes, the matrix (as numbers for few
/// ranks, else as a map of marks), a histogram, the steps, the slowest pairs and ranks.
std::string to_text(const LinkTestReport& report);

/// The same figures, all steps and ranks. Times are whole picoseconds, bandwidths bytes per second. The
/// matrix is too long for a document that is held in memory: its rows follow as the list kLinkTestRows.
nlohmann::ordered_json to_json(const LinkTestReport& report);
inline constexpr const char* kLinkTestRows = "rows";
/// Times and steps of an initiator by responder; null where nothing was measured. `iteration` counts from 0.
nlohmann::ordered_json row_json(const LinkTestReport& report, std::size_t iteration, std::uint32_t initiator);

/// All pairs as comma-separated values, with a line for each direction. Texts are quoted as RFC 4180 says.
class LinkTestTable {
 public:
  /// The report must outlive this.
  explicit LinkTestTable(const LinkTestReport& report);
  /// The names of the columns.
  static std::string heading();
  /// What an initiator measured. `iteration` counts from 0.
  std::string lines(std::size_t iteration, std::uint32_t initiator) const;

 private:
  const linktest::LinkTestResult& result_;
  std::vector<std::uint32_t> nodes_;  // by rank
  std::vector<std::string> hosts_;    // by rank, quoted
};

}  // namespace busline
