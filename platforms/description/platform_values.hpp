// Reads and writes the values of a platform document that are not plain quantities: counts that may be
// "unlimited", names of choices, links, collective tables, mappings.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "platforms/description/platform.hpp"

namespace busline {

// ---- views of a member that say how it is written in the document

/// 1 to kMaxServers, or "unlimited".
struct OrUnlimited {
  Count& value;
};
/// > 0, or "infinite".
struct Speed {
  double& value;
};
/// 0 to 1.
struct Share {
  double& value;
};
/// A size, or "never".
struct OrNever {
  std::optional<Bytes>& value;
};
/// Letters, digits, '.', '_' and '-', at most 128 of them.
struct Name {
  std::string& value;
};
struct Tags {
  std::vector<std::int32_t>& value;
};
/// A connection's conditions on the message's size: none, one or two.
struct Conditions {
  DedicatedConnection& of;
};

Expected<void> read_value(const Cursor& at, OrUnlimited& out);
Expected<void> read_value(const Cursor& at, Speed& out);
Expected<void> read_value(const Cursor& at, Share& out);
Expected<void> read_value(const Cursor& at, OrNever& out);
Expected<void> read_value(const Cursor& at, RendezvousLimit& out);
Expected<void> read_value(const Cursor& at, Name& out);
Expected<void> read_value(const Cursor& at, Tags& out);
Expected<void> read_value(const Cursor& at, Conditions& out);
Expected<void> read_value(const Cursor& at, Links& out);
Expected<void> read_value(const Cursor& at, Mapping& out);
/// A standard deviation from 0 to 2, or {"factors": [...]} of 0.001 to 1000, which are at most 10,000.
Expected<void> read_value(const Cursor& at, Spread& out);
Expected<void> read_value(const Cursor& at, CollectiveTable& out);

nlohmann::ordered_json write_value(const OrUnlimited& v);
nlohmann::ordered_json write_value(const Speed& v);
nlohmann::ordered_json write_value(const Share& v);
nlohmann::ordered_json write_value(const OrNever& v);
nlohmann::ordered_json write_value(const RendezvousLimit& limit);
nlohmann::ordered_json write_value(const Name& v);
nlohmann::ordered_json write_value(const Tags& v);
nlohmann::ordered_json write_value(const Conditions& v);
nlohmann::ordered_json write_value(const Links& v);
nlohmann::ordered_json write_value(const Mapping& v);
nlohmann::ordered_json write_value(const Spread& v);
nlohmann::ordered_json write_value(const CollectiveTable& v);

nlohmann::ordered_json schema_of(const OrUnlimited&);
nlohmann::ordered_json schema_of(const Speed&);
nlohmann::ordered_json schema_of(const Share&);
nlohmann::ordered_json schema_of(const OrNever&);
nlohmann::ordered_json schema_of(const RendezvousLimit&);
nlohmann::ordered_json schema_of(const Spread&);
nlohmann::ordered_json schema_of(const Name&);
nlohmann::ordered_json schema_of(const Tags&);
nlohmann::ordered_json schema_of(const Conditions&);
nlohmann::ordered_json schema_of(const Links&);
nlohmann::ordered_json schema_of(Mapping&);
nlohmann::ordered_json schema_of(const CollectiveTable&);

}  // namespace busline
