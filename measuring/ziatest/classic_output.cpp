#include "measuring/ziatest/classic_output.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace busline::ziatest {
namespace {

constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerMinute = 60;

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  Words words;
  for (auto at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool begins_with(const Words& words, std::initializer_list<std::string_view> beginning) {
  return words.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), words.begin());
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number n{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failure != std::errc() || end != text.data() + text.size() || n < 0) return std::nullopt;
  return n;
}

// "624.57" of milliseconds.
std::optional<Duration> milliseconds(std::string_view text) {
  const auto ms = number<double>(text);
  if (!ms || !(*ms < 1e12)) return std::nullopt;
  return Duration::seconds(*ms * 1e-3);
}

// "0:01"
std::optional<Duration> minutes_and_seconds(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto minutes = number<std::int32_t>(text.substr(0, colon)),
             seconds = number<std::int32_t>(text.substr(colon + 1));
  if (!minutes || !seconds || *seconds >= kSecondsPerMinute) return std::nullopt;
  return Duration::seconds(static_cast<double>(*minutes * kSecondsPerMinute + *seconds));
}

Error wrong(const std::string& path, std::uint64_t line, std::string message) {
  Error e;
  e.path = path;
  if (line > 0) e.line = line;
  e.message = std::move(message);
  return e;
}

}  // namespace

std::string classic_text(const ClassicResult& result, ClassicTime time) {
  const auto us = result.total.count() / kPicosecondsPerMicrosecond;
  const auto seconds = us / kMicrosecondsPerSecond;
  if (time == ClassicTime::original && seconds > 0)
    return fmt::format("Time test was completed in {:3}:{:02} min:sec\nSlowest rank: {}\n",
                       seconds / kSecondsPerMinute, seconds % kSecondsPerMinute, result.slowest_rank);
  // The program computes this number with single precision.
  return fmt::format("Time test was completed in {:8.2f} millisecs\nSlowest rank: {}\n",
                     static_cast<double>(static_cast<float>(us) / 1000.0F), result.slowest_rank);
}

Expected<ClassicResult> parse_classic(std::string_view text, const std::string& path) {
  std::optional<Duration> total;
  std::optional<std::uint32_t> slowest;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (begins_with(words, {"Time", "test", "was", "completed", "in"})) {
      if (words.size() == 7 && words[6] == "millisecs") total = milliseconds(words[5]);
      if (words.size() == 7 && words[6] == "min:sec") total = minutes_and_seconds(words[5]);
      if (!total)
        return tl::unexpected(
            wrong(path, line, "the time is neither a number of millisecs nor M:SS min:sec"));
    } else if (begins_with(words, {"Slowest", "rank:"})) {
      if (words.size() == 3) slowest = number<std::uint32_t>(words[2]);
      if (!slowest) return tl::unexpected(wrong(path, line, "the slowest rank is not a whole number"));
    }
  }
  if (!total || !slowest)
    return tl::unexpected(wrong(path, 0,
                                fmt::format("ZiaTest's line '{}' is missing",
                                            total ? "Slowest rank: ..." : "Time test was completed in ...")));
  return ClassicResult{*total, *slowest};
}

}  // namespace busline::ziatest
