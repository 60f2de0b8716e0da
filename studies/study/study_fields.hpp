// The members of a study document (studies/schema/study.schema.json), described once.
#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "studies/study/points.hpp"
#include "studies/study/study.hpp"

namespace busline {

inline constexpr std::string_view kStudySchema = "busline/study/1";

/// Any JSON value: what it means is said elsewhere.
struct AnyValue {
  std::string text = "null";
};
Expected<void> read_value(const Cursor& at, AnyValue& out);
nlohmann::ordered_json write_value(const AnyValue& v);

struct RangeDocument {
  AnyValue from, to;
  std::uint32_t points = 2;
  bool logarithmic = false;
};
struct PatchDocument {
  std::string name;
  AnyValue merge;
};
struct AxisDocument {
  std::optional<std::string> set;
  std::optional<std::vector<AnyValue>> to;
  std::optional<RangeDocument> range;
  std::optional<std::vector<PatchDocument>> patches;
  std::string label;
};
struct StudyFields {
  std::string name, description;
  AnyValue platform, workload, model{"\"dimemas\""}, mapping;
  std::vector<AxisDocument> axes;
  Sampling sampling;
  std::optional<Duration> timeout;
  bool why = false;
  AnyValue base, weights;
};

inline constexpr std::array<std::pair<std::string_view, bool>, 2> kScaleNames{
    {{"linear", false}, {"log", true}}};
inline constexpr std::array<std::pair<std::string_view, Sampling::Kind>, 4> kCombineNames{
    {{"product", Sampling::Kind::product},
     {"zip", Sampling::Kind::zip},
     {"random", Sampling::Kind::random},
     {"latin", Sampling::Kind::latin}}};

void describe(Fields& f, RangeDocument& r);
void describe(Fields& f, PatchDocument& p);
void describe(Fields& f, AxisDocument& a);
void describe(Fields& f, StudyFields& s);

}  // namespace busline
