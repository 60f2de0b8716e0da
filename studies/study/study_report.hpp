// The results of a study as a table, a document, and rows for other programs.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/store.hpp"

namespace busline {

class Cases;
struct FindOptions;
struct FoundValue;
struct Slice;

struct StudyView {
  enum class Against : std::uint8_t { base, best };
  Against against =
      Against::base;  ///< reference for slowdowns: the base or the best point of the same workload
  std::uint64_t rows = std::numeric_limits<std::uint64_t>::max();  ///< at most
  CompareWith with{};  ///< goes before what the study's document says
};

/// Errors: the store's, or it contains no study.
Expected<StoredStudy> study_in(const Store& store);

/// A human-readable page: a row for each point that is stored, with the axes that vary, and the rest in a
/// line.
Expected<std::string> study_text(const Store& store, const StudyView& view);
/// "busline/study-results/1" (studies/schema/study-results.schema.json). Provenance is the caller's to add.
Expected<nlohmann::ordered_json> study_json(const Store& store, const CompareWith& with = {});

/// "busline/study-points/1" (studies/schema/study-points.schema.json): the points of a slice that are to be
/// run. Provenance is the caller's to add.
nlohmann::ordered_json points_json(const Cases& cases, const Slice& slice);
/// "busline/study-find/1" (studies/schema/study-find.schema.json), of an axis with this label. Likewise.
nlohmann::ordered_json find_json(const FoundValue& found, const std::string& label,
                                 const FindOptions& options);

/// Where a run's time went besides computing: on the critical path if the outcome has one, otherwise as a
/// mean over the ranks.
struct LostTime {
  std::string_view to;  ///< "messages"; empty: nothing was lost
  double share = 0;     ///< of the run time
};
LostTime lost_most(const Outcome& outcome);

enum class ExportFormat : std::uint8_t { csv, jsonl };
/// Rows by point, the same bytes for the same results: no times of this machine are in them. `write` receives
/// them piece by piece.
Expected<void> export_study(const Store& store, ExportFormat format,
                            const std::function<Expected<void>(std::string_view)>& write);

}  // namespace busline
