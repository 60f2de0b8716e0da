// Documents that commands print, described (documents/fields/object.hpp): their writer and their schema
// follow. Members here are values, not references, which are often computed; this program does not read them.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/json_document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// A whole number of `least` or more.
struct Amount {
  std::uint64_t value = 0, least = 0;
};
Expected<void> read_value(const Cursor&, Amount&);
nlohmann::ordered_json write_value(const Amount& v);
nlohmann::ordered_json schema_of(const Amount& v);

/// Any whole number.
struct Integer {
  std::int64_t value = 0;
};
Expected<void> read_value(const Cursor&, Integer&);
nlohmann::ordered_json write_value(const Integer& v);
nlohmann::ordered_json schema_of(const Integer&);

/// A number, of `least` or more.
struct Real {
  double value = 0;
  std::optional<double> least;
};
Expected<void> read_value(const Cursor&, Real&);
nlohmann::ordered_json write_value(const Real& v);
nlohmann::ordered_json schema_of(const Real& v);
std::optional<Real> optional_real(const std::optional<double>& value);

/// Whole picoseconds, 0 or more.
struct TimeTaken {
  Duration value;
};
Expected<void> read_value(const Cursor&, TimeTaken&);
nlohmann::ordered_json write_value(const TimeTaken& v);
nlohmann::ordered_json schema_of(const TimeTaken&);

/// A bandwidth as results have it, "1.25 GB/s".
struct BandwidthText {
  std::string& value;
};
Expected<void> read_value(const Cursor&, BandwidthText&);
nlohmann::ordered_json write_value(const BandwidthText& v);
nlohmann::ordered_json schema_of(const BandwidthText&);

/// A value, or null.
template <class T>
struct OrNull {
  std::optional<T> value;
};
/// `schema`, or null.
nlohmann::ordered_json schema_or_null(nlohmann::ordered_json schema);
template <class T>
Expected<void> read_value(const Cursor&, OrNull<T>&) {
  return {};
}
template <class T>
nlohmann::ordered_json write_value(const OrNull<T>& v) {
  return write_value(v.value);
}
template <class T>
nlohmann::ordered_json schema_of(const OrNull<T>&) {
  T value{};
  return schema_or_null(fields::schema_or_any(value));
}

/// The last members of a document: 'diagnostics' and 'provenance'.
void describe_end(Fields& f, Diagnostics& diagnostics);
/// 'provenance' alone.
void describe_end(Fields& f);

/// The document that describe() gives, without the 'provenance', which is the caller's to add.
nlohmann::ordered_json written(const fields::Object& document);

}  // namespace busline
