// What a script of SKaMPI 5 knows at the statement that it has come to: names and settings, and what terms
// are worth with these.
#pragma once
#include <span>
#include <vector>

#include "measuring/skampi/ski_functions.hpp"
#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

class SkiScope {
 public:
  /// The names that scripts begin with, and SKaMPI 5's settings. Both arguments outlive it.
  SkiScope(const SkiMachine& machine, Diagnostics& diagnostics);

  /// Functions that are called may change settings. Errors: names and functions that there are not, wrong
  /// kinds of values, lists.
  Expected<SkiValue> evaluate(const SkiTerm& term);
  /// One after the other; the first Error ends it.
  Expected<std::vector<SkiValue>> evaluate(const std::vector<SkiTerm>& terms);

  /// `term` is a call. It refers to `term`, `arguments` and this.
  SkiCall call(const SkiTerm& term, std::span<const SkiValue> arguments = {});

  SkiNames& names() { return names_; }
  const SkiSettings& settings() const { return settings_; }

 private:
  Expected<SkiValue> look_up(const SkiTerm& term) const;

  const SkiMachine& machine_;
  Diagnostics& diagnostics_;
  SkiSettings settings_;
  SkiNames names_;
};

}  // namespace busline::skampi
