// What must hold for errors about a text, and for what was read from it and can be written again.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::fuzz {

/// What readers call the bytes that they are given.
inline constexpr const char* kInput = "input";

/// What an Error lacks: a message; a path, if it is not about an option; that it can be printed on a
/// terminal; where it is of `text`, a place in it. Empty if it has all.
std::string fault_in_error(const Error& e, std::string_view text);
/// The same for warnings.
std::string fault_in_diagnostics(const Diagnostics& told);

/// For readers of documents that can be written: `text` is read, written, read and written, and both writings
/// must be the same. `read` gives an Expected, `write` a text of it.
template <class Read, class Write>
std::string fault_in_round_trip(std::string_view text, Read read, Write write) {
  auto first = read(std::string(text));
  if (!first) return fault_in_error(first.error(), text);
  const std::string written = write(*first);
  auto second = read(written);
  if (!second) return "the written document cannot be read: " + to_string(second.error()) + "\n" + written;
  const std::string again = write(*second);
  if (again != written) return "written once:\n" + written + "\nand again:\n" + again;
  return {};
}

}  // namespace busline::fuzz
