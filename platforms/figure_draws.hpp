// Platforms that a calibration allows: each figure drawn from its confidence interval.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/document.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

class FigureDraws {
 public:
  /// Uses platform.calibration. Figures without both bounds are left as they are, and so are those that no
  /// longer have the calibrated value: whoever changed them knows them.
  explicit FigureDraws(Platform platform);

  /// JSON pointers of the figures that are drawn, in the order of the record.
  const std::vector<std::string>& figures() const { return names_; }

  /// The platform without its record, with each figure drawn by itself: normally distributed around its
  /// value, with a deviation on either side that puts 2.5 % of the draws beyond that bound; in proportion
  /// where the lower bound is above 0. Whole numbers are rounded and do not leave their bounds. The same seed
  /// gives the same platform.
  Expected<Platform> draw(std::uint64_t seed) const;

 private:
  FigureDraws(const std::optional<CalibrationRecord>& record, const Platform& platform);
  struct Figure {
    double value, low, high;
    bool is_count;
    std::string (*text)(double);
  };
  static bool read(const CalibratedFigure& from, Figure& figure);

  Document document_;
  std::vector<std::string> names_;
  std::vector<Figure> figures_;  // of the same length
};

}  // namespace busline
