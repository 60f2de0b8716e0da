// Operators of SKaMPI 5's scripts: whole numbers stay whole, with C's division; what does not fit is an
// error.
#pragma once
#include <string_view>

#include "measuring/skampi/ski_tokens.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// -, + and not.
Expected<SkiValue> ski_prefix(std::string_view sign, const SkiValue& of, const SkiPlace& place);
/// + - * / %, comparisons (1 or 0), and, or. Texts can be compared.
Expected<SkiValue> ski_infix(std::string_view sign, const SkiValue& a, const SkiValue& b,
                             const SkiPlace& place);

}  // namespace busline::skampi
