#include "documents/fields/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestPointer = 160;

// nlohmann's message without its prefix: "[json.exception...] parse error at line 1, column 2: ".
std::string reason(std::string_view what) {
  if (const auto at = what.find(": "); at != std::string_view::npos) what.remove_prefix(at + 2);
  return printable(what, 200);
}

// Builds values from the parser's events, and rejects deep nesting and duplicate keys. The library's own
// builder checks all elements of a list at its end if it may reject any.
class Maker final : public nlohmann::json_sax<Json> {
 public:
  explicit Maker(Json& root) : root_(root) {}

  // Why the parse ended.
  struct Refusal {
    std::string message;
    std::optional<std::size_t> byte;  // nothing: at the value or key at pointer()
    bool about_key = false;
  };
  const Refusal& refusal() const { return refusal_; }
  // The place of the next value.
  std::string pointer() const {
    std::string p;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const auto& o = open_[i];
      const std::size_t begun = i + 1 < open_.size() ? 1 : 0;  // already contains the open values
      append_token(p, o.value->is_array() ? std::to_string(o.value->size() - begun) : o.key);
    }
    return p;
  }

  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(number_integer_t v) override { return put(v); }
  bool number_unsigned(number_unsigned_t v) override { return put(v); }
  bool number_float(number_float_t v, const string_t&) override { return put(v); }
  bool string(string_t& v) override { return put(std::move(v)); }
  bool binary(binary_t&) override { return false; }  // none in a text
  bool start_object(std::size_t) override { return start(Json::object()); }
  bool start_array(std::size_t) override { return start(Json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& key) override {
    auto& object = open_.back();
    object.key = key;
    if (object.keys.insert(key).second) return true;
    refusal_ = {fmt::format("the key '{}' is given twice", printable(key)), {}, true};
    return false;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    constexpr int kNumberOverflow = 406;
    if (e.id == kNumberOverflow)
      refusal_ = {"the number is too large", {}};
    else
      refusal_ = {reason(e.what()), position > 0 ? position - 1 : 0};
    return false;
  }

 private:
  struct Open {
    Json* value;
    std::string key;  // of the member that comes next
    std::unordered_set<std::string> keys;
  };

  // Its final place: an open value never moves, since its parent grows only after the value's end.
  Json& add(Json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    auto& around = *open_.back().value;
    if (around.is_array()) {
      around.push_back(std::move(value));
      return around.back();
    }
    // As a vector: the key is known to be new.
    auto& members = around.get_ref<Json::object_t&>();
    members.emplace_back(open_.back().key, std::move(value));
    return members.back().second;
  }
  bool put(Json&& value) {
    add(std::move(value));
    return true;
  }
  bool start(Json&& value) {
    if (open_.size() == kDeepest) {
      refusal_ = {fmt::format("nesting is deeper than {} levels", kDeepest), {}, true};
      return false;
    }
    open_.push_back({&add(std::move(value)), {}, {}});
    return true;
  }
  bool end() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Open> open_;
  Refusal refusal_;
};

tl::unexpected<Error> refuse_setting(std::string_view pointer, std::string message) {
  return refuse_file(Error::Kind::bad_option, "--set " + printable(pointer, kLongestPointer),
                     std::move(message));
}

// The existing part of a pointer: `at` is the value that its first `known` tokens lead to, `place` the
// pointer of the next one, with '-' replaced by its index.
struct Way {
  Json* at;
  std::size_t known = 0;
  std::string place;
};

Expected<Way> find_way(Json& root, std::string_view pointer, const std::vector<std::string>& tokens) {
  Way way{&root, 0, {}};
  for (; way.known < tokens.size(); ++way.known) {
    const auto& token = tokens[way.known];
    const auto here = printable(way.place, kLongestPointer);
    if (way.at->is_object()) {
      const auto member = way.at->find(token);
      append_token(way.place, token);
      if (member == way.at->end()) break;
      way.at = &*member;
    } else if (way.at->is_array()) {
      const auto index = array_index(token);
      const auto size = way.at->size();
      if (token != "-" && (!index || *index >= size))
        return refuse_setting(
            pointer, fmt::format("{} has {}, expected an index below that or '-' to append one", here,
                                 counted(size, "element")));
      append_token(way.place, index ? token : std::to_string(size));
      if (!index) break;
      way.at = &(*way.at)[*index];
    } else {
      const auto value = way.at->dump(-1, ' ', false, Json::error_handler_t::replace);
      return refuse_setting(pointer, fmt::format("{} is {}, which has no members", here, printable(value)));
    }
  }
  return way;
}

}  // namespace

Document::Document() : root_(std::make_unique<Json>()) {}
Document::Document(const Document& other)
    : text_(other.text_),
      path_(other.path_),
      root_(std::make_unique<Json>(*other.root_)),
      settings_(other.settings_) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Expected<Document> Document::parse(std::string text, std::string path) {
  Document d;
  d.text_ = std::move(text);
  d.path_ = std::move(path);
  Maker maker(*d.root_);
  if (Json::sax_parse(d.text_, &maker)) return d;
  const auto& refusal = maker.refusal();
  if (!refusal.byte)
    return tl::unexpected(refusal.about_key ? d.error_at_key(maker.pointer(), refusal.message)
                                            : d.error_at(maker.pointer(), refusal.message));
  Error error;
  error.path = d.path_;
  const auto [line, column] = line_column(d.text_, *refusal.byte);
  error.line = line;
  error.column = column;
  // For a file of another kind the parser's reasons are of little use.
  const auto begin = std::min(d.text_.find_first_not_of(" \t\r\n"), d.text_.size());
  if (begin == d.text_.size())
    error.message = "expected a JSON document, found nothing";
  else if (begin == refusal.byte)
    error.message = fmt::format("expected a JSON document, found {}",
                                printable(d.text_.substr(begin, d.text_.find('\n', begin) - begin), 20));
  else
    error.message = refusal.message;
  return tl::unexpected(std::move(error));
}

Expected<Document> Document::read(const std::string& path) {
  return read_text_file(path).and_then([&](std::string text) { return parse(std::move(text), path); });
}

Document Document::of(Json root, std::string path) {
  Document d;
  *d.root_ = std::move(root);
  d.path_ = std::move(path);
  return d;
}

Expected<void> Document::set(std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos)
    return refuse_setting(assignment,
                          "expected a JSON pointer, '=' and a value, as in --set /network/buses=4");
  const auto pointer = assignment.substr(0, equals);
  const auto text = assignment.substr(equals + 1);
  const auto tokens = split_pointer(pointer);
  if (!tokens || tokens->empty())
    return refuse_setting(pointer, "not a JSON pointer, expected one as in --set /network/buses=4");

  if (tokens->size() > kDeepest)
    return refuse_setting(pointer, fmt::format("nesting is deeper than {} levels", kDeepest));
  auto way = find_way(*root_, pointer, *tokens);
  if (!way) return tl::unexpected(std::move(way.error()));

  auto value = Document::parse(std::string(text), "");
  if (!value && !is_utf8(text)) return refuse_setting(pointer, "the value is not UTF-8");
  Json created = value ? std::move(*value->root_) : Json(text);
  // Builds the missing part of the path from its end, then adds it to the existing value.
  for (std::size_t i = tokens->size(); i > way->known + 1; --i) {
    const auto& token = (*tokens)[i - 1];
    created = token == "-" || token == "0" ? Json::array({std::move(created)})
                                           : Json::object({{token, std::move(created)}});
  }
  for (std::size_t i = way->known + 1; i < tokens->size(); ++i)
    append_token(way->place, (*tokens)[i] == "-" ? "0" : (*tokens)[i]);
  if (way->known == tokens->size())
    *way->at = std::move(created);
  else if (way->at->is_array())
    way->at->push_back(std::move(created));
  else
    (*way->at)[(*tokens)[way->known]] = std::move(created);
  settings_.push_back({std::move(way->place), std::string(text)});
  return {};
}

// The last --set that determined the value at `pointer`.
const Document::Setting* Document::setting_of(const std::string& pointer) const {
  for (auto s = settings_.rbegin(); s != settings_.rend(); ++s)
    if (is_within(pointer, s->pointer)) return &*s;
  // A value that a --set created on its path.
  if (text_.empty() || !locate(text_, pointer).found)
    for (auto s = settings_.rbegin(); s != settings_.rend(); ++s)
      if (is_within(s->pointer, pointer)) return &*s;
  return nullptr;
}

Error Document::error(const std::string& pointer, std::string message, Part part, std::size_t offset) const {
  Error e;
  if (const auto* s = setting_of(pointer)) {
    e.kind = Error::Kind::bad_option;
    e.path = "--set " + printable(s->pointer, kLongestPointer);
    if (pointer != s->pointer) e.where = printable(pointer, kLongestPointer);
    if (part == Part::value && is_within(pointer, s->pointer)) e.message = printable(s->value) + ": ";
    if (offset > 0) e.message += fmt::format("column {}: ", offset + 1);
    e.message += message;
    return e;
  }
  e.path = path_;
  e.where = printable(pointer, kLongestPointer);
  e.message = std::move(message);
  if (text_.empty()) return e;
  const auto place = locate(text_, pointer);
  auto at = part == Part::key ? place.key : place.value;
  // After the quote; a string with escapes is longer in the text than in the value.
  const auto end = text_.find_first_of("\"\\", at + 1);
  if (offset > 0 && text_[at] == '"' && end != std::string::npos && text_[end] == '"') at += offset + 1;
  const auto [line, column] = line_column(text_, at);
  e.line = line;
  e.column = column;
  return e;
}

Error Document::error_at(const std::string& pointer, std::string message, std::size_t offset) const {
  return error(pointer, std::move(message), Part::value, offset);
}

Error Document::error_at_key(const std::string& pointer, std::string message) const {
  return error(pointer, std::move(message), Part::key, 0);
}

}  // namespace busline
