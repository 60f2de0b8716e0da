// Terms of SKaMPI 5's scripts: numbers, names, calls and operators.
#pragma once
#include "measuring/skampi/ski_cursor.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// The term that begins where `at` is, which is behind it then. Errors: there is none, brackets that are not
/// closed, more than kDeepestSyntax things within one another.
Expected<SkiTerm> parse_ski_term(SkiCursor& at);

}  // namespace busline::skampi
