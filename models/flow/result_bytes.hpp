// A Result, or the Error in its place, as bytes for another process of the same program.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// All fields.
std::string to_bytes(const Expected<Result>& result);
/// The inverse of to_bytes(). An Error of kind unsupported if these are not its bytes.
Expected<Result> from_bytes(std::string_view bytes);

}  // namespace busline
