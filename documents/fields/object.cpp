#include "documents/fields/object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "documents/fields/printable.hpp"

namespace busline::fields {
namespace {

class KeyLister final : public Fields {
 public:
  Keys keys;
  void refused(std::string_view key, std::string_view why) override {
    keys.not_available.emplace_back(key, why);
  }

 private:
  void member(std::string_view key, bool is_required, const Value&) override {
    keys.known.emplace_back(key);
    if (is_required) keys.needed.emplace_back(key);
  }
};

class Reader final : public Fields {
 public:
  explicit Reader(const Cursor& at) : at_(at) {}
  Expected<void> result;

 private:
  void member(std::string_view key, bool is_required, const Value& value) override {
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
  Writer(const nlohmann::ordered_json* defaults, std::string_view kept) : defaults_(defaults), kept_(kept) {}
  nlohmann::ordered_json members = nlohmann::ordered_json::object();

 private:
  void member(std::string_view key, bool is_required, const Value& value) override {
    auto written = value.write(value.of);
    if (!is_required && defaults_ != nullptr && key != kept_ && written == *defaults_->find(key)) return;
    members[std::string(key)] = std::move(written);
  }
  const nlohmann::ordered_json* defaults_;
  std::string_view kept_;
};

nlohmann::ordered_json write_members(const Object& object, const nlohmann::ordered_json* defaults,
                                     std::string_view kept) {
  Writer w(defaults, kept);
  object.describe_it(w, object.of);
  return std::move(w.members);
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

nlohmann::ordered_json write(const Object& object) {
  return write_members(object, nullptr, {});
}

nlohmann::ordered_json write(const Object& object, const nlohmann::ordered_json& defaults,
                             std::string_view kept) {
  return write_members(object, &defaults, kept);
}

}  // namespace busline::fields
