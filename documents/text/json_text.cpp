#include "documents/text/json_text.hpp"

#include <nlohmann/json.hpp>

namespace busline {

std::string json_text(std::string_view text) {
  constexpr bool kOnlyAscii = true;
  return nlohmann::json(text).dump(-1, ' ', kOnlyAscii, nlohmann::json::error_handler_t::replace);
}

}  // namespace busline
