#include "measuring/skampi/ski_loops.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace busline::skampi {
namespace {

bool is_iterator(const SkiTerm& term) {
  return term.kind == SkiTerm::Kind::call && (term.text == "range" || term.text == "squares");
}

// The whole numbers from the first argument to the second one, or the squares among them.
Expected<std::vector<SkiValue>> iterated(const SkiTerm& term, SkiScope& scope) {
  const bool is_range = term.text == "range";
  if (term.parts.size() != 2)
    return tl::unexpected(term.place.error(fmt::format("{}() takes two arguments", term.text)));
  std::int64_t ends[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const auto end = scope.evaluate(term.parts[i]);
    if (!end) return tl::unexpected(end.error());
    const auto* const whole = std::get_if<std::int64_t>(&*end);
    if (whole == nullptr || *whole < 0 || *whole > kLargestSkiArgument)
      return tl::unexpected(term.place.error(fmt::format("{}() counts from 0", term.text)));
    ends[i] = *whole;
  }
  std::vector<SkiValue> values;
  for (std::int64_t i = is_range ? ends[0] : 1; (is_range ? i : i * i) <= ends[1]; ++i) {
    if (values.size() == kMostSkiSteps)
      return tl::unexpected(term.place.error(fmt::format("more than {} values", kMostSkiSteps)));
    if (is_range || i * i >= ends[0]) values.emplace_back(is_range ? i : i * i);
  }
  return values;
}

Expected<double> loop_number(const SkiTerm& term, std::string_view what, SkiScope& scope, bool& is_whole) {
  const auto value = scope.evaluate(term);
  if (!value) return tl::unexpected(value.error());
  const auto real = as_number(*value);
  if (!real)
    return tl::unexpected(
        term.place.error(fmt::format("the {} is {}, expected a number", what, kind_of(*value))));
  if (!(std::abs(*real) <= static_cast<double>(kLargestSkiArgument)))
    return tl::unexpected(term.place.error(fmt::format("the {} is {}, which is too large", what, *real)));
  is_whole = std::holds_alternative<std::int64_t>(*value);
  return *real;
}

}  // namespace

Expected<std::vector<SkiValue>> ski_list(const SkiStatement& loop, SkiScope& scope) {
  std::vector<SkiValue> all;
  for (const auto& term : loop.terms) {
    if (is_iterator(term)) {
      const auto values = iterated(term, scope);
      if (!values) return values;
      all.insert(all.end(), values->begin(), values->end());
      continue;
    }
    auto value = scope.evaluate(term);
    if (!value) return tl::unexpected(std::move(value.error()));
    if (!as_number(*value))
      return tl::unexpected(
          term.place.error(fmt::format("a loop runs over numbers, but this is {}", kind_of(*value))));
    all.push_back(*std::move(value));
  }
  return all;
}

double SkiRange::value(double k) const {
  const double exact =
      steps.multiplies ? steps.start * std::pow(steps.step, k) : steps.start + steps.step * k;
  return rounds ? std::floor(exact / multiple + 0.5) * multiple : exact;
}

Expected<SkiRange> read_ski_range(const SkiStatement& loop, SkiScope& scope) {
  SkiRange range;
  auto& steps = range.steps;
  bool whole_start = true, whole_end = true, whole_step = true, whole_multiple = true;
  const auto start = loop_number(loop.terms[0], "start of the loop", scope, whole_start);
  if (!start) return tl::unexpected(start.error());
  steps.start = *start;
  steps.end = static_cast<double>(kLargestSkiArgument);
  if (!loop.is_open) {
    const auto end = loop_number(loop.terms[1], "end of the loop", scope, whole_end);
    if (!end) return tl::unexpected(end.error());
    steps.end = *end;
  }
  if (loop.terms.size() > 2) {
    const auto step = loop_number(loop.terms[2], "step of the loop", scope, whole_step);
    if (!step) return tl::unexpected(step.error());
    steps.step = *step;
  }
  if (!loop.multiple_of.empty()) {
    const auto of = loop_number(loop.multiple_of[0], "number after multipleof", scope, whole_multiple);
    if (!of) return tl::unexpected(of.error());
    range.multiple = *of;
    if (!(range.multiple >= 1))
      return tl::unexpected(loop.place.error("the number after multipleof is below 1"));
  }
  steps.multiplies = loop.multiplies;
  if (steps.multiplies ? !(steps.step > 1 && steps.start > 0) : !(steps.step > 0))
    return tl::unexpected(loop.place.error(
        steps.multiplies ? fmt::format("a loop from {} with 'step *{}' never ends", steps.start, steps.step)
                         : fmt::format("a loop with 'step {}' never ends", steps.step),
        "steps go up: 'step *x' with x above 1 and a start above 0, 'step x' with x above 0"));
  // Steps that multiply go over whole numbers, rounded: 1, 2, 3, 4, 6, 8, 11 with the square root of 2.
  range.rounds = whole_start && (steps.multiplies || whole_step);
  steps.factor = scope.settings().autorefine_factor;
  return range;
}

}  // namespace busline::skampi
