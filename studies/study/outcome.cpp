#include "studies/study/outcome.hpp"

namespace busline {

std::string_view name_of(Outcome::Status status) {
  for (const auto& [name, value] : kOutcomeNames)
    if (value == status) return name;
  return "";
}

}  // namespace busline
