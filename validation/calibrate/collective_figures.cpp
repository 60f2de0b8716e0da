#include "validation/calibrate/collective_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"

namespace busline::calibrate {
namespace {

CalibratedFigure figure_of(CollectiveKind kind) {
  CalibratedFigure f;
  f.figure = fmt::format("/mpi/collectives/{}", busline::name_of(kind));
  return f;
}

// What the library chooses by itself.
CalibratedFigure figure_of(CollectivePreset library, const CollectiveFit& fit) {
  CalibratedFigure f;
  f.figure = "/mpi/collectives/preset";
  f.value = name_of(library);
  const auto measured = fit.operations.size();
  const auto agree = std::count_if(fit.operations.begin(), fit.operations.end(),
                                   [](const OperationFit& o) { return o.library && o.library->holds; });
  const bool simulated = library == CollectivePreset::dimemas;
  f.remark = simulated ? "as simulated machines do" : "the library's choices";
  f.remark += measured > 0 ? fmt::format("; {} of {} measured operations agree", agree, measured)
                           : ", assumed: no collective was measured";
  return f;
}

// "linear, from 64 KiB ring", and the alternatives that fit as well, once each.
CalibratedFigure figure_of(const OperationFit& operation) {
  auto f = figure_of(operation.kind);
  if (operation.library && operation.library->holds) {
    f.value = "as the preset says";
    return f;
  }
  std::vector<std::string> others;
  for (const auto& range : operation.ranges) {
    if (!f.value.empty()) f.value += fmt::format(", from {} ", to_text(range.cost.from));
    f.value += range.name;
    const bool is_told = std::find(others.begin(), others.end(), range.runner_up) != others.end();
    if (!range.told_apart && !range.runner_up.empty() && !is_told) others.push_back(range.runner_up);
  }
  if (!others.empty()) f.remark = fmt::format("cannot be distinguished from {}", fmt::join(others, ", "));
  return f;
}

}  // namespace

std::vector<CalibratedFigure> tell(const CollectiveFit& fit, const std::vector<Sibling>& siblings) {
  std::vector<CalibratedFigure> figures;
  if (fit.options.library) figures.push_back(figure_of(*fit.options.library, fit));
  for (const auto& operation : fit.operations)
    if (!fit.options.known.contains(operation.kind)) figures.push_back(figure_of(operation));
  for (const auto& [kind, algorithm] : fit.options.known) {
    auto& f = figures.emplace_back(figure_of(kind));
    f.value = busline::name_of(algorithm);
    f.remark = "given";
  }
  for (const auto& sibling : siblings) {
    auto& f = figures.emplace_back(figure_of(sibling.kind));
    f.value = fmt::format("as {}", busline::name_of(sibling.as));
    f.remark = "assumed: not measured";
  }
  return figures;
}

}  // namespace busline::calibrate
