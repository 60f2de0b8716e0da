// Terms of SKaMPI 5's scripts: numbers, names, calls and operators.
#pragma once
#include "sim/error.hpp"
#include "validation/measure/skampi/ski_cursor.hpp"
#include "validation/measure/skampi/ski_syntax.hpp"

namespace busline::skampi {

/// The term that begins where `at` is, which is behind it then. Errors: there is none, brackets that are not
/// closed, more than kDeepestSyntax things within one another.
Expected<SkiTerm> parse_ski_term(SkiCursor& at);

}  // namespace busline::skampi
