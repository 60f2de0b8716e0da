// How a LinkTest run is shown, whether it was read from a file or has just been measured.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"
#include "measuring/tables/linktest_report.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

struct LinkTestOutput {
  std::string csv;   ///< the file of the table of all pairs; empty: none, "-": only that, on stdout
  bool page = true;  ///< or the document; not with csv "-"
  std::vector<std::string> inputs;                    ///< what the run was made of, for the provenance
  std::function<bool()> stop = [] { return false; };  ///< asked for each row of long lists
};

/// A page or (--json) a document on stdout, and the table. A table that was stopped does not become a file.
Expected<void> show(const LinkTestReport& report, const LinkTestOutput& output, const Invocation& invocation);

}  // namespace busline::cli
