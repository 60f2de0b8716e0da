#include "documents/fields/pointer.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace busline {
namespace {

// Walks through a JSON text without reading its values. It never leaves the text, whatever its contents.
class Walker {
 public:
  Walker(std::string_view text, std::size_t at) : text_(text), at_(at) {}
  std::size_t at() const { return at_; }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // To the next character that is not blank, past one `separator` if there is one.
  void skip_blanks(char separator = ' ') {
    bool separated = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == separator && c != ' ' && !separated)
        separated = true;
      else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
        return;
      ++at_;
    }
  }
  void enter() { ++at_; }

  // Past the string that starts here; returns it with its quotes.
  std::string_view string() {
    const auto start = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(start, at_ - start);
  }

  // Past the value that starts here. Brackets are counted, not nested: deep texts cost no stack.
  void value() {
    std::size_t depth = 0;
    do {
      skip_blanks();
      const char c = here();
      if (c == '"') {
        string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        ++at_;
      } else if (c == ',' || c == ':') {
        if (depth == 0) return;
        ++at_;
      } else {
        while (at_ < text_.size() &&
               std::string_view(" \t\r\n,:]}[{\"").find(text_[at_]) == std::string_view::npos)
          ++at_;
      }
    } while (depth > 0 && at_ < text_.size());
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

bool names(std::string_view quoted, std::string_view key) {
  if (quoted.find('\\') == std::string_view::npos)
    return quoted.size() == key.size() + 2 && quoted.substr(1, key.size()) == key;
  const auto decoded = nlohmann::json::parse(quoted, nullptr, false);
  return decoded.is_string() && decoded.get_ref<const std::string&>() == key;
}

std::optional<JsonPlace> find_member(std::string_view json, std::size_t object, std::string_view key) {
  std::optional<JsonPlace> found;
  Walker w(json, object);
  w.enter();
  for (w.skip_blanks(); w.here() == '"'; w.skip_blanks(',')) {
    const auto name_at = w.at();
    const bool same = names(w.string(), key);
    w.skip_blanks(':');
    if (same) found = JsonPlace{name_at, w.at(), true};
    w.value();
  }
  return found;
}

std::optional<JsonPlace> element(std::string_view json, std::size_t array, std::size_t index) {
  Walker w(json, array);
  w.enter();
  w.skip_blanks();
  for (std::size_t i = 0; i < index; ++i) {
    const auto before = w.at();
    w.value();
    w.skip_blanks(',');
    if (w.at() == before) return std::nullopt;
  }
  if (w.here() == ']' || w.here() == '\0') return std::nullopt;
  return JsonPlace{w.at(), w.at(), true};
}

}  // namespace

std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer[0] != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~') {
      if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return std::nullopt;
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

void append_token(std::string& pointer, std::string_view key) {
  pointer += '/';
  for (const char c : key) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
}

std::optional<std::size_t> array_index(std::string_view token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size()) return std::nullopt;
  if (token.size() > 1 && token[0] == '0') return std::nullopt;
  return index;
}

bool is_within(std::string_view inner, std::string_view outer) {
  return inner.substr(0, outer.size()) == outer &&
         (inner.size() == outer.size() || inner[outer.size()] == '/');
}

JsonPlace locate(std::string_view json, std::string_view pointer) {
  const std::size_t byte_order_mark = json.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
  Walker start(json, byte_order_mark);
  start.skip_blanks();
  JsonPlace place{start.at(), start.at(), true};
  const auto tokens = split_pointer(pointer);
  if (!tokens) return {place.key, place.value, false};
  for (const auto& token : *tokens) {
    std::optional<JsonPlace> next;
    const char c = place.value < json.size() ? json[place.value] : '\0';
    if (c == '{') next = find_member(json, place.value, token);
    if (const auto index = array_index(token); c == '[' && index) next = element(json, place.value, *index);
    if (!next) return {place.key, place.value, false};
    place = *next;
  }
  return place;
}

LineColumn line_column(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto last = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          before.size() - (last == std::string_view::npos ? 0 : last + 1) + 1};
}

}  // namespace busline
