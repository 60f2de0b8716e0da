// Values of axes as numbers: for drawing them, for columns in one unit, and in SI units for other programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "documents/text/quantity_column.hpp"
#include "studies/study/study.hpp"

namespace busline {

/// A value of an axis as a number in the unit of its kind (documents/text/quantity_column.hpp). `json` is its
/// text in a study. Nothing if it is no number, time, bandwidth or size, or unlimited.
struct AxisNumber {
  double value = 0;
  QuantityKind kind = QuantityKind::number;
  bool operator==(const AxisNumber&) const = default;
};
std::optional<AxisNumber> axis_number(const std::string& json);

/// In seconds, bytes or bytes per second.
double si_of(const AxisNumber& number);
/// "_s", "_bytes", "_bytes_per_s": what the name of a column with si_of() ends in; "_number" for plain
/// numbers.
std::string_view si_suffix(QuantityKind kind);

/// The kind of the numbers among these values; nothing if there are none, or of several kinds.
std::optional<QuantityKind> kind_of_axis(const std::vector<std::string>& jsons);

/// The column of an axis in a text table: numbers in one unit, which is the one they are given in if that is
/// the same one everywhere; all else as it is called.
class AxisColumn {
 public:
  AxisColumn(std::string label, const std::vector<std::string>& jsons);
  std::string heading() const;
  std::string text(const AxisValue& value) const;

 private:
  std::string label_;
  std::string given_unit_;  ///< empty: they differ
  bool in_unit_ = false;
  QuantityColumn column_{QuantityKind::number};
};

}  // namespace busline
