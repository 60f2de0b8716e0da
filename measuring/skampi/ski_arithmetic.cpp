#include "measuring/skampi/ski_arithmetic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace busline::skampi {
namespace {

SkiValue truth(bool is) {
  return std::int64_t{is ? 1 : 0};
}

template <class T>
std::optional<bool> compare(std::string_view sign, const T& a, const T& b) {
  if (sign == "==") return a == b;
  if (sign == "!=" || sign == "<>") return a != b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  return std::nullopt;
}

Expected<SkiValue> whole_result(std::string_view sign, std::int64_t a, std::int64_t b,
                                const SkiPlace& place) {
  std::int64_t result = 0;
  bool overflows = false;
  if (sign == "+") overflows = __builtin_add_overflow(a, b, &result);
  if (sign == "-") overflows = __builtin_sub_overflow(a, b, &result);
  if (sign == "*") overflows = __builtin_mul_overflow(a, b, &result);
  if (sign == "/" || sign == "%") {
    if (b == 0) return tl::unexpected(place.error(fmt::format("{} {} 0 is not a number", a, sign)));
    overflows = b == -1 && a == std::numeric_limits<std::int64_t>::min();
    if (!overflows) result = sign == "/" ? a / b : a % b;
  }
  if (overflows) return tl::unexpected(place.error(fmt::format("{} {} {} is too large", a, sign, b)));
  return result;
}

Expected<SkiValue> real_result(std::string_view sign, double a, double b, const SkiPlace& place) {
  const double result = sign == "+"   ? a + b
                        : sign == "-" ? a - b
                        : sign == "*" ? a * b
                        : sign == "/" ? a / b
                                      : std::fmod(a, b);
  if (!std::isfinite(result))
    return tl::unexpected(place.error(fmt::format("{} {} {} is not a number", a, sign, b)));
  return result;
}

}  // namespace

Expected<SkiValue> ski_prefix(std::string_view sign, const SkiValue& of, const SkiPlace& place) {
  const auto x = as_number(of);
  if (!x)
    return tl::unexpected(place.error(fmt::format("'{}' needs a number, but this is {}", sign, kind_of(of))));
  if (sign == "not") return truth(*x == 0);
  if (sign == "+") return of;
  return ski_infix("-", std::int64_t{0}, of, place);
}

Expected<SkiValue> ski_infix(std::string_view sign, const SkiValue& a, const SkiValue& b,
                             const SkiPlace& place) {
  const auto* const text_a = std::get_if<std::string>(&a);
  const auto* const text_b = std::get_if<std::string>(&b);
  if (text_a != nullptr && text_b != nullptr)
    if (const auto is = compare(sign, *text_a, *text_b)) return truth(*is);
  const auto x = as_number(a), y = as_number(b);
  if (!x || !y)
    return tl::unexpected(place.error(
        fmt::format("'{}' needs two numbers, but these are {} and {}", sign, kind_of(a), kind_of(b))));
  if (sign == "and") return truth(*x != 0 && *y != 0);
  if (sign == "or") return truth(*x != 0 || *y != 0);
  const auto* const whole_a = std::get_if<std::int64_t>(&a);
  const auto* const whole_b = std::get_if<std::int64_t>(&b);
  if (whole_a != nullptr && whole_b != nullptr) {
    if (const auto is = compare(sign, *whole_a, *whole_b)) return truth(*is);
    return whole_result(sign, *whole_a, *whole_b, place);
  }
  if (const auto is = compare(sign, *x, *y)) return truth(*is);
  return real_result(sign, *x, *y, place);
}

}  // namespace busline::skampi
