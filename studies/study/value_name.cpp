#include "studies/study/value_name.hpp"

#include <nlohmann/json.hpp>

#include "documents/fields/printable.hpp"

namespace busline {
namespace {

constexpr std::size_t kLongestName = 40;

// Paths differ at their ends.
std::string end_of_path(const std::string& path) {
  const auto least = path.size() > kLongestName ? path.size() - kLongestName + 3 : 0;
  const auto slash = path.find('/', least);
  return least == 0 || slash == path.npos ? path : "..." + path.substr(slash);
}

}  // namespace

std::string value_name(const std::string& json) {
  const auto value = nlohmann::ordered_json::parse(json, nullptr, false);
  return printable(value.is_string() ? end_of_path(value.get_ref<const std::string&>()) : json, kLongestName);
}

}  // namespace busline
