#include "documents/fields/compact_text.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace busline {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kWidth = 100;

std::string scalar(const Json& v) {
  return v.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// On one line, or nothing if that takes more than `room`.
bool write_line(const Json& v, std::size_t room, std::string& out) {
  if (!v.is_structured()) {
    out += scalar(v);
    return out.size() <= room;
  }
  out += v.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& item : v.items()) {
    if (!first) out += ", ";
    first = false;
    if (v.is_object()) out += scalar(item.key()) + ": ";
    if (out.size() > room || !write_line(item.value(), room, out)) return false;
  }
  out += v.is_object() ? '}' : ']';
  return out.size() <= room;
}

// `column` is where the value starts on its line.
void write(const Json& v, std::size_t indent, std::size_t column, std::string& out) {
  std::string line;
  if (!v.is_structured() || v.empty()) {
    out += scalar(v);
    return;
  }
  if (write_line(v, column < kWidth ? kWidth - column : 0, line)) {
    out += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  out += v.is_object() ? '{' : '[';
  std::size_t used = kWidth;
  bool first = true;
  for (const auto& item : v.items()) {
    if (!first) out += ',';
    const auto text = v.is_array() && !item.value().is_structured() ? scalar(item.value()) : std::string();
    if (!first && !text.empty() && used + text.size() + 3 <= kWidth) {
      out += ' ';
      out += text;
      used += text.size() + 2;
    } else {
      const auto key = v.is_object() ? scalar(item.key()) + ": " : std::string();
      out += '\n' + margin + key;
      used = margin.size() + text.size();
      write(item.value(), indent + 2, margin.size() + key.size(), out);
    }
    first = false;
  }
  out += '\n' + std::string(indent, ' ') + (v.is_object() ? '}' : ']');
}

}  // namespace

std::string compact_text(const Json& value) {
  std::string out;
  write(value, 0, 0, out);
  return out + '\n';
}

}  // namespace busline
