#include "studies/study/value_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

tl::unexpected<Error> refuse_value(std::string message) {
  Error e;
  e.message = std::move(message);
  return tl::unexpected(std::move(e));
}

// The unit of a quantity: what follows its number.
std::string unit_text(const std::string& text) {
  const auto at = text.find_first_not_of("0123456789.+-eE");
  // An 'e' may begin a unit nowhere; blanks before the unit stay with it, as they were written.
  return at == std::string::npos ? std::string() : text.substr(at);
}

}  // namespace

Expected<ValueRange::End> ValueRange::end(const std::string& json) {
  const auto value = Json::parse(json, nullptr, false);
  if (value.is_number_integer()) return End{Kind::whole, value.get<double>(), {}, 0};
  if (value.is_number()) return End{Kind::real, value.get<double>(), {}, 0};
  if (!value.is_string())
    return refuse_value(
        fmt::format("{} is neither a number nor a quantity, such as \"1.5us\"", printable(json)));
  const auto& text = value.get_ref<const std::string&>();
  End end{Kind::time, 0, unit_text(text), 0};
  if (const auto time = parse_duration(text)) {
    end.amount = static_cast<double>(time->count());
  } else if (const auto bandwidth = parse_bandwidth(text); bandwidth && !bandwidth->is_unlimited()) {
    end.kind = Kind::bandwidth;
    end.amount = bandwidth->in_bytes_per_second();
  } else if (const auto size = parse_bytes(text)) {
    end.kind = Kind::size;
    end.amount = static_cast<double>(count(*size));
  } else {
    return refuse_value(
        fmt::format("'{}' is neither a number nor a quantity, such as \"1.5us\"", printable(text)));
  }
  end.in_unit = std::strtod(text.c_str(), nullptr);
  return end;
}

Expected<ValueRange> ValueRange::between(const std::string& from, const std::string& to, bool logarithmic) {
  const auto first = end(from);
  if (!first) return tl::unexpected(first.error());
  const auto last = end(to);
  if (!last) return tl::unexpected(last.error());
  auto kind = first->kind;
  const bool numbers = kind <= Kind::real && last->kind <= Kind::real;
  if (numbers && last->kind == Kind::real) kind = Kind::real;
  if (!numbers && kind != last->kind)
    return refuse_value(fmt::format("{} and {} are not of the same kind", printable(from), printable(to)));
  if (logarithmic && (first->amount <= 0 || last->amount <= 0))
    return refuse_value("the ends of a logarithmic range must be above 0");
  ValueRange range;
  range.kind_ = kind;
  range.logarithmic_ = logarithmic;
  range.from_text_ = from;
  range.to_text_ = to;
  range.from_ = first->amount;
  range.to_ = last->amount;
  if (first->unit == last->unit && (kind == Kind::time || kind == Kind::bandwidth)) {
    range.unit_ = first->unit;
    const auto& end = first->in_unit != 0 ? *first : *last;
    if (end.in_unit != 0) range.per_unit_ = end.amount / end.in_unit;
  }
  return range;
}

std::string ValueRange::at(double share) const {
  if (share <= 0) return from_text_;
  if (share >= 1) return to_text_;
  const auto amount = logarithmic_ ? from_ * std::pow(to_ / from_, share) : from_ + (to_ - from_) * share;
  const auto digits = [](double v) { return fmt::format("{:.6g}", v); };
  switch (kind_) {
    case Kind::whole:
      return fmt::format("{}", std::llround(amount));
    case Kind::real:
      return Json(std::strtod(digits(amount).c_str(), nullptr)).dump();
    case Kind::size:
      return Json(to_text(Bytes{static_cast<std::uint64_t>(std::llround(amount))})).dump();
    case Kind::time:
    case Kind::bandwidth:
      break;
  }
  if (!unit_.empty()) {
    const auto number = std::strtod(digits(amount / per_unit_).c_str(), nullptr);
    return Json(fmt::format("{}{}", number, unit_)).dump();
  }
  const auto rounded = std::strtod(digits(amount).c_str(), nullptr);
  return Json(kind_ == Kind::time ? to_text(Duration::from_double(rounded))
                                  : to_text(Bandwidth::bytes_per_second(rounded)))
      .dump();
}

std::vector<std::string> ValueRange::values(std::size_t count) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    auto value = at(static_cast<double>(i) / static_cast<double>(count - 1));
    if (all.empty() || all.back() != value) all.push_back(std::move(value));
  }
  return all;
}

Expected<double> ValueRange::share_of(const std::string& json) const {
  const auto value = end(json);
  if (!value) return tl::unexpected(value.error());
  if (from_ == to_) return 0.0;
  return logarithmic_ ? std::log(value->amount / from_) / std::log(to_ / from_)
                      : (value->amount - from_) / (to_ - from_);
}

}  // namespace busline
