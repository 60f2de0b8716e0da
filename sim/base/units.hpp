// Strong units: whole picoseconds, whole bytes, and bytes per second.
// Times are integers so that addition is associative: the same events give the
// same times on every compiler and at every optimisation level.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>

namespace busline {

/// A span of simulated time in whole picoseconds; about +-106 days fit.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration picoseconds(std::int64_t ps) { return Duration(ps); }
  static constexpr Duration max() { return Duration(std::numeric_limits<std::int64_t>::max()); }
  /// Rounds to the nearest picosecond; values out of range become max(). `s` must not be NaN.
  static constexpr Duration seconds(double s) { return from_double(s * 1e12); }
  /// The same from a fractional count of picoseconds. This is the only place that rounds.
  static constexpr Duration from_double(double ps) {
    if (ps >= 9.2233720368547748e18) return max();
    if (ps <= -9.2233720368547748e18) return Duration(-max().count());
    const auto whole = static_cast<std::int64_t>(ps);  // adding 0.5 first would itself round beyond 2^52
    const double rest = ps - static_cast<double>(whole);
    return Duration(whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0));
  }
  constexpr std::int64_t count() const { return ps_; }
  constexpr double in_seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration& operator+=(Duration o) {
    ps_ += o.ps_;
    return *this;
  }
  friend constexpr Duration operator+(Duration a, Duration b) { return a += b; }
  friend constexpr Duration operator-(Duration a, Duration b) { return Duration(a.ps_ - b.ps_); }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return Duration(a.ps_ * n); }

 private:
  explicit constexpr Duration(std::int64_t ps) : ps_(ps) {}
  std::int64_t ps_ = 0;
};

/// A point on the simulated clock. Points are compared and subtracted, never added.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time zero() { return {}; }
  static constexpr Time never() { return Time(Duration::max()); }
  static constexpr Time at(Duration since_start) { return Time(since_start); }
  constexpr Duration since_start() const { return since_start_; }
  constexpr std::int64_t count() const { return since_start_.count(); }
  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Time operator+(Time t, Duration d) { return Time(t.since_start_ + d); }
  friend constexpr Duration operator-(Time a, Time b) { return a.since_start_ - b.since_start_; }

 private:
  explicit constexpr Time(Duration d) : since_start_(d) {}
  Duration since_start_{};
};

/// a + b for counts of picoseconds summed over many items; saturates at the limits.
constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? Duration::max().count() : -Duration::max().count();
}

/// a * n, likewise saturating; neither is negative.
constexpr std::int64_t saturated_product(std::int64_t a, std::uint32_t n) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, std::int64_t{n}, &product) ? Duration::max().count() : product;
}

enum class Bytes : std::uint64_t {};
constexpr std::uint64_t count(Bytes b) {
  return static_cast<std::uint64_t>(b);
}

/// Bytes per second; unlimited() transfers anything in no time.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;  // unlimited
  static constexpr Bandwidth bytes_per_second(double v) { return Bandwidth(v); }
  static constexpr Bandwidth unlimited() { return {}; }
  constexpr double in_bytes_per_second() const { return v_; }
  constexpr bool is_unlimited() const { return v_ == std::numeric_limits<double>::infinity(); }
  constexpr auto operator<=>(const Bandwidth&) const = default;

 private:
  explicit constexpr Bandwidth(double v) : v_(v) {}
  double v_ = std::numeric_limits<double>::infinity();
};

/// Time to serialise `b` at rate `r`, to the nearest picosecond.
constexpr Duration operator/(Bytes b, Bandwidth r) {
  return Duration::seconds(static_cast<double>(count(b)) / r.in_bytes_per_second());
}

}  // namespace busline
