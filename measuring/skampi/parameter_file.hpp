// SKaMPI's parameter file: what to measure, and how often. R. H. Reussner, SKaLib: SKaMPI as a library
// (Interner Bericht 99/07, Karlsruhe 1999), chapters 5 and 6; docs/reference/skampi.md lists sections and
// keys, and our interpretation where the source is silent.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "measuring/method/refinement.hpp"
#include "measuring/method/repetition.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::skampi {

/// How much a suite of measurements may cost. The file has one of them for all suites that do not say their
/// own (Default_Value).
struct SuiteLimits {
  measure::RepetitionRules repetition;
  std::uint32_t max_steps = 16;          ///< measurements of a suite on a dynamic scale
  std::uint64_t multiple_of = 1;         ///< every argument is a multiple of it
  std::optional<Duration> time_suite{};  ///< nothing: as long as it takes
  bool operator==(const SuiteLimits&) const = default;
};

inline constexpr std::uint64_t kDefaultMessage = 256, kDefaultChunks = 6;

/// A block of @MEASUREMENTS. Which operation it names is for the registry of operations to say.
struct SuiteParameters {
  std::string name;        ///< unique in the file; one word
  std::uint64_t line = 0;  ///< where the block begins
  std::uint32_t type = 0;  ///< SKaMPI's number of the operation; 0: it is named
  std::string operation;   ///< its name; empty: it is numbered
  std::optional<measure::Varies>
      varies;  ///< bytes, ranks, chunks, nothing; not given: what the operation varies over
  std::optional<measure::Scale> scale;  ///< not given: dynamic_log for bytes, else fixed_linear
  std::optional<std::uint64_t> start;   ///< not given: the smallest that makes sense
  std::optional<std::uint64_t> end;     ///< nothing: as far as buffers and ranks go (Max_Value)
  std::optional<double> step;           ///< not given: the square root of 2, or 1 on linear scales
  std::uint64_t min_distance = 2;
  std::optional<std::uint64_t> max_distance;  ///< read and written; it means nothing, as in SKaMPI
  std::uint64_t message = kDefaultMessage;    ///< bytes, where the length does not vary
  std::uint64_t chunks = kDefaultChunks;      ///< where they do not vary
  bool node_times = false;
  SuiteLimits limits;
  bool operator==(const SuiteParameters&) const = default;
};

struct ParameterFile {
  std::string user, machine, node, network;  ///< texts for the head of the result file, lines joined by \n
  std::string comment;
  std::string out_file, log_file;         ///< empty: not named (SKaMPI then writes skampi.out and skampi.log)
  Bytes memory{std::uint64_t{4} << 20U};  ///< of all message buffers of a rank together
  SuiteLimits defaults;
  bool absolute = false;        ///< times as measured; else without the time of an empty measurement
  bool post_processing = true;  ///< merge the results of older runs at the end
  std::vector<SuiteParameters> suites;
  bool operator==(const ParameterFile&) const = default;
};

/// Beyond this, @MEMORY is refused: arguments have to stay below measure::kLargestArgument.
inline constexpr std::uint64_t kMostMemoryKib = measure::kLargestArgument >> 10U;

inline constexpr std::size_t kLargestParameterFile = std::size_t{1} << 20U;

struct ReadParameters {
  /// As SKaMPI does: a number that is wrong, or 0 where that makes no sense, becomes the default; a section
  /// that does not exist is text; of suites of one name, the second becomes NAME_2. Each is a warning.
  bool lenient = false;
};

/// Errors name file, line and key. `diagnostics` gets what is doubtful. Cost: linear.
Expected<ParameterFile> parse_parameter_file(std::string_view text, const std::string& path,
                                             const ReadParameters& options, Diagnostics& diagnostics);
Expected<ParameterFile> read_parameter_file(const std::string& path, const ReadParameters& options,
                                            Diagnostics& diagnostics);

/// The file as a text, every section and key spelt out. parse_parameter_file gives back an equal one, except
/// for the lines of the suites; minutes and per cents have 15 digits. `file` must be one that could have been
/// read.
std::string to_text(const ParameterFile& file);

}  // namespace busline::skampi
