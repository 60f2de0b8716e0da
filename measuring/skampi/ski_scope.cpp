#include "measuring/skampi/ski_scope.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/ski_arithmetic.hpp"

namespace busline::skampi {

SkiScope::SkiScope(const SkiMachine& machine, Diagnostics& diagnostics)
    : machine_(machine), diagnostics_(diagnostics) {
  std::vector<std::uint32_t> ranks(machine.ranks);
  std::iota(ranks.begin(), ranks.end(), 0U);
  settings_.world = {std::make_shared<const std::vector<std::uint32_t>>(std::move(ranks)), machine.ranks};
  names_ = predefined_ski_names(settings_.world);
}

Expected<SkiValue> SkiScope::evaluate(const SkiTerm& term) {
  switch (term.kind) {
    case SkiTerm::Kind::whole:
      return term.whole;
    case SkiTerm::Kind::real:
      return term.real;
    case SkiTerm::Kind::text:
      return term.text;
    case SkiTerm::Kind::name:
      return look_up(term);
    default:
      break;
  }
  const auto parts = evaluate(term.parts);
  if (!parts) return tl::unexpected(parts.error());
  switch (term.kind) {
    case SkiTerm::Kind::call:
      return call_ski_function(call(term, *parts));
    case SkiTerm::Kind::prefix:
      return ski_prefix(term.text, (*parts)[0], term.place);
    case SkiTerm::Kind::infix:
      return ski_infix(term.text, (*parts)[0], (*parts)[1], term.place);
    default:
      return tl::unexpected(term.place.error("a list in { } is not supported"));
  }
}

Expected<std::vector<SkiValue>> SkiScope::evaluate(const std::vector<SkiTerm>& terms) {
  std::vector<SkiValue> values;
  for (const auto& term : terms) {
    auto value = evaluate(term);
    if (!value) return tl::unexpected(std::move(value.error()));
    values.push_back(*std::move(value));
  }
  return values;
}

SkiCall SkiScope::call(const SkiTerm& term, std::span<const SkiValue> arguments) {
  return {term.text, arguments, term.place, machine_, settings_, diagnostics_};
}

Expected<SkiValue> SkiScope::look_up(const SkiTerm& term) const {
  const auto found = names_.find(term.text);
  if (found != names_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, value] : names_) known.push_back(name);
  const auto near = nearest_name(known, std::string_view(term.text).substr(0, 64));
  return tl::unexpected(term.place.error(fmt::format("{} does not exist", printable(term.text)),
                                         near.empty() ? "" : fmt::format("did you mean {}?", near)));
}

}  // namespace busline::skampi
