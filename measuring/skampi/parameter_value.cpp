#include "measuring/skampi/parameter_value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "documents/fields/cursor.hpp"
#include "documents/fields/printable.hpp"

namespace busline::skampi {
namespace {

constexpr double kPicosecondsPerMinute = 60e12;
// Below the first a bare standard error is a fraction, from the second on it is per cent.
constexpr double kSurelyFraction = 0.1, kSurelyPercent = 1;

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : name)
    if (c != '_') bare.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return bare;
}

Error ParameterSource::error(std::uint64_t line, std::string where, std::string message,
                             std::string hint) const {
  Error e;
  e.path = path;
  e.line = line;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

void ParameterSource::warn(std::uint64_t line, const char* code, std::string message) const {
  diagnostics.push_back({Diagnostic::Severity::warning, code, std::move(message), path, {}, line});
}

Expected<void> ParameterValue::wrong(std::string_view expected, std::string hint) const {
  auto message = text_.empty() ? fmt::format("the value is missing, expected {}", expected)
                               : fmt::format("is '{}', expected {}", printable(text_), expected);
  if (!source_->lenient)
    return tl::unexpected(source_->error(line_, where_, std::move(message), std::move(hint)));
  source_->warn(line_, "default-value", fmt::format("{}: {}: using the default", where_, message));
  return {};
}

Expected<void> ParameterValue::unknown(const std::vector<std::string>& known) const {
  if (left_to_default()) return {};
  const auto near = nearest_name(known, text_.substr(0, kLongestName));
  return wrong(fmt::format("{}", fmt::join(known, " or ")),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
}

Expected<void> ParameterValue::whole_number(std::optional<std::uint64_t>& out, std::uint64_t least,
                                            std::uint64_t most) const {
  if (left_to_default()) return {};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (error != std::errc{} || end != text_.data() + text_.size() || value < least || value > most)
    return wrong(fmt::format("a whole number from {} to {}", least, most));
  out = value;
  return {};
}

Expected<void> ParameterValue::number(double& out, bool (*fits)(double), std::string_view what) const {
  if (left_to_default()) return {};
  const auto value = number_in(text_);
  if (!value || !fits(*value)) return wrong(what);
  out = *value;
  return {};
}

Expected<void> ParameterValue::cut_quantile(double& out) const {
  return number(
      out, [](double q) { return q >= 0 && q < 0.5; }, "0 or more and less than 0.5");
}

Expected<void> ParameterValue::minutes(std::optional<Duration>& out) const {
  if (left_to_default()) return {};
  if (is("Invalid_Value") || is("disabled")) {
    out.reset();
    return {};
  }
  const auto value = number_in(text_);
  const auto most = static_cast<double>(kLongestTime.count()) / kPicosecondsPerMinute;
  if (!value || !(*value > 0) || *value > most)
    return wrong(fmt::format("minutes, more than 0 and at most {}, or Invalid_Value for no limit", most));
  out = Duration::from_double(*value * kPicosecondsPerMinute);
  return {};
}

Expected<void> ParameterValue::standard_error(double& out) const {
  if (left_to_default()) return {};
  const bool percent = text_.ends_with('%');
  const auto value = number_in(percent ? trimmed(text_.substr(0, text_.size() - 1)) : text_);
  if (!value || !(*value >= 0)) return wrong("a standard error relative to the mean, such as 3 % or 0.03");
  const bool in_percent = percent || *value >= kSurelyPercent;
  out = in_percent ? *value / 100 : *value;
  if (!in_percent && *value >= kSurelyFraction)
    source_->warn(
        line_, "percent-or-fraction",
        fmt::format("{}: {} is read as a fraction, {} %: write it with %", where_, *value, *value * 100));
  return {};
}

}  // namespace busline::skampi
