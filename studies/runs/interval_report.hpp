// How 'busline simulate --interval' and 'busline validate --interval' show how far a prediction may be off.
#pragma once
#include <string>

#include "documents/fields/cursor.hpp"
#include "models/interval/prediction_interval.hpp"

namespace busline {

/// The member "interval" of studies/schema/result.schema.json.
void describe(Fields& f, PredictionInterval& interval);
/// A human-readable page: the interval, and what makes it wide.
std::string to_text(const PredictionInterval& interval);

}  // namespace busline
