#include "documents/command_line/option_values.hpp"

#include <fmt/format.h>

#include "sim/base/quantity.hpp"

namespace busline::cli {

Expected<double> parse_share(const std::string& text, const std::string& option) {
  const auto value = busline::parse_share(text);
  if (!value || *value > 10)
    return refuse_option(option, fmt::format("'{}' is not a share", text),
                         value ? "expected 1000% at most" : value.error().reason);
  return *value;
}

}  // namespace busline::cli
