#include "models/interval/call_misfits.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/quantile.hpp"
#include "sim/program/collective.hpp"

namespace busline {
namespace {

// "MPI_Alltoall" for "MPI_Alltoallv" and "MPI_Alltoallw".
std::string_view without_variant(std::string_view call) {
  if (call.ends_with('v') || call.ends_with('w')) call.remove_suffix(1);
  return call;
}

}  // namespace

CallMisfits::CallMisfits(const CalibrationRecord& record) {
  std::map<std::string, std::vector<double>, std::less<>> errors;
  std::vector<double> collectives, spreads;
  for (const auto& suite : record.suites) {
    if (suite.operation.empty()) continue;
    errors[suite.operation].push_back(suite.median_error);
    if (find_collective(suite.operation))
      collectives.push_back(suite.median_error);
    else
      spreads.push_back(suite.spread);
  }
  for (auto& [operation, of] : errors) by_operation_[operation] = deviation_by_median(std::move(of));
  collectives_ = deviation_by_median(std::move(collectives));
  noise_ = median(std::move(spreads));
  if (const auto messages = by_operation_.find(kMessages); messages != by_operation_.end())
    messages_ = messages->second;
}

double CallMisfits::of(std::string_view call) const {
  if (!find_collective(call)) return messages_;
  for (const auto name : {call, without_variant(call)})
    if (const auto known = by_operation_.find(name); known != by_operation_.end()) return known->second;
  return collectives_;
}

}  // namespace busline
