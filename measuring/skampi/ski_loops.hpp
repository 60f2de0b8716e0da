// What the variables of loops take on, one value after the other.
#pragma once
#include <vector>

#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_scope.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// For a loop of kind list_loop: all values, those of iterators such as range(a, b) among them. Errors: what
/// is not a number, iterators with wrong arguments or more than kMostSkiSteps values.
Expected<std::vector<SkiValue>> ski_list(const SkiStatement& loop, SkiScope& scope);

/// For a loop of kind range_loop.
struct SkiRange {
  SkiRefinement steps;  ///< as far as the loop says it; `loop` is the caller's
  bool rounds = false;  ///< to whole multiples of `multiple`
  double multiple = 1;

  /// After k steps; two in a row may be the same number. Above steps.end the loop is over.
  double value(double k) const;
};
/// Errors: what is not a number or too large, steps that do not go up.
Expected<SkiRange> read_ski_range(const SkiStatement& loop, SkiScope& scope);

}  // namespace busline::skampi
