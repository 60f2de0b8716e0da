#include "studies/traces/record_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>

#include "documents/fields/printable.hpp"
#include "workloads/dumpi/format/names.hpp"
#include "workloads/dumpi/format/values.hpp"

namespace busline {
namespace {

using namespace dumpi;
using nlohmann::ordered_json;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kMostNamed =
    4096;  // elements of a list in a document: names take more memory than a file

bool is_event(const Record& r) {
  return r.function == function_id("Function_enter") || r.function == function_id("Function_exit");
}

// ---- text

std::string quoted(std::string_view text, std::size_t limit) {
  std::string escaped;
  if (limit < text.size()) text = text.substr(0, limit + 1);
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return fmt::format("\"{}\"", printable(escaped, limit));
}

// Numbers of the program's or its library's own are shown beside what they mean.
std::string number_text(Meaning meaning, std::int64_t value) {
  const auto name = name_of(meaning, value);
  if (name.empty()) return fmt::format("{}", value);
  return is_numbered_by_tracer(meaning) ? std::string(name) : fmt::format("{}({})", name, value);
}

std::string mpi_status_text(const Status& s) {
  auto text = fmt::format("{{bytes={} source={} tag={}", s.bytes, s.source, s.tag);
  if (s.cancelled != 0) text += " cancelled";
  if (s.error != 0) text += fmt::format(" error={}", s.error);
  return text + "}";
}

// "[1, 2, ... 3 in all]". `next` gives the text of one element after the other.
template <class Next>
std::string record_list_text(std::size_t size, std::size_t most, const Next& next) {
  std::string text = "[";
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) text += ", ";
    if (i == most) return text + fmt::format("... {} in all]", size);
    text += next(i);
  }
  return text + "]";
}

template <class Elements, class Show>
std::string sequence_text(const Elements& elements, std::size_t most, const Show& show) {
  auto at = elements.begin();
  return record_list_text(elements.size(), most, [&](std::size_t) {
    auto text = show(*at);
    ++at;
    return text;
  });
}

std::string value_text(const Value& value, Meaning meaning, bool single, const RecordLimits& limits) {
  const auto number = [&](std::int64_t v) { return number_text(meaning, v); };
  const auto text = [&](std::string_view t) { return quoted(t, limits.bytes); };
  const auto numbers = [&](const auto& list) {
    return record_list_text(list.size(), limits.elements, [&](std::size_t i) { return number(list[i]); });
  };
  const auto texts = [&](const Texts& list) { return sequence_text(list, limits.elements, text); };
  return std::visit(
      [&](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Absent>) return "-";
        if constexpr (std::is_same_v<T, std::int64_t>) return number(v);
        if constexpr (std::is_same_v<T, std::string_view>) return text(v);
        if constexpr (std::is_same_v<T, Numbers>) return numbers(v);
        if constexpr (std::is_same_v<T, Texts>) return texts(v);
        if constexpr (std::is_same_v<T, Int32Lists>) return sequence_text(v, limits.elements, numbers);
        if constexpr (std::is_same_v<T, TextLists>) return sequence_text(v, limits.elements, texts);
        if constexpr (std::is_same_v<T, Statuses>) {
          if (single && v.empty()) return "none";
          if (single && v.size() == 1) return mpi_status_text(v[0]);
          return record_list_text(v.size(), limits.elements,
                                  [&](std::size_t i) { return mpi_status_text(v[i]); });
        }
      },
      value);
}

// Seconds with nine decimals; `ns` can be negative in damaged files.
std::string seconds_text(std::int64_t ns) {
  const auto magnitude = static_cast<std::uint64_t>(ns < 0 ? -ns : ns);
  return fmt::format("{}{}.{:09}", ns < 0 ? "-" : "", magnitude / kSecond, magnitude % kSecond);
}

// A clock's columns: seconds at entry, microseconds until exit.
constexpr std::size_t kLengthWidth = 14;
std::string clock_text(const std::optional<Interval>& time, std::size_t width) {
  if (!time) return fmt::format("{:>{}}{:>{}}", "-", width, "-", kLengthWidth);
  return fmt::format("{:>{}}{:>{}.3f}", seconds_text(time->entry), width,
                     static_cast<double>(time->exit - time->entry) * 1e-3, kLengthWidth);
}

// Some clocks count from the start of the machine, some from 1970.
std::size_t entry_width(std::int32_t bias) {
  constexpr std::size_t kLeast = 18, kBetween = 2;
  return std::max(kLeast, kBetween + seconds_text(bias * kSecond).size());
}

// ---- JSON

ordered_json status_json(const Status& s) {
  return {{"bytes", s.bytes},
          {"source", s.source},
          {"tag", s.tag},
          {"cancelled", s.cancelled},
          {"error", s.error}};
}

// The elements of `list`, each as `convert` gives it.
template <class Elements, class Convert>
ordered_json array_of(const Elements& list, const Convert& convert) {
  auto array = ordered_json::array();
  if constexpr (requires { list[0]; })
    for (std::size_t i = 0; i < list.size(); ++i) array.push_back(convert(list[i]));
  else
    for (const auto& element : list) array.push_back(convert(element));
  return array;
}

ordered_json value_json(const Value& value) {
  const auto number = [](std::int64_t v) -> ordered_json { return v; };
  const auto text = [](std::string_view t) -> ordered_json { return std::string(t); };
  const auto numbers = [&](const auto& list) { return array_of(list, number); };
  const auto texts = [&](const Texts& list) { return array_of(list, text); };
  return std::visit(
      [&](const auto& v) -> ordered_json {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Absent>) return nullptr;
        if constexpr (std::is_same_v<T, std::int64_t>) return number(v);
        if constexpr (std::is_same_v<T, std::string_view>) return text(v);
        if constexpr (std::is_same_v<T, Numbers>) return numbers(v);
        if constexpr (std::is_same_v<T, Texts>) return texts(v);
        if constexpr (std::is_same_v<T, Int32Lists>) return array_of(v, numbers);
        if constexpr (std::is_same_v<T, TextLists>) return array_of(v, texts);
        if constexpr (std::is_same_v<T, Statuses>) return array_of(v, status_json);
      },
      value);
}

// What the numbers mean; null for those without a name, and for lists of such.
ordered_json names_json(const Value& value, Meaning meaning) {
  const auto name = [&](std::int64_t v) -> ordered_json {
    const auto text = name_of(meaning, v);
    return text.empty() ? ordered_json() : ordered_json(text);
  };
  if (const auto* number = std::get_if<std::int64_t>(&value)) return name(*number);
  const auto* numbers = std::get_if<Numbers>(&value);
  if (numbers == nullptr || meaning == Meaning::plain || numbers->size() > kMostNamed) return nullptr;
  auto names = array_of(*numbers, name);
  for (const auto& n : names)
    if (!n.is_null()) return names;
  return nullptr;
}

}  // namespace

RecordView::RecordView(const TraceFile& file)
    : file_(file), wall_width_(entry_width(file.wall_bias())), cpu_width_(entry_width(file.cpu_bias())) {
  for (const auto& label : file.labels()) labels_.emplace(label.key, label.text);
  for (const auto& label : file.counter_labels()) counters_.emplace_back(label);
}

void RecordView::follow(const Record& r) {
  wall_.reset();
  cpu_.reset();
  const auto read = [&](UnrolledClock& clock, const Stamps& stamps, std::int64_t bias) {
    const auto time = clock.read(stamps, r.thread);
    return Interval{time.entry + bias * kSecond, time.exit + bias * kSecond};
  };
  if ((r.mask & Record::has_wall_time) != 0) wall_ = read(wall_clock_, r.wall, file_.wall_bias());
  if ((r.mask & Record::has_cpu_time) != 0) cpu_ = read(cpu_clock_, r.cpu, file_.cpu_bias());
}

std::string RecordView::label_of(const Record& r) const {
  if (!is_event(r)) return "";
  const auto at = labels_.find(static_cast<std::uint64_t>(r[0]));
  return at == labels_.end() ? "" : std::string(at->second);
}

std::string RecordView::counter_name(std::size_t i) const {
  return i < counters_.size() ? counters_[i] : fmt::format("counter {}", i + 1);
}

std::string RecordView::heading() const {
  return fmt::format("{:>9}{:>5}{:>{}}{:>{}}{:>{}}{:>{}}  call\n", "# record", "thr", "wall entry [s]",
                     wall_width_, "wall [us]", kLengthWidth, "CPU entry [s]", cpu_width_, "CPU [us]",
                     kLengthWidth);
}

std::string RecordView::line(const Record& r, const RecordLimits& limits) const {
  const auto thread = (r.mask & Record::has_thread) != 0 ? fmt::format("{}", r.thread) : std::string("-");
  auto text = fmt::format("{:>9}{:>5}{}{}  {}(", r.number, thread, clock_text(wall_, wall_width_),
                          clock_text(cpu_, cpu_width_), kFunctionTable[r.function].name);
  const auto& layout = kLayouts[r.function];
  const char* between = "";
  for (std::size_t i = 0; i < layout.arguments; ++i) {
    const auto& argument = layout.all[i];
    const auto value = value_of(r, i);
    if (std::holds_alternative<Absent>(value)) continue;
    text.append(between).append(argument.name).append("=");
    text += value_text(value, meaning_of(r.function, i), argument.type == "status", limits);
    between = ", ";
  }
  if (const auto label = label_of(r); !label.empty()) text.append(" ").append(quoted(label, limits.bytes));
  text += ")";
  for (std::size_t i = 0; i < r.counters.size() / 2; ++i)
    text += fmt::format(" {}={}..{}", printable(counter_name(i), limits.bytes), r.counters[2 * i],
                        r.counters[2 * i + 1]);
  return text + "\n";
}

ordered_json RecordView::json(const Record& r) const {
  ordered_json j{{"record", r.number}, {"offset", r.offset}, {"function", kFunctionTable[r.function].name}};
  if ((r.mask & Record::has_thread) != 0) j["thread"] = r.thread;
  if (wall_) {
    j["wall_entry_ns"] = wall_->entry;
    j["wall_exit_ns"] = wall_->exit;
  }
  if (cpu_) {
    j["cpu_entry_ns"] = cpu_->entry;
    j["cpu_exit_ns"] = cpu_->exit;
  }
  ordered_json arguments = ordered_json::object(), names;
  const auto& layout = kLayouts[r.function];
  for (std::size_t i = 0; i < layout.arguments; ++i) {
    const auto value = value_of(r, i);
    if (std::holds_alternative<Absent>(value)) continue;
    const std::string name(layout.all[i].name);
    arguments[name] = value_json(value);
    if (auto meant = names_json(value, meaning_of(r.function, i)); !meant.is_null())
      names[name] = std::move(meant);
  }
  j["arguments"] = std::move(arguments);
  if (!names.is_null()) j["names"] = std::move(names);
  if (auto label = label_of(r); !label.empty()) j["label"] = std::move(label);
  for (std::size_t i = 0; i < r.counters.size() / 2; ++i)
    j["counters"].push_back(
        {{"name", counter_name(i)}, {"entry", r.counters[2 * i]}, {"exit", r.counters[2 * i + 1]}});
  return j;
}

}  // namespace busline
