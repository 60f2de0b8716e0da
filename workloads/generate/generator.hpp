// The registry of workloads that 'busline generate' makes: a name, parameters with units and defaults, and a
// function that makes a Program of their values. To add a workload, add an entry (docs/how-to/generate.md).
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct GeneratorParameter {
  enum class Kind : std::uint8_t {
    number,  ///< a whole number
    size,    ///< bytes with a unit
    time,    ///< with a unit
    share,   ///< "10%" or "0.1", 0 to 1
    rate,    ///< bytes or bits a second with a unit
    choice,  ///< one of `choices`, or any text if there are none
  };
  std::string_view name;  ///< "ranks": the option is --ranks
  Kind kind = Kind::number;
  std::string_view fallback;  ///< its default, as a user would write it
  std::string_view help;
  std::uint64_t least = 0, most = 0;           ///< of numbers; both 0: any
  std::vector<std::string_view> choices = {};  ///< of a choice
};

/// Ranks of a generated workload.
inline constexpr std::uint64_t kMostGeneratedRanks = 1'000'000;

/// The value of each parameter.
class GeneratorValues {
 public:
  std::uint64_t number(std::string_view name) const { return std::get<std::uint64_t>(values_.at(name)); }
  std::uint32_t number32(std::string_view name) const { return static_cast<std::uint32_t>(number(name)); }
  Bytes size(std::string_view name) const { return std::get<Bytes>(values_.at(name)); }
  Duration time(std::string_view name) const { return std::get<Duration>(values_.at(name)); }
  Bandwidth rate(std::string_view name) const { return std::get<Bandwidth>(values_.at(name)); }
  double share(std::string_view name) const { return std::get<double>(values_.at(name)); }
  const std::string& choice(std::string_view name) const { return std::get<std::string>(values_.at(name)); }

 private:
  friend struct Generator;
  using Value = std::variant<std::uint64_t, Bytes, Duration, Bandwidth, double, std::string>;
  std::map<std::string_view, Value> values_;
};

struct Generator {
  std::string_view name, description;
  std::vector<GeneratorParameter> parameters;
  /// Approximate number of operations of the Program, so that a typing error does not fill the memory.
  double (*operations)(const GeneratorValues&);
  Expected<Program> (*make)(const GeneratorValues&);

  /// `given` has texts by parameter; the others have their defaults. Errors (bad_option) name the option.
  Expected<Program> generate(const std::map<std::string, std::string>& given) const;
};

/// All, in the order in which help lists them.
std::span<const Generator> generators();

// The tables.
std::vector<Generator> pattern_generators();
std::vector<Generator> benchmark_generators();

}  // namespace busline
