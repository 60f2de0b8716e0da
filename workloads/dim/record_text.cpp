#include "workloads/dim/record_text.hpp"

#include <algorithm>

namespace busline::dim {
namespace {

constexpr std::string_view kSend =
    "2:task:thread:destination[:destination thread]:size:tag:communicator:mode";
constexpr std::string_view kReceive = "3:task:thread:source[:source thread]:size:tag:communicator:mode";
constexpr std::string_view kCollective =
    "10:task:thread:operation:communicator:root:root thread:send size:receive size[:synchronisation]";
constexpr std::string_view kDefinition = "d:kind:number:size:task...";

// Without the part in brackets, or with it but without the brackets.
std::string plain(std::string_view layout, bool with_option) {
  const auto open = layout.find('[');
  const auto close = layout.find(']');
  if (open == std::string_view::npos) return std::string(layout);
  std::string s(layout.substr(0, open));
  if (with_option) s += layout.substr(open + 1, close - open - 1);
  return s += layout.substr(close + 1);
}

}  // namespace

std::string_view record_name(std::int64_t number) {
  switch (number) {
    case 0:
      return "no-op record";
    case 1:
      return "burst record";
    case 2:
      return "send record";
    case 3:
      return "receive record";
    case 10:
      return "collective record";
    case 11:
      return "accelerator burst record";
    case 20:
      return "event record";
    default:
      return "record";
  }
}

std::string_view record_layout(std::int64_t number) {
  switch (number) {
    case 0:
      return "0:task:thread";
    case 1:
      return "1:task:thread:seconds";
    case 2:
      return kSend;
    case 3:
      return kReceive;
    case 10:
      return kCollective;
    case 20:
      return "20:task:thread:type:value";
    default:
      return "record:task:thread";
  }
}

std::string field_name(std::string_view line, std::size_t field) {
  if (field == 0) return "record number";
  const auto record = field_text(line, 0);
  if (record == "d") return std::string(field < 4 ? field_text(kDefinition, field) : "task");
  constexpr std::size_t kPlain = 8;  // fields of a send or receive without the other side's thread
  const auto fields = static_cast<std::size_t>(std::count(line.begin(), line.end(), ':')) + 1;
  for (const std::int64_t number : {0, 1, 2, 3, 10, 20})
    if (const auto layout = record_layout(number); record == field_text(layout, 0)) {
      const auto names = plain(layout, fields > kPlain);
      return std::string(field_text(names, field));
    }
  return std::string(field_text(record_layout(-1), field));
}

std::string_view field_text(std::string_view line, std::size_t field) {
  constexpr std::size_t kMostShown = 40;
  line.remove_prefix(column_of(line, field) - 1);
  return line.substr(0, std::min(line.find_first_of(":\r"), kMostShown));
}

std::size_t column_of(std::string_view line, std::size_t field) {
  std::size_t at = 0;
  for (; field > 0; --field) {
    const auto colon = line.find(':', at);
    if (colon == std::string_view::npos) return line.size() + 1;
    at = colon + 1;
  }
  return at + 1;
}

}  // namespace busline::dim
