// A what-if study: a base case, and the axes along which it is varied (docs/how-to/studies.md,
// studies/schema/study.schema.json). Values are kept as JSON texts; the documents in which they are set
// define their meaning.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "studies/study/value_range.hpp"

namespace busline {

/// A value of an axis.
struct AxisValue {
  std::string json;  ///< the value to set; for an axis of patches, the merge patch (RFC 7386)
  std::string name;  ///< for tables: "4", "10 Gbps", the patch's own
  bool operator==(const AxisValue&) const = default;
};

struct Axis {
  /// JSON pointer into the case: /platform/..., /workload/..., /model or /mapping. Empty: the values are
  /// patches of the whole case.
  std::string pointer;
  std::string label;                  ///< heading of its column; differs from those of the other axes
  std::vector<AxisValue> values;      ///< at least one
  std::optional<ValueRange> range{};  ///< that the values were taken from
  std::string origin;                 ///< for messages: "study.json: /axes/0", "--axis /network/buses"

  /// An axis with a single value changes the base case and makes no points.
  bool varies() const { return values.size() > 1; }
};

/// How the values of several axes are combined to points.
struct Sampling {
  enum class Kind : std::uint8_t {
    product,  ///< each with each; the last axis varies fastest
    zip,      ///< the first values of all axes, the second ones, ...
    random,   ///< each point takes a random value of each axis; for a range, any value between its ends
    latin,    ///< likewise, but along each axis the points are spread evenly (Latin hypercube)
  };
  Kind kind = Kind::product;
  std::uint64_t points = 0;  ///< of random and latin
  std::uint64_t seed = 1;    ///< likewise
};

struct Study {
  std::string name, description;
  std::string folder;  ///< that paths in it are relative to; empty: the current one
  // The base case, as JSON texts.
  std::string platform;  ///< a path, or a platform document
  std::string workload;  ///< a path, or an object (study_workload.hpp)
  std::string model = "\"dimemas\"";
  std::string mapping = "null";  ///< null: the platform's own
  std::vector<Axis> axes;
  Sampling sampling;
  std::optional<Duration> timeout;  ///< of wall-clock time
  bool why = false;                 ///< each point is watched, and reports what its time consists of
  std::string document;             ///< the text that all this was read from
};

/// Maximum number of points of a study.
inline constexpr std::uint64_t kMostPoints = 100'000'000;

/// Reads a study document from a text; `path` is what messages call it, `folder` what paths in it are
/// relative to. Errors (bad_input) name the place: unknown members, axes without values, zipped axes of
/// different lengths, more than kMostPoints points.
Expected<Study> parse_study(std::string text, const std::string& path, const std::string& folder);
/// The same from a file, whose folder is the one that paths are relative to.
Expected<Study> read_study(const std::string& path);

/// Command-line options in place of a document.
struct StudyOptions {
  std::string platform, workload;  ///< paths; a workload may be the JSON text of an object
  std::vector<std::string> sets;   ///< "/network/buses=4"
  std::vector<std::string> axes;   ///< "/network/buses=1,2,4,unlimited", "/network/latency=1us..1ms:7:log"
  std::string model, mapping;      ///< empty: the default
  std::string combine;             ///< "product", "zip", "random", "latin"; empty: product
  std::uint64_t samples = 0, seed = 1;
  std::string timeout;               ///< "10s"; empty: none
  std::vector<std::string> bases;    ///< "/network/buses=4": the base point
  std::vector<std::string> weights;  ///< "hpcg=3": of workloads in a mix
};
/// The document that says the same: its axes are the settings, then the axes, in the order given. A pointer
/// that does not begin with /platform, /workload, /model or /mapping points into the platform. Errors
/// (bad_option) are about the form of an option only.
Expected<std::string> study_document(const StudyOptions& options);
/// The study of them: parse_study of that document, whose errors then name the options.
Expected<Study> make_study(const StudyOptions& options);
/// Sets Study::why, also in its document: a study that continues from there still asks.
void ask_why(Study& study);
/// Puts StudyOptions::bases and weights into the document of a study that was read. Errors: as of make_study.
Expected<void> ask_comparison(Study& study, const StudyOptions& options);
/// The case without the axes that vary, with StudyOptions::bases as settings (busline study find). Errors: as
/// of make_study.
Expected<Study> make_base_case(const StudyOptions& options);

}  // namespace busline
