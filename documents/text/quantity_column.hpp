// Columns of a text table whose numbers all have one unit, which stands in the heading.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace busline {

/// What the numbers of a column count.
enum class QuantityKind : std::uint8_t {
  number,     ///< as it is
  time,       ///< picoseconds
  bytes,      ///< in powers of 1024 if all of them are multiples of 1024, else of 1000
  bandwidth,  ///< bytes per second, powers of 1000
};

/// First all numbers of the column are shown to it, then it writes each.
class QuantityColumn {
 public:
  explicit QuantityColumn(QuantityKind kind) : kind_(kind) {}
  void see(double value);
  bool empty() const { return !(largest_ > 0) && !zero_; }

  /// "run time [ms]"; the label alone for plain numbers.
  std::string heading(std::string_view label) const;
  /// Results: as many decimals everywhere as give the smallest five digits: "1114.63", "251.87". Where that
  /// were more than six, five digits of each.
  std::string result(double value) const;
  /// Settings: as short as they are given, at most six digits: "2.5".
  std::string setting(double value) const;

 private:
  struct Chosen {
    double size;
    const char* name;
  };
  Chosen unit() const;

  QuantityKind kind_;
  double smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0;  ///< of those that are not 0
  bool zero_ = false, binary_ = true;
};

}  // namespace busline
