#include "studies/study/value_name.hpp"

#include <nlohmann/json.hpp>

#include "platforms/document/printable.hpp"

namespace busline {

std::string value_name(const std::string& json) {
  const auto value = nlohmann::ordered_json::parse(json, nullptr, false);
  return printable(value.is_string() ? value.get_ref<const std::string&>() : json, 40);
}

}  // namespace busline
