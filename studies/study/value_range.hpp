// Values at equal steps, or equal ratios, between two ends: numbers and quantities.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace busline {

/// From one end to the other. Ends are JSON texts: two numbers, or two quantities of one kind.
class ValueRange {
 public:
  /// An Error (bad_input, without a place) if the ends are not numbers or quantities of one kind, are
  /// unlimited, or are not above 0 for a logarithmic range.
  static Expected<ValueRange> between(const std::string& from, const std::string& to, bool logarithmic);

  /// The value at `share` of the way, 0 to 1, as a JSON text: the ends as they were given; between them
  /// whole numbers if both ends are, whole bytes, and else six digits, in the unit of the ends if they have
  /// the same one.
  std::string at(double share) const;
  /// `count` of them, at least 2, from end to end; whole numbers that come twice are left out.
  std::vector<std::string> values(std::size_t count) const;
  /// Where on the way a value is: a number or a quantity as at() gives it.
  Expected<double> share_of(const std::string& json) const;

 private:
  enum class Kind : std::uint8_t { whole, real, time, bandwidth, size };
  struct End {
    Kind kind;
    double amount;     // in ps, bytes/s, bytes, or the number itself
    std::string unit;  // as it was written
    double in_unit;    // the number before the unit
  };
  static Expected<End> end(const std::string& json);

  Kind kind_ = Kind::real;
  bool logarithmic_ = false;
  std::string from_text_, to_text_, unit_;
  double from_ = 0, to_ = 0;
  double per_unit_ = 1;  // amounts of one unit_
};

}  // namespace busline
