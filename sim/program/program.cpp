#include "sim/program/program.hpp"

#include <algorithm>

namespace busline {

std::uint64_t Program::call_number(const Strand& s, std::uint64_t index) const {
  std::uint64_t n = 0;
  for (std::uint64_t i = s.begin; i <= index && i < s.end; ++i)
    n += (operations()[i].flags & Operation::first_of_call) != 0 ? 1U : 0U;
  return n;
}

std::optional<std::uint16_t> Program::find_call(std::string_view name) const {
  const auto at = std::find(tables_.call_names.begin(), tables_.call_names.end(), name);
  if (at == tables_.call_names.end()) return std::nullopt;
  return static_cast<std::uint16_t>(at - tables_.call_names.begin());
}

}  // namespace busline
