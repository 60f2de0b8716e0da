// The blocks of a parameter file's @MEASUREMENTS: NAME { key = value; ... }.
#pragma once
#include <cstdint>
#include <string_view>

#include "measuring/skampi/parameter_file.hpp"
#include "measuring/skampi/parameter_value.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// Adds the blocks in `text`, which begins in `line` of the source, to `file`, whose defaults must have been
/// read. Errors name line, key and suite. Names have to differ from those of the suites that are there.
Expected<void> parse_measurement_blocks(std::string_view text, std::uint64_t line,
                                        const ParameterSource& source, ParameterFile& file);

}  // namespace busline::skampi
