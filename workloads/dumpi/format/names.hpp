// Names of the numbers in records: predefined handles, operators, modes and the special values of MPI.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/layout.hpp"

namespace busline::dumpi {

/// Which numbers of an argument have a name. The argument's type decides in most cases, its name in some.
enum class Meaning : std::uint8_t {
  plain,  ///< a count, a size, a flag, ...: no number has a name
  datatype,
  communicator,
  group,
  operation,
  request,
  error_handler,
  file,
  info,
  window,
  keyval,
  thread_level,
  topology,
  comparison,
  order,
  distribution,
  lock,
  whence,
  type_class,
  file_mode,
  combiner,
  assertion,
  source,            ///< of a receive or a probe: -1 is MPI_ANY_SOURCE, lower is MPI_PROC_NULL
  tag,               ///< of a receive or a probe: -1 is MPI_ANY_TAG
  null_rank,         ///< a destination or a neighbour: negative is MPI_PROC_NULL
  root,              ///< on inter-communicators -1 and -2 are MPI_PROC_NULL, -3 and -4 are MPI_ROOT
  may_be_undefined,  ///< -32766 is MPI_UNDEFINED
};

Meaning meaning_of(std::uint16_t function, std::size_t argument);

/// "MPI_DOUBLE" for 14 of a datatype. Empty for numbers without a name: handles that the program made, ranks,
/// and all plain numbers.
std::string_view name_of(Meaning meaning, std::int64_t value);

/// True if the tracer itself numbered these values, so that the number adds nothing to the name. Other
/// numbers come from the program and its MPI library; some are special.
constexpr bool is_numbered_by_tracer(Meaning meaning) {
  return meaning != Meaning::plain && meaning < Meaning::source;
}

}  // namespace busline::dumpi
