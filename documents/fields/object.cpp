#include "documents/fields/object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "documents/fields/printable.hpp"

namespace busline::fields {
namespace {

using Json = nlohmann::ordered_json;

class KeyLister final : public Fields {
 public:
  Keys keys;
  void refused(std::string_view key, std::string_view why) override {
    keys.not_available.emplace_back(key, why);
  }

 private:
  void member(std::string_view key, bool is_required, std::string_view, const Value&) override {
    keys.known.emplace_back(key);
    if (is_required) keys.needed.emplace_back(key);
  }
};

class Reader final : public Fields {
 public:
  explicit Reader(const Cursor& at) : at_(at) {}
  Expected<void> result;

 private:
  void member(std::string_view key, bool is_required, std::string_view, const Value& value) override {
    if (!result) return;
    if (const auto there = at_.member(key))
      result = value.read(*there, value.of);
    else if (is_required)
      result = tl::unexpected(missing(at_, key));
  }
  const Cursor& at_;
};

class Writer final : public Fields {
 public:
  /// `leave_out` says so of an optional member.
  explicit Writer(std::function<bool(std::string_view key, const Json& written)> leave_out)
      : leave_out_(std::move(leave_out)) {}
  Json members = Json::object();

 private:
  void member(std::string_view key, bool is_required, std::string_view, const Value& value) override {
    auto written = value.write(value.of);
    if (is_required || !leave_out_(key, written)) members[std::string(key)] = std::move(written);
  }
  std::function<bool(std::string_view, const Json&)> leave_out_;
};

template <class LeaveOut>
Json write_members(const Object& object, const LeaveOut& leave_out) {
  Writer w(leave_out);
  object.describe_it(w, object.of);
  return std::move(w.members);
}

class SchemaMaker final : public Fields {
 public:
  Json required = Json::array(), properties = Json::object(), conditions = Json::object();
  std::string meaning, place;
  void about(std::string_view text) override {
    if (meaning.empty()) meaning = text;  // else it is that of an object whose members are put into this one
  }
  void defined_as(std::string_view reference) override {
    if (properties.empty() && place.empty()) place = reference;
  }
  void condition(std::string_view keywords) override {
    if (properties.empty()) conditions.update(Json::parse(keywords));
  }

 private:
  // Whether a member that is left out counts as `written`: some have a value then that no document has.
  static bool is_default(const Json& written, const Json& property) {
    if (property.contains("const")) return false;
    if (written.is_number()) return !property.contains("minimum") || written >= property["minimum"];
    return written.is_boolean() || (written.is_string() && written != "");
  }
  // Before what is inside, which may be long.
  static void set_description(Json& property, std::string_view text) {
    property["description"] = text;
    for (const auto* inside : {"items", "properties"})
      if (property.contains(inside)) {
        auto moved = std::move(property[inside]);
        property.erase(inside);
        property[inside] = std::move(moved);
      }
  }
  void member(std::string_view key, bool is_required, std::string_view text, const Value& value) override {
    if (is_required) required.push_back(key);
    auto property = value.schema(value.of);
    if (!is_required && !value.may_lack)
      if (const auto written = value.write(value.of); is_default(written, property))
        property["default"] = written;
    if (!text.empty()) set_description(property, text);
    properties[std::string(key)] = std::move(property);
  }
};

// Beside a reference, until the document is complete: what is referred to.
constexpr const char* kDefinition = "$def";

// Moves the definitions that belong to a file (`own`: its name and '#') to `definitions`, and drops the
// others.
void settle(Json& part, const std::string& own, Json& definitions) {
  if (part.is_object() && part.contains(kDefinition)) {
    auto reference = part["$ref"].get<std::string>();
    auto defined = std::move(part[kDefinition]);
    part.erase(kDefinition);
    if (reference.starts_with(own)) {
      part["$ref"] = reference.substr(own.size() - 1);
      const auto name = reference.substr(reference.rfind('/') + 1);
      if (!definitions.contains(name)) {
        definitions[name] = nullptr;  // ahead of those that it refers to
        settle(defined, own, definitions);
        definitions[name] = std::move(defined);
      }
    }
  }
  if (part.is_structured())
    for (auto& inner : part) settle(inner, own, definitions);
}

}  // namespace

Keys keys_of(const Object& object) {
  KeyLister lister;
  object.describe_it(lister, object.of);
  return std::move(lister.keys);
}

Expected<void> refuse_unknown(const Cursor& at, const Keys& keys) {
  for (const auto& member : at.value().items()) {
    const auto& key = member.key();
    if (std::find(keys.known.begin(), keys.known.end(), key) != keys.known.end()) continue;
    for (const auto& [name, why] : keys.not_available)
      if (key == name) return tl::unexpected(at.key_error(key, fmt::format("'{}' {}", name, why)));
    const auto nearest = nearest_name(keys.known, printable(key));
    return tl::unexpected(at.key_error(
        key, fmt::format("unknown key '{}'{}", printable(key),
                         nearest.empty() ? fmt::format(", expected one of {}", fmt::join(keys.known, ", "))
                                         : fmt::format("; did you mean '{}'?", nearest))));
  }
  return {};
}

Error missing(const Cursor& at, std::string_view key) {
  return at.error(fmt::format("'{}' is missing", key));
}

Expected<void> read(const Cursor& at, const Object& object) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object"));
  if (auto known = refuse_unknown(at, keys_of(object)); !known) return known;
  Reader reader(at);
  object.describe_it(reader, object.of);
  return reader.result;
}

Json write(const Object& object) {
  return write_members(object, [](std::string_view, const Json&) { return false; });
}

Json write(const Object& object, const Json& defaults, std::string_view kept) {
  return write_members(object, [&](std::string_view key, const Json& written) {
    return key != kept && written == *defaults.find(key);
  });
}

Json write_present(const Object& object) {
  return write_members(object, [](std::string_view, const Json& written) { return written.is_null(); });
}

Json schema(const Object& object) {
  SchemaMaker m;
  object.describe_it(m, object.of);
  Json made{{"type", "object"}, {"additionalProperties", false}};
  if (!m.required.empty()) made["required"] = std::move(m.required);
  if (!m.meaning.empty()) made["description"] = std::move(m.meaning);
  made.update(m.conditions);
  made["properties"] = std::move(m.properties);
  return m.place.empty() ? made : definition(m.place, std::move(made));
}

Json definition(std::string_view reference, Json schema) {
  return {{"$ref", reference}, {kDefinition, std::move(schema)}};
}

Json schema_document(std::string_view file, std::string_view title, Json schema) {
  if (schema.value("$ref", "") == file) schema = Json(std::move(schema[kDefinition]));
  Json definitions = Json::object();
  settle(schema, std::string(file) + '#', definitions);
  Json document{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", file}, {"title", title}};
  document.update(schema);
  if (!definitions.empty()) document["$defs"] = std::move(definitions);
  return document;
}

}  // namespace busline::fields

namespace busline {

nlohmann::ordered_json schema_of(const std::string&) {
  return {{"type", "string"}};
}

}  // namespace busline
