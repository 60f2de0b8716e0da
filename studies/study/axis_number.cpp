#include "studies/study/axis_number.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/quantity.hpp"

namespace busline {
namespace {

// What follows the number of a quantity; and the number, both as they were written.
struct WrittenQuantity {
  std::string number, unit;
};
WrittenQuantity written(const std::string& name) {
  const auto end = std::min(name.find_first_not_of("0123456789.+-eE"), name.size());
  const auto unit = std::min(name.find_first_not_of(' ', end), name.size());
  return {name.substr(0, end), name.substr(unit)};
}

std::string text_of_value(const std::string& json) {
  const auto value = nlohmann::ordered_json::parse(json, nullptr, false);
  return value.is_string() ? value.get<std::string>() : json;
}

}  // namespace

std::optional<AxisNumber> axis_number(const std::string& json) {
  const auto value = nlohmann::ordered_json::parse(json, nullptr, false);
  if (value.is_number()) return AxisNumber{value.get<double>(), QuantityKind::number};
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (const auto time = parse_duration(text))
    return AxisNumber{static_cast<double>(time->count()), QuantityKind::time};
  if (const auto size = parse_bytes(text))
    return AxisNumber{static_cast<double>(count(*size)), QuantityKind::bytes};
  if (const auto rate = parse_bandwidth(text); rate && !rate->is_unlimited())
    return AxisNumber{rate->in_bytes_per_second(), QuantityKind::bandwidth};
  return std::nullopt;
}

double si_of(const AxisNumber& number) {
  return number.kind == QuantityKind::time ? number.value / 1e12 : number.value;
}

std::string_view si_suffix(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::time:
      return "_s";
    case QuantityKind::bytes:
      return "_bytes";
    case QuantityKind::bandwidth:
      return "_bytes_per_s";
    case QuantityKind::number:
      break;
  }
  return "_number";
}

std::optional<QuantityKind> kind_of_axis(const std::vector<std::string>& jsons) {
  std::optional<QuantityKind> kind;
  for (const auto& json : jsons) {
    const auto number = axis_number(json);
    if (!number) continue;
    if (kind && *kind != number->kind) return std::nullopt;
    kind = number->kind;
  }
  return kind;
}

AxisColumn::AxisColumn(std::string label, const std::vector<std::string>& jsons) : label_(std::move(label)) {
  const auto kind = kind_of_axis(jsons);
  in_unit_ = kind && *kind != QuantityKind::number;
  if (!in_unit_) return;
  column_ = QuantityColumn(*kind);
  std::optional<std::string> unit;
  bool same = true;
  for (const auto& json : jsons) {
    const auto number = axis_number(json);
    if (!number) continue;
    column_.see(number->value);
    auto here = written(text_of_value(json)).unit;
    same = same && (!unit || *unit == here);
    unit = std::move(here);
  }
  if (same && unit) given_unit_ = *unit;
}

std::string AxisColumn::heading() const {
  if (!given_unit_.empty()) return label_ + " [" + given_unit_ + "]";
  return in_unit_ ? column_.heading(label_) : label_;
}

std::string AxisColumn::text(const AxisValue& value) const {
  const auto number = in_unit_ ? axis_number(value.json) : std::nullopt;
  if (!number) return value.name;
  return given_unit_.empty() ? column_.setting(number->value) : written(text_of_value(value.json)).number;
}

}  // namespace busline
