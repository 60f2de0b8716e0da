#include "measuring/skampi/result_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/parameter_value.hpp"

namespace busline::skampi {
namespace {

constexpr double kMostMicroseconds = 1e15;  // 30 years
constexpr std::size_t kLongestText = 1000;

}  // namespace

bool Lines::next(Line& line) {
  if (rest_.empty()) return false;
  const auto end = rest_.find('\n');
  line = {trimmed(rest_.substr(0, end)), ++number_, end != std::string_view::npos};
  rest_.remove_prefix(line.whole ? end + 1 : rest_.size());
  return true;
}

std::vector<std::string_view> columns_of(std::string_view text) {
  std::vector<std::string_view> columns;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto length = std::min(text.find_first_of(" \t"), text.size());
    columns.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return columns;
}

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const auto begin = text.find(before);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + before.size());
  const auto end = text.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

std::string clean_text(std::string_view text) {
  return printable(trimmed(text), kLongestText);
}

std::string_view RowReader::take(std::string_view name) {
  if (at_ < columns_.size()) return columns_[at_++];
  fail(fmt::format("the row has {} columns, expected one more: {}", columns_.size(), name));
  return {};
}

void RowReader::fail(std::string message) {
  if (error_) return;
  error_.emplace();
  error_->path = path_;
  error_->line = line_.number;
  error_->message = std::move(message);
}

std::uint64_t RowReader::whole(std::string_view name) {
  const auto text = take(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > measure::kLargestArgument) {
    fail(fmt::format("the {} is '{}', expected a whole number", name, printable(text)));
    return 0;
  }
  return value;
}

double RowReader::microseconds(std::string_view name) {
  const auto text = take(name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(std::abs(value) <= kMostMicroseconds)) {
    fail(fmt::format("the {} is '{}', expected microseconds", name, printable(text)));
    return 0;
  }
  below_zero_ = below_zero_ || value < 0;
  return std::max(value, 0.0);
}

ResultTime RowReader::result() {
  ResultTime r;
  r.value = microseconds("result");
  r.standard_error = microseconds("standard error");
  r.count = whole("number of repetitions");
  return r;
}

std::vector<double> RowReader::node_times() {
  std::vector<double> times;
  times.reserve(left());
  while (left() > 0) times.push_back(microseconds("time of a process"));
  return times;
}

std::string UniqueNames::operator()(const std::string& name) {
  auto& count = used_[name];
  if (++count == 1) return name;
  std::string other;
  do other = fmt::format("{}_{}", name, count++);
  while (++used_[other] > 1);
  return other;
}

void warn_incomplete(const ResultFile& file, const std::string& path, std::string_view missing,
                     Diagnostics& diagnostics) {
  std::string text = fmt::format("the file is not complete: {}", missing);
  const auto whole =
      std::count_if(file.suites.begin(), file.suites.end(), [](const ResultSuite& s) { return s.complete; });
  text += fmt::format("; {} of its {} suites have an end", whole, file.suites.size());
  if (!file.suites.empty() && !file.suites.back().complete)
    text +=
        fmt::format(", and {} rows of {} were read", file.suites.back().rows.size(), file.suites.back().name);
  diagnostics.push_back({Diagnostic::Severity::warning, "incomplete", std::move(text), path});
}

void warn_cut_row(const Line& line, const std::string& path, Diagnostics& diagnostics) {
  diagnostics.push_back({Diagnostic::Severity::warning,
                         "cut-row",
                         "the file ends within this row: left out",
                         path,
                         {},
                         line.number});
}

void warn_below_zero(const Line& line, const std::string& path, Diagnostics& diagnostics) {
  tell_once(diagnostics, {{Diagnostic::Severity::warning,
                           "below-zero",
                           "times below 0, which can result from subtracting overhead, are read as 0",
                           path,
                           {},
                           line.number}});
}

}  // namespace busline::skampi
