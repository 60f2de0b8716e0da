// The distribution of run times under noise, as text and JSON (docs/how-to/noise.md).
#pragma once
#include <string>

#include "documents/fields/cursor.hpp"
#include "models/interval/noise_runs.hpp"

namespace busline {

/// A member of busline/result/1.
void describe(Fields& f, NoiseRuns& noise);
/// The distribution, and a row for each kind of noise.
std::string to_text(const NoiseRuns& noise);

}  // namespace busline
