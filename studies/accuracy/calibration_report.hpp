// The output of 'busline calibrate': a page of text, or a document "busline/calibration/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "documents/fields/cursor.hpp"
#include "platforms/description/calibration_record.hpp"
#include "validation/calibrate/calibration.hpp"

namespace busline {

/// The platform and every point, measured and modelled.
void describe(Fields& f, calibrate::Calibrated& calibrated);
nlohmann::ordered_json to_json(const calibrate::Calibrated& calibrated);
std::string to_text(const calibrate::Calibrated& calibrated);

/// The tables that a calibrated platform carries: its figures, and how far predictions are from measurements.
std::string to_text(const CalibrationRecord& record);

}  // namespace busline
