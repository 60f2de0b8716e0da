#include "documents/text/written.hpp"

#include "documents/fields/provenance.hpp"

namespace busline {

Expected<void> read_value(const Cursor&, Amount&) {
  return {};
}
nlohmann::ordered_json write_value(const Amount& v) {
  return v.value;
}
nlohmann::ordered_json schema_of(const Amount& v) {
  return {{"type", "integer"}, {"minimum", v.least}};
}

Expected<void> read_value(const Cursor&, Integer&) {
  return {};
}
nlohmann::ordered_json write_value(const Integer& v) {
  return v.value;
}
nlohmann::ordered_json schema_of(const Integer&) {
  return {{"type", "integer"}};
}

Expected<void> read_value(const Cursor&, Real&) {
  return {};
}
nlohmann::ordered_json write_value(const Real& v) {
  return v.value;
}
nlohmann::ordered_json schema_of(const Real& v) {
  nlohmann::ordered_json schema{{"type", "number"}};
  if (v.least) schema["minimum"] = *v.least;
  return schema;
}
std::optional<Real> optional_real(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return Real{*value, {}};
}

Expected<void> read_value(const Cursor&, TimeTaken&) {
  return {};
}
nlohmann::ordered_json write_value(const TimeTaken& v) {
  return v.value.count();
}
nlohmann::ordered_json schema_of(const TimeTaken&) {
  return schema_of(Amount());
}

Expected<void> read_value(const Cursor&, BandwidthText&) {
  return {};
}
nlohmann::ordered_json write_value(const BandwidthText& v) {
  return v.value;
}
nlohmann::ordered_json schema_of(const BandwidthText&) {
  return schema_of(Bandwidth());
}

nlohmann::ordered_json schema_or_null(nlohmann::ordered_json schema) {
  if (!schema.contains("type")) return one_schema_of({std::move(schema), {{"type", "null"}}});
  schema["type"] = Json::array({schema["type"], "null"});
  return schema;
}

void describe_end(Fields& f, Diagnostics& diagnostics) {
  f.required("diagnostics", WriteOnly{diagnostics},
             "Warnings and notes about the input and the work; empty if there are none.");
  describe_end(f);
}

void describe_end(Fields& f) {
  Provenance provenance;
  f.required("provenance", WriteOnly{provenance},
             "How the document was made: everything needed to rerun the command, and the resources it used.");
}

nlohmann::ordered_json written(const fields::Object& document) {
  auto members = fields::write_present(document);
  members.erase("provenance");
  return members;
}

}  // namespace busline
