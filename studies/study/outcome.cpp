#include "studies/study/outcome.hpp"

#include "documents/text/readable.hpp"

namespace busline {

std::string_view name_of(Outcome::Status status) {
  for (const auto& [name, value] : kOutcomeNames)
    if (value == status) return name;
  return "";
}

std::optional<double> cost_of(const Outcome& outcome) {
  if (!outcome.is_done()) return std::nullopt;
  if (outcome.run_time_ps.value_or(0) > 0) return static_cast<double>(*outcome.run_time_ps);
  if (outcome.bytes_per_s.value_or(0) > 0) return 1 / static_cast<double>(*outcome.bytes_per_s);
  return std::nullopt;
}

std::string result_text(const Outcome& outcome) {
  if (outcome.run_time_ps) return readable(Duration::picoseconds(*outcome.run_time_ps));
  if (outcome.bytes_per_s)
    return readable(Bandwidth::bytes_per_second(static_cast<double>(*outcome.bytes_per_s)));
  return "-";
}

}  // namespace busline
