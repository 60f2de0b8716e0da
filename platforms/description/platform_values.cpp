#include "platforms/description/platform_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "platforms/description/platform_fields.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUnlimitedName = "unlimited";
constexpr std::size_t kLongestName = 128;
constexpr std::int64_t kLeastTag = std::numeric_limits<std::int32_t>::min(),
                       kMostTag = std::numeric_limits<std::int32_t>::max();

bool names_algorithm(const Cursor& at) {
  return at.value().is_object() && at.value().contains("algorithm");
}

// `kind` is empty for the default entry.
Expected<void> check_algorithm(const Cursor& at, Algorithm algorithm, std::optional<CollectiveKind> kind) {
  if (!kind)
    return tl::unexpected(at.key_error(
        "algorithm", "an algorithm belongs to one operation, give 'default' fan_in and fan_out"));
  if (find_schedule(algorithm, *kind) != nullptr) return {};
  return tl::unexpected(
      at.member("algorithm")
          ->error(fmt::format("'{}' is not an algorithm for {}, expected one of {}", name_of(algorithm),
                              name_of(*kind), fmt::join(algorithms_for(*kind), ", "))));
}

Expected<void> read_cost(const Cursor& at, bool listed, std::optional<CollectiveKind> kind,
                         CollectiveCost& out) {
  if (names_algorithm(at)) {
    SizeFrom<NamedAlgorithm> a;
    if (auto read = listed ? read_value(at, a) : read_value(at, a.cost); !read) return read;
    out = {a.from, {}, a.cost.algorithm};
    return check_algorithm(at, a.cost.algorithm, kind);
  }
  SizeFrom<ClosedForm> c;
  if (auto read = listed ? read_value(at, c) : read_value(at, c.cost); !read) return read;
  out = {c.from, c.cost};
  return {};
}

// An operation's costs: one object for every size, or a list of them from 0 B upwards.
Expected<void> read_costs(const Cursor& at, std::optional<CollectiveKind> kind,
                          std::vector<CollectiveCost>& out) {
  if (at.value().is_object()) return read_cost(at, false, kind, out.emplace_back());
  if (!at.value().is_array() || at.value().empty())
    return tl::unexpected(
        at.expected("an object with fan_in and fan_out or with algorithm, or a list of those by size"));
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto element = at.element(i);
    if (auto read = read_cost(element, true, kind, out.emplace_back()); !read) return read;
    const auto from = element.member("from");
    if (i == 0 && count(out[0].from) != 0)
      return tl::unexpected(from->expected("\"0 B\" in the first entry"));
    if (i > 0 && out[i].from <= out[i - 1].from)
      return tl::unexpected(from->expected("a larger size than in the previous entry"));
  }
  return {};
}

Json write_cost(const CollectiveCost& c, bool listed) {
  if (c.algorithm) {
    const NamedAlgorithm a{*c.algorithm};
    return listed ? write_value(SizeFrom<NamedAlgorithm>{c.from, a}) : write_value(a);
  }
  return listed ? write_value(SizeFrom<ClosedForm>{c.from, c.cost}) : write_value(c.cost);
}

Json write_costs(const std::vector<CollectiveCost>& costs) {
  if (costs.size() == 1 && count(costs[0].from) == 0) return write_cost(costs[0], false);
  auto list = Json::array();
  for (const auto& c : costs) list.push_back(write_cost(c, true));
  return list;
}

template <class Form, class ByMessages>
Json schema_of_either(Form form, ByMessages algorithm) {
  return one_schema_of({schema_of(form), schema_of(algorithm)});
}

// MPI_Init and MPI_Finalize synchronise at no cost, whatever a platform says.
constexpr bool has_cost(CollectiveKind kind) {
  return kind != CollectiveKind::init && kind != CollectiveKind::finalize;
}

}  // namespace

Expected<void> read_value(const Cursor& at, OrUnlimited& out) {
  out.value = kUnlimited;
  if (at.value() == kUnlimitedName) return {};
  const auto v = read_whole(at, 1, kMaxServers, "\"unlimited\"");
  if (!v) return tl::unexpected(v.error());
  out.value = static_cast<Count>(*v);
  return {};
}
Json write_value(const OrUnlimited& v) {
  if (v.value == kUnlimited) return kUnlimitedName;
  return v.value;
}
Json schema_of(const OrUnlimited&) {
  return one_schema_of({whole_schema(1, kMaxServers), constant_schema(kUnlimitedName)});
}

Expected<void> read_value(const Cursor& at, Speed& out) {
  out.value = std::numeric_limits<double>::infinity();
  if (at.value() == "infinite") return {};
  const auto v = read_number(at, "a number greater than 0 or \"infinite\"", [](double x) { return x > 0; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const Speed& v) {
  if (std::isinf(v.value)) return "infinite";
  return v.value;
}
Json schema_of(const Speed&) {
  double any = 1;
  return one_schema_of({schema_of(Positive{any}), constant_schema("infinite")});
}

Expected<void> read_value(const Cursor& at, Share& out) {
  const auto v = read_number(at, "a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const Share& v) {
  return v.value;
}
Json schema_of(const Share&) {
  return {{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
}

Expected<void> read_value(const Cursor& at, OrNever& out) {
  out.value.reset();
  if (at.value() == "never") return {};
  if (!at.value().is_string())
    return tl::unexpected(at.expected("a size with its unit, as in \"64KiB\", or \"never\""));
  return read_value(at, out.value.emplace());
}
Json write_value(const OrNever& v) {
  if (!v.value) return "never";
  return write_value(*v.value);
}
Json schema_of(const OrNever&) {
  return one_schema_of({schema_of(Bytes()), constant_schema("never")});
}

Expected<void> read_value(const Cursor& at, RendezvousLimit& out) {
  OrNever limit{out.from};
  return read_value(at, limit);
}
Json write_value(const RendezvousLimit& limit) {
  auto from = limit.from;
  return write_value(OrNever{from});
}
Json schema_of(const RendezvousLimit&) {
  std::optional<Bytes> any;
  return schema_of(OrNever{any});
}

Expected<void> read_value(const Cursor& at, Name& out) {
  constexpr std::string_view kOthers = "._-";
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (auto read = read_value(at, out.value); !read) return read;
  const auto& name = out.value;
  const bool fits = !name.empty() && name.size() <= kLongestName && letter_or_digit(name[0]) &&
                    std::all_of(name.begin(), name.end(), [&](char c) {
                      return letter_or_digit(c) || kOthers.find(c) != std::string_view::npos;
                    });
  if (!fits) return tl::unexpected(at.expected("a name of letters, digits, '.', '_' and '-' (128 at most)"));
  return {};
}
Json write_value(const Name& v) {
  return v.value;
}
Json schema_of(const Name&) {
  return {{"type", "string"}, {"maxLength", kLongestName}, {"pattern", "^[A-Za-z0-9][A-Za-z0-9._-]*$"}};
}

Expected<void> read_value(const Cursor& at, Tags& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list of tags"));
  Wholes tags{out.value, kLeastTag, kMostTag};
  return read_value(at, tags);
}
Json write_value(const Tags& v) {
  return v.value;
}
Json schema_of(const Tags& v) {
  return schema_of(Wholes{v.value, kLeastTag, kMostTag});
}

Expected<void> read_value(const Cursor& at, Conditions& out) {
  std::vector<DedicatedConnection::Condition> conditions;
  if (auto read = read_value(at, conditions); !read) return read;
  if (conditions.size() > 2) return tl::unexpected(at.error("expected two conditions at most"));
  if (conditions.empty()) return {};
  out.of.first = conditions.front();
  out.of.second = conditions.back();
  return {};
}
Json write_value(const Conditions& v) {
  const DedicatedConnection every_size;
  if (v.of.first == every_size.first && v.of.second == every_size.second) return Json::array();
  if (v.of.first == v.of.second) return write_value(std::vector{v.of.first});
  return write_value(std::vector{v.of.first, v.of.second});
}
Json schema_of(const Conditions&) {
  std::vector<DedicatedConnection::Condition> conditions;
  return schema_of(conditions);
}

// L, {"in": n, "out": n}, {"half_duplex": n} or "unlimited".
Expected<void> read_value(const Cursor& at, Links& out) {
  out = {};
  if (at.value() == kUnlimitedName) return {};
  if (at.value().is_number()) {
    Count links = 0;
    Whole whole{links, 1, kMaxServers};
    if (auto read = read_value(at, whole); !read) return read;
    out = {Links::Kind::full_duplex, links, links};
    return {};
  }
  if (!at.value().is_object())
    return tl::unexpected(
        at.expected("a number of links, \"unlimited\", {\"in\", \"out\"} or {\"half_duplex\"}"));
  LinksDocument document;
  if (auto read = read_value(at, document); !read) return read;
  out = document.half_duplex > 0 ? Links{Links::Kind::half_duplex, document.half_duplex, document.half_duplex}
                                 : Links{Links::Kind::full_duplex, document.in, document.out};
  return {};
}
Json write_value(const Links& v) {
  if (v.kind == Links::Kind::unlimited) return kUnlimitedName;
  if (v.kind == Links::Kind::half_duplex) return Json{{"half_duplex", v.in}};
  if (v.in == v.out) return v.in;
  return Json{{"in", v.in}, {"out", v.out}};
}
Json schema_of(const Links&) {
  auto number = whole_schema(1, kMaxServers);
  number["description"] = "L full-duplex links: L in and L out.";
  LinksDocument by_direction;
  auto links = one_schema_of({number, constant_schema(kUnlimitedName), schema_of(by_direction)});
  links["description"] = "How many messages can leave and arrive at once.";
  return fields::definition("platform.schema.json#/$defs/links", std::move(links));
}

// "fill", "round-robin", {"per_node": k} or the node of each rank.
Expected<void> read_value(const Cursor& at, Mapping& out) {
  out = {};
  const auto& value = at.value();
  if (value == "fill") return {};
  if (value == "round-robin") {
    out.kind = Mapping::Kind::round_robin;
    return {};
  }
  if (value.is_array()) {
    out.kind = Mapping::Kind::nodes;
    Wholes nodes{out.nodes, 0, kMaxNodes - 1};
    return read_value(at, nodes);
  }
  if (!value.is_object())
    return tl::unexpected(at.expected("\"fill\", \"round-robin\", {\"per_node\": k} or a list of nodes"));
  out.kind = Mapping::Kind::per_node;
  return read_value<Mapping>(at, out);
}
Json write_value(const Mapping& v) {
  switch (v.kind) {
    case Mapping::Kind::round_robin:
      return "round-robin";
    case Mapping::Kind::per_node:
      return Json{{"per_node", v.per_node}};
    case Mapping::Kind::nodes:
      return v.nodes;
    case Mapping::Kind::fill:
      break;
  }
  return "fill";
}
Json schema_of(Mapping& v) {
  Json list{
      {"type", "array"}, {"items", whole_schema(0, kMaxNodes - 1)}, {"description", "Node of each rank."}};
  return one_schema_of({with_keywords(Json::object(), R"({"enum": ["fill", "round-robin"], "description":
         "fill: a node's CPUs before the next node's. round-robin: one rank a node in turn."})"),
                        fields::schema(fields::Object(v)), std::move(list)});
}

namespace {

constexpr std::size_t kMostFactors = 10'000;

Expected<void> read_factors(const Cursor& at, std::vector<double>& out) {
  if (!at.value().is_array() || at.value().empty() || at.value().size() > kMostFactors)
    return tl::unexpected(at.expected(fmt::format("a list of 1 to {} factors", kMostFactors)));
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto factor = read_number(at.element(i), "a factor from 0.001 to 1000",
                                    [](double x) { return x >= 0.001 && x <= 1000; });
    if (!factor) return tl::unexpected(factor.error());
    out.push_back(*factor);
  }
  return {};
}

}  // namespace

Expected<void> read_value(const Cursor& at, Spread& out) {
  out = {};
  if (!at.value().is_object()) {
    const auto deviation =
        read_number(at, "a standard deviation of the logarithm from 0 to 2, or an object with 'factors'",
                    [](double x) { return x >= 0 && x <= 2; });
    if (!deviation) return tl::unexpected(deviation.error());
    out.deviation = *deviation;
    return {};
  }
  fields::Keys keys;
  keys.known = {"factors"};
  if (auto known = fields::refuse_unknown(at, keys); !known) return known;
  const auto factors = at.member("factors");
  if (!factors) return tl::unexpected(fields::missing(at, "factors"));
  return read_factors(*factors, out.factors);
}
Json write_value(const Spread& v) {
  if (v.factors.empty()) return v.deviation;
  return Json{{"factors", v.factors}};
}
Json schema_of(const Spread&) {
  const Json factor{{"type", "number"}, {"minimum", 0.001}, {"maximum", 1000}};
  const Json factors{{"type", "array"},
                     {"minItems", 1},
                     {"maxItems", kMostFactors},
                     {"items", factor},
                     {"description", "Each is equally likely."}};
  return one_schema_of({{{"type", "number"}, {"minimum", 0}, {"maximum", 2}},
                        {{"type", "object"},
                         {"additionalProperties", false},
                         {"required", Json::array({"factors"})},
                         {"properties", {{"factors", factors}}}}});
}

Expected<void> read_value(const Cursor& at, CollectiveTable& out) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object of operations"));
  fields::Keys keys;
  keys.known = {"preset", "default"};
  for (std::size_t k = 0; k < kCollectiveKinds; ++k)
    if (has_cost(static_cast<CollectiveKind>(k))) keys.known.emplace_back(kCollectiveNames[k]);
  if (auto known = fields::refuse_unknown(at, keys); !known) return known;
  out = {};
  if (const auto preset = at.member("preset")) {
    Choice<CollectivePreset> choice{out.preset.emplace(), kCollectivePresetNames};
    if (auto read = read_value(*preset, choice); !read) return read;
  }
  if (const auto fallback = at.member("default"))
    if (auto read = read_costs(*fallback, std::nullopt, out.fallback); !read) return read;
  for (std::size_t k = 0; k < kCollectiveKinds; ++k)
    if (const auto entry = at.member(kCollectiveNames[k]))
      if (auto read = read_costs(*entry, static_cast<CollectiveKind>(k), out.by_kind[k]); !read) return read;
  return {};
}
Json write_value(const CollectiveTable& v) {
  auto table = Json::object();
  if (v.preset) table["preset"] = name_of(*v.preset);
  if (!v.fallback.empty()) table["default"] = write_costs(v.fallback);
  for (std::size_t k = 0; k < kCollectiveKinds; ++k)
    if (!v.by_kind[k].empty()) table[std::string(kCollectiveNames[k])] = write_costs(v.by_kind[k]);
  return table;
}

Json schema_of(const CollectiveTable&) {
  auto preset = CollectivePreset();
  auto preset_schema = schema_of(Choice<CollectivePreset>{preset, kCollectivePresetNames});
  preset_schema["default"] = name_of(preset);
  preset_schema["description"] =
      "dimemas: the closed forms of the platform's preset; otherwise the algorithms that the library chooses "
      "by "
      "ranks and size.";
  const auto cost =
      one_schema_of({schema_of_either(ClosedForm(), NamedAlgorithm()),
                     Json{{"type", "array"},
                          {"minItems", 1},
                          {"items", schema_of_either(SizeFrom<ClosedForm>(), SizeFrom<NamedAlgorithm>())},
                          {"description", "By bytes per rank, ascending, the first from 0 B."}}});
  return fields::definition(
      "platform.schema.json#/$defs/collectives",
      {{"type", "object"},
       {"description", "By MPI name; 'default' for those not listed, and without it 'preset'."},
       {"propertyNames", {{"pattern", "^(preset|default|MPI_[A-Z][a-z_]+)$"}}},
       {"properties", {{"preset", std::move(preset_schema)}}},
       {"additionalProperties", cost}});
}

}  // namespace busline
