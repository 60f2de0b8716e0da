// The bytes of one DUMPI file: does the reader of records deal with whatever is in them as it must?
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// What an Error about a file of `size` bytes lacks: a message, a path, a place within the file if it is of
/// the file `name`. Empty if it has all.
std::string fault_in(const Error& e, std::size_t size, const std::string& name);

/// Reads every value of every record, as a whole file and as one to be salvaged. Gives what the reader did
/// wrong; empty if it did all it must. Crashes, hangs and lack of memory are the caller's to notice.
std::string fault_in_file(std::string_view bytes);

}  // namespace busline
