// A platform from measurements: what 'busline calibrate' does (docs/how-to/calibration.md). Everything that
// is measured comes as measure::Measurement, whatever it was read from.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "validation/calibrate/known_algorithms.hpp"
#include "validation/calibrate/self_check.hpp"

namespace busline::calibrate {

struct CalibrationOptions {
  std::string name;                ///< of the platform; empty: the measured machine's
  double hold_out = 0;             ///< share of the points, 0 to below 1, that no figure is fitted to
  std::uint64_t seed = 1;          ///< of the bootstrap and of what is held out
  std::uint32_t replicates = 200;  ///< of the bootstrap
  KnownAlgorithms algorithms;      ///< of collectives, which are not looked for
  /// Whose choices are expected of the other collectives; without it those of the library that the
  /// measurements name, or `dimemas` on a simulated machine.
  std::optional<CollectivePreset> library;
  bool search_collectives = false;  ///< nothing is expected of them
  /// The machine that has relative speed 1: measured with the same fixed work.
  std::optional<measure::Measurement> reference;
};

struct Calibrated {
  Platform platform;  ///< with its figures in platform.calibration
  std::vector<Residual> residuals;
  /// Whether it reproduces its own measurements: no suite of platform.calibration is off.
  bool is_good() const;
  Diagnostics diagnostics;  ///< figures that the data cannot determine, and which measurement is missing
};

/// The same arguments give the same result. Errors (bad_input): no measurements, or of several machines;
/// times that are not times; no ping-pong; a reference without fixed work.
Expected<Calibrated> calibrate(const std::vector<measure::Measurement>& measurements,
                               const CalibrationOptions& options = {});

}  // namespace busline::calibrate
