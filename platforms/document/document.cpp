#include "platforms/document/document.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "platforms/document/pointer.hpp"
#include "platforms/document/printable.hpp"
#include "platforms/document/text_file.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestPointer = 160;

// Follows the parser through a text: where it is, and which keys each open object has had.
class Progress {
 public:
  struct Refusal {
    std::string message;
  };
  // Throws a Refusal, which ends the parse at once; Document::parse catches it.
  void operator()(Json::parse_event_t event, const Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (open_.size() == kDeepest)
          throw Refusal{fmt::format("nesting is deeper than {} levels", kDeepest)};
        open_.push_back({event == Json::parse_event_t::array_start, 0, {}, {}});
        break;
      case Json::parse_event_t::key:
        open_.back().key = parsed.get_ref<const std::string&>();
        if (!open_.back().keys.insert(open_.back().key).second)
          throw Refusal{fmt::format("the key '{}' is given twice", printable(open_.back().key))};
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        open_.pop_back();
        [[fallthrough]];
      case Json::parse_event_t::value:
        if (!open_.empty()) ++open_.back().index;
    }
  }
  // Of the value that comes next.
  std::string pointer() const {
    std::string p;
    for (const auto& o : open_) append_token(p, o.is_array ? std::to_string(o.index) : o.key);
    return p;
  }

 private:
  struct Open {
    bool is_array;
    std::size_t index;
    std::string key;
    std::unordered_set<std::string> keys;
  };
  std::vector<Open> open_;
};

// nlohmann's text without what it puts before it: "[json.exception...] parse error at line 1, column 2: ".
std::string reason(std::string_view what) {
  if (const auto at = what.find(": "); at != std::string_view::npos) what.remove_prefix(at + 2);
  return printable(what, 200);
}

tl::unexpected<Error> refuse_setting(std::string_view pointer, std::string message) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.path = "--set " + printable(pointer, kLongestPointer);
  e.message = std::move(message);
  return tl::unexpected(std::move(e));
}

// How much of a pointer there is: `at` is the value that its first `known` tokens lead to, `place` the
// pointer of the next one, with '-' replaced by the index that it stands for.
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
            pointer,
            fmt::format("{} has {} elements, expected an index below that or '-' to append one", here, size));
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

Expected<Document> Document::parse(std::string text, std::string path) {
  Document d;
  d.text_ = std::move(text);
  d.path_ = std::move(path);
  Progress progress;
  try {
    d.root_ = Json::parse(d.text_, [&](int, Json::parse_event_t event, Json& parsed) {
      progress(event, parsed);
      return true;
    });
  } catch (const Progress::Refusal& refusal) {
    return tl::unexpected(d.error_at_key(progress.pointer(), refusal.message));
  } catch (const Json::parse_error& e) {
    const auto [line, column] = line_column(d.text_, e.byte > 0 ? e.byte - 1 : 0);
    Error error;
    error.path = d.path_;
    error.line = line;
    error.column = column;
    error.message = reason(e.what());
    return tl::unexpected(std::move(error));
  } catch (const Json::out_of_range&) {
    return tl::unexpected(d.error_at(progress.pointer(), "the number is too large"));
  }
  return d;
}

Expected<Document> Document::read(const std::string& path) {
  return read_text_file(path).and_then([&](std::string text) { return parse(std::move(text), path); });
}

Document Document::of(Json root, std::string path) {
  Document d;
  d.root_ = std::move(root);
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
  auto way = find_way(root_, pointer, *tokens);
  if (!way) return tl::unexpected(std::move(way.error()));

  auto value = Document::parse(std::string(text), "");
  if (!value && !is_utf8(text)) return refuse_setting(pointer, "the value is not UTF-8");
  Json created = value ? std::move(value->root_) : Json(text);
  // What is missing on the way, from its end; then what is there takes it in.
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

// The last --set that decided what stands at `pointer`.
const Document::Setting* Document::setting_of(const std::string& pointer) const {
  for (auto s = settings_.rbegin(); s != settings_.rend(); ++s)
    if (is_within(pointer, s->pointer)) return &*s;
  // A value that a --set created on its way.
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
  // Past the quote; a string with escapes is longer in the text than in the value.
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
