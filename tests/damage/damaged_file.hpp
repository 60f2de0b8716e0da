// The bytes of one DUMPI file: checks that the reader of records handles any contents correctly.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// The parts that an Error about a file of `size` bytes lacks: a message, a path, a place within the file if
/// it is of the file `name`. Empty if it has all.
std::string fault_in(const Error& e, std::size_t size, const std::string& name);

/// Reads every value of every record, as a whole file and as one to be salvaged. Returns the reader's fault;
/// empty if it behaved correctly. The caller must detect crashes, hangs and lack of memory.
std::string fault_in_file(std::string_view bytes);

}  // namespace busline
