#include "workloads/salvage/salvage_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace busline {
namespace {

constexpr std::size_t kMostRanksShown = 8;  // that are reported one by one

std::string part_text(const PartOfFile& f) {
  if (f.records == 0) return fmt::format("nothing of rank {} is used: {}", f.rank, f.why);
  const auto of = f.recorded ? fmt::format(" of {}", *f.recorded) : "";
  return fmt::format("{}{} records of rank {} are used: {}", f.records, of, f.rank, f.why);
}

std::string part_text(const EarlyEnd& e) {
  return fmt::format("rank {} ends before its call {} ({}), after {} of {} operations: it would wait for {}",
                     e.rank, e.call, e.call_name, e.kept, e.operations, e.waits_for);
}

std::string part_text(const Unmatched& n) {
  std::string text;
  for (const auto& [count, what] : {std::pair(n.sends, "sends"), std::pair(n.receives, "receives"),
                                    std::pair(n.probes, "probes"), std::pair(n.collectives, "collectives")})
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

}  // namespace

void tell(const SalvageReport& report, const std::string& path, Diagnostics& diagnostics) {
  const auto warn = [&](std::string message, const std::string& at = {}) -> Diagnostic& {
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "salvaged", std::move(message), at.empty() ? path : at});
    return diagnostics.back();
  };
  for (std::size_t i = 0; i < std::min(kMostRanksShown, report.files.size()); ++i) {
    auto& d = warn(part_text(report.files[i]), report.files[i].path);
    d.rank = report.files[i].rank;
    d.offset = report.files[i].offset;
  }
  if (report.files.size() > kMostRanksShown)
    warn(fmt::format("the files of {} other ranks are not used in full either",
                     report.files.size() - kMostRanksShown));
  for (std::size_t i = 0; i < std::min(kMostRanksShown, report.early_ends.size()); ++i)
    warn(part_text(report.early_ends[i])).rank = report.early_ends[i].rank;
  if (report.early_ends.size() > kMostRanksShown)
    warn(fmt::format("{} other ranks end early too", report.early_ends.size() - kMostRanksShown));
  if (const auto unmatched = part_text(report.unmatched); !unmatched.empty())
    warn(fmt::format("left out because their counterparts are not in the trace: {}", unmatched));
}

}  // namespace busline
