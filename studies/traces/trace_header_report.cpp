#include "studies/traces/trace_header_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>

#include "documents/fields/printable.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "workloads/dumpi/format/names.hpp"

namespace busline {
namespace {

using namespace dumpi;
using nlohmann::ordered_json;

constexpr std::size_t kElementsShown = 40;
constexpr std::size_t kTextShown = 60;

std::string version_text(Version v) {
  return fmt::format("{}.{}.{}", v.major, v.minor, v.patch);
}

// The tracer writes seconds since 1970; damaged files hold any number.
std::string date_text(std::uint64_t seconds) {
  constexpr std::uint64_t kYear9999 = 253'402'300'799;
  if (seconds > kYear9999) return fmt::format("{} s after 1970", seconds);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

// The list's elements as `of` shows them, "-" if there are none.
template <class List, class Of>
std::string list_text(const List& list, std::size_t most, const Of& of) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& element : list) {
    if (shown == most) return text + fmt::format(", ... {} in all", list.size());
    text += (shown++ == 0 ? "" : ", ") + of(element);
  }
  return shown == 0 ? "-" : text;
}

std::vector<std::int32_t> numbers(IntegerView<std::int32_t> list) {
  std::vector<std::int32_t> all(list.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = list[i];
  return all;
}

std::string parts_text(const TraceFile& file) {
  TextTable table({"part", "offset"});
  for (std::size_t p = 0; p < kParts; ++p)
    table.add({kPartNames[p], file.index().at[p] == 0 ? "-" : fmt::format("{}", file.index().at[p])});
  return table.text();
}

std::string header_calls_text(const TraceFile& file) {
  TextTable table({"function", "called", "not recorded"});
  for (std::size_t f = 0; f < kCountedFunctions && f < file.called().size(); ++f)
    if (file.called()[f] != 0 || file.ignored()[f] != 0)
      table.add({std::string(kFunctionTable[f].name), readable(std::uint64_t{file.called()[f]}),
                 readable(std::uint64_t{file.ignored()[f]})});
  return table.text();
}

std::string types_text(const TraceFile& file, std::size_t most) {
  TextTable table({"datatype", "id", "bytes"});
  const auto sizes = file.type_sizes();
  for (std::size_t id = 0; id < sizes.size() && id < most; ++id) {
    const auto name = name_of(Meaning::datatype, static_cast<std::int64_t>(id));
    if (name.empty() && sizes[id] == 0) continue;
    table.add({name.empty() ? "-" : std::string(name), fmt::format("{}", id), fmt::format("{}", sizes[id])});
  }
  auto text = table.text();
  if (sizes.size() > most)
    text += fmt::format("  {} of {} datatypes; --full shows all\n", most, sizes.size());
  return text;
}

std::string labels_text(const TraceFile& file, std::size_t most) {
  TextTable table({"function label", "key"});
  std::size_t shown = 0;
  for (const auto& label : file.labels()) {
    if (shown++ == most) break;
    table.add({printable(label.text, kTextShown), fmt::format("{}", label.key)});
  }
  auto text = table.text();
  if (file.labels().size() > most)
    text += fmt::format("  {} of {} labels; --full shows all\n", most, file.labels().size());
  return text;
}

}  // namespace

std::string header_text(const TraceFile& file, bool full) {
  const auto most = full ? std::numeric_limits<std::size_t>::max() : kElementsShown;
  const auto& h = file.header();
  const auto number = [](std::int32_t n) { return fmt::format("{}", n); };
  auto text = fmt::format("{}: DUMPI file of one rank, version {}\n\n", file.path(), version_text(h.version));
  text += labelled_line("started", date_text(h.start_time));
  text += labelled_line("host", printable(h.host, kTextShown));
  text += labelled_line("user", printable(h.user, kTextShown));
  if (!h.mesh_coordinates.empty())
    text += labelled_line("mesh",
                          fmt::format("place {} of {}", list_text(numbers(h.mesh_coordinates), most, number),
                                      list_text(numbers(h.mesh_size), most, number)));
  text +=
      labelled_line("clocks begin at", fmt::format("{} s wall, {} s CPU", file.wall_bias(), file.cpu_bias()));
  text += labelled_line("counters", list_text(file.counter_labels(), most,
                                              [](std::string_view t) { return printable(t, kTextShown); }));
  text += labelled_line("key values", list_text(file.key_values(), most, [](const KeyValue& k) {
                          return fmt::format("{}={}", printable(k.key, kTextShown),
                                             printable(k.value, kTextShown));
                        }));
  text += labelled_line("size", readable(Bytes{file.bytes().size()}));
  for (const auto& table :
       {parts_text(file), header_calls_text(file), types_text(file, most), labels_text(file, most)})
    text += table.empty() ? "" : "\n" + table;
  return text;
}

ordered_json header_json(const TraceFile& file) {
  const auto& h = file.header();
  ordered_json j{
      {"schema", "busline/trace-header/1"}, {"file", file.path()}, {"version", version_text(h.version)}};
  j["start_time_s"] = h.start_time;
  j["host"] = std::string(h.host);
  j["user"] = std::string(h.user);
  j["mesh_coordinates"] = numbers(h.mesh_coordinates);
  j["mesh_size"] = numbers(h.mesh_size);
  j["wall_bias_s"] = file.wall_bias();
  j["cpu_bias_s"] = file.cpu_bias();
  j["bytes"] = file.bytes().size();
  auto& offsets = j["offsets"] = ordered_json::object();
  for (std::size_t p = 0; p < kParts; ++p) offsets[kPartNames[p]] = file.index().at[p];
  const auto list = [&j](const char* name) -> ordered_json& { return j[name] = ordered_json::array(); };
  auto& counters = list("counter_labels");
  for (const auto label : file.counter_labels()) counters.push_back(std::string(label));
  auto& pairs = list("key_values");
  for (const auto& k : file.key_values())
    pairs.push_back({{"key", std::string(k.key)}, {"value", std::string(k.value)}});
  auto& functions = list("functions");
  for (std::size_t f = 0; f < kCountedFunctions && f < file.called().size(); ++f)
    if (file.called()[f] != 0 || file.ignored()[f] != 0)
      functions.push_back({{"name", kFunctionTable[f].name},
                           {"called", file.called()[f]},
                           {"not_recorded", file.ignored()[f]}});
  j["datatype_bytes"] = numbers(file.type_sizes());
  auto& labels = list("function_labels");
  for (const auto& label : file.labels())
    labels.push_back({{"key", label.key}, {"text", std::string(label.text)}});
  return j;
}

}  // namespace busline
