// The functions of SKaMPI 5's scripts, and the names that they begin with.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "measuring/method/repetition.hpp"
#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_values.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// What functions set, with SKaMPI 5's defaults.
struct SkiSettings {
  measure::RepetitionRules repetition{.precision = 0.1, .min_repetitions = 8, .max_repetitions = 33};
  std::uint64_t memory = std::uint64_t{4} << 20U;  ///< for buffers: set_skampi_buffer
  /// SKaMPI 5 walks through its buffer so that messages are not in the cache, and has half of it for that.
  bool cycles_buffers = true;
  double autorefine_factor = 2;
  SkiCommunicator world;  ///< of all ranks
};

/// A call: what a function is given, and what it may change.
struct SkiCall {
  std::string_view name;
  std::span<const SkiValue> arguments;
  const SkiPlace& place;
  const SkiMachine& machine;
  SkiSettings& settings;
  Diagnostics& diagnostics;

  Error error(std::string message, std::string hint = "") const;
  /// For argument n, or an Error that says which kind is expected. Real numbers that are whole are whole
  /// numbers.
  Expected<std::int64_t> whole(std::size_t n, std::int64_t least, std::int64_t most) const;
  Expected<double> real(std::size_t n) const;
  Expected<SkiCommunicator> communicator(std::size_t n) const;
  Expected<SkiDatatype> datatype(std::size_t n) const;
};

/// Errors: there is no such function, or it cannot be supported; wrong arguments.
Expected<SkiValue> call_ski_function(const SkiCall& call);

using SkiNames = std::map<std::string, SkiValue, std::less<>>;
/// MPI_COMM_WORLD, datatypes, operations of Reduce.
SkiNames predefined_ski_names(const SkiCommunicator& world);

}  // namespace busline::skampi
