#include "tests/dumpi_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <map>
#include <optional>
#include <utility>

#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/values.hpp"

namespace busline {
namespace {

using namespace dumpi;

constexpr std::size_t kMostDifferences = 10;
constexpr std::string_view kNoList = "<IGNORED>";

// The dump, line by line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> peek() const {
    if (rest_.empty()) return std::nullopt;
    return rest_.substr(0, rest_.find('\n'));
  }
  std::string_view next() {
    const auto line = peek().value_or("");
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
  }

 private:
  std::string_view rest_;
};

// A list as the reference prints it.
template <class List, class Print>
std::string printed_list(const List& list, Print print) {
  if (list.empty()) return std::string(kNoList);
  std::string text = "[";
  for (const auto& element : list) text += (text.size() == 1 ? "" : ", ") + print(element);
  return text + "]";
}

template <class List>
auto elements_of(const List& list) {
  std::vector<std::decay_t<decltype(list[0])>> all;
  for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list[i]);
  return all;
}

template <class List>
std::string printed_numbers(const List& list) {
  return printed_list(elements_of(list), [](auto n) { return std::to_string(n); });
}

std::string printed_text(std::string_view text) {
  return fmt::format("\"{}\"", text);
}

// Single bytes are printed as signed ones.
std::string printed_status(const Status& s) {
  return fmt::format("{{bytes={}, cancelled={}, source={}, tag={}, error={}}}", s.bytes,
                     static_cast<std::int8_t>(s.cancelled), s.source, s.tag,
                     static_cast<std::int8_t>(s.error));
}

struct Printer {
  std::string operator()(Absent) const { return std::string(kNoList); }
  std::string operator()(std::int64_t n) const { return std::to_string(n); }
  std::string operator()(std::string_view text) const { return printed_text(text); }
  std::string operator()(const Numbers& list) const { return printed_numbers(list); }
  std::string operator()(const Int32Lists& lists) const {
    return printed_list(lists, [](const auto& list) { return printed_numbers(list); });
  }
  std::string operator()(const Texts& list) const { return printed_list(list, printed_text); }
  std::string operator()(const TextLists& lists) const {
    return printed_list(lists, [](const Texts& list) { return printed_list(list, printed_text); });
  }
  std::string operator()(const Statuses& list) const {
    return printed_list(elements_of(list), printed_status);
  }
};

// A call in the dump: what was printed for each argument, by its name.
struct Call {
  std::string_view entry, exit;  // the lines
  std::map<std::string, std::string> arguments;
};

// "MPI_Datatype datatype=9 (MPI_INT)" as datatype and 9; "int ranks[2]=[0, 1]" as ranks and [0, 1].
std::pair<std::string, std::string> name_and_value(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  auto name = line.substr(0, equals), value = line.substr(equals + 1);
  name = name.substr(0, name.find('['));
  name = name.substr(name.rfind(' ') + 1);
  const bool is_number = !value.empty() && value.find_first_of("\"[<") != 0;
  if (is_number) value = value.substr(0, value.find(' '));
  std::string key(name);
  std::replace(key.begin(), key.end(), '.', '_');  // position.in
  return {key, std::string(value)};
}

Call read_call(Lines& lines) {
  Call call;
  call.entry = lines.next();
  const auto name = call.entry.substr(0, call.entry.find(' '));
  std::string* last = nullptr;
  while (lines.peek()) {
    auto line = lines.next();
    if (line.starts_with(name) && line.find(" returning at ") == name.size()) {
      call.exit = line;
      break;
    }
    if (line.starts_with(']') && last != nullptr) {  // of a list of lists; the next argument follows at once
      *last += ']';
      line.remove_prefix(1);
    }
    auto [key, value] = name_and_value(line);
    if (!key.empty()) last = &(call.arguments[key] = std::move(value));
  }
  return call;
}

class Comparison {
 public:
  Comparison(const TraceFile& file, std::string_view dump) : file_(file), lines_(dump) {}

  ReferenceComparison run() {
    compare_header();
    RecordReader records(file_);
    while (const auto* r = records.next()) compare_record(*r);
    if (records.error()) differ("the end of the records", "", to_string(*records.error()));
    compare_footer();
    for (const auto& [key, text] : file_.labels())
      line("a label", fmt::format("Function address {} has label {}", key, text));
    compare_type_sizes();
    if (lines_.peek()) differ("the end", *lines_.peek(), "");
    return std::move(result_);
  }

 private:
  void differ(const std::string& what, std::string_view reference, std::string_view ours) {
    if (result_.differences.size() < kMostDifferences)
      result_.differences.push_back(fmt::format("{}: reference '{}', ours '{}'", what, reference, ours));
  }
  void equal(const std::string& what, std::string_view reference, std::string_view ours) {
    ++result_.values;
    if (reference != ours) differ(what, reference, ours);
  }
  void line(const std::string& what, std::string_view ours) { equal(what, lines_.next(), ours); }

  void compare_header() {
    const auto& h = file_.header();
    line("version", fmt::format("version={}.{}.{}", h.version.major, h.version.minor, h.version.patch));
    const auto seconds = static_cast<std::time_t>(h.start_time);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> date{};
    std::strftime(date.data(), date.size(), "%a %b %e %H:%M:%S %Y", &parts);
    line("start time", fmt::format("starttime={}", date.data()));
    line("host", fmt::format("hostname={}", h.host));
    line("user", fmt::format("username={}", h.user));
    line("mesh", fmt::format("meshdim={}", h.mesh_coordinates.size()));
    const auto mesh = [](const auto& list) { return list.empty() ? "[]" : printed_numbers(list); };
    line("mesh size", fmt::format("meshsize={}", mesh(h.mesh_size)));
    line("mesh coordinates", fmt::format("meshcrd={}", mesh(h.mesh_coordinates)));
  }

  // "MPI_Init entering at walltime 1386.689104003, cputime 0.039615870 seconds in thread 0."
  void compare_line(const std::string& what, const Record& r, std::string_view line, std::string_view verb,
                    bool exit) {
    const auto time = [&](const Stamps& s, bool is_there, std::int64_t bias) {
      if (!is_there) return std::string("0.000000000");
      return fmt::format("{}.{:09}", bias + (exit ? s.exit_seconds : s.entry_seconds),
                         exit ? s.exit_nanoseconds : s.entry_nanoseconds);
    };
    const auto wall = time(r.wall, (r.mask & Record::has_wall_time) != 0, file_.wall_bias());
    const auto cpu = time(r.cpu, (r.mask & Record::has_cpu_time) != 0, file_.cpu_bias());
    equal(what, line,
          fmt::format("{} {} at walltime {}, cputime {} seconds in thread {}.",
                      kFunctionTable[r.function].name, verb, wall, cpu, r.thread));
    result_.values += 2;  // the clocks and the thread beside the function
  }

  void compare_record(const Record& r) {
    ++result_.records;
    const auto what = fmt::format("record {} {}", r.number, kFunctionTable[r.function].name);
    if (!lines_.peek() || lines_.peek()->find(" entering at ") == std::string_view::npos)
      return differ(what, lines_.peek().value_or("the end"), "a record");
    auto call = read_call(lines_);
    compare_line(what, r, call.entry, "entering", false);
    compare_line(what, r, call.exit, "returning", true);
    for (std::size_t i = 0; i < kLayouts[r.function].arguments; ++i)
      compare_argument(what, r, i, call.arguments);
    call.arguments.erase("argc");  // the length of argv
    for (const auto& [name, value] : call.arguments)
      if (value != kNoList) differ(fmt::format("{} {}", what, name), value, "no such argument");
  }

  void compare_argument(const std::string& what, const Record& r, std::size_t i,
                        std::map<std::string, std::string>& arguments) {
    const auto& layout = kLayouts[r.function].all[i];
    const auto value = value_of(r, i);
    const auto ours = std::visit(Printer{}, value);
    const auto at = arguments.find(std::string(layout.name));
    if (at == arguments.end()) {
      if (!std::holds_alternative<Absent>(value))
        differ(fmt::format("{} {}", what, layout.name), "nothing", ours);
      return;
    }
    auto reference = at->second;
    arguments.erase(at);
    if (std::holds_alternative<Absent>(value) && reference == "0") return;  // a number that only the root has
    if (std::holds_alternative<std::int64_t>(value)) {
      if (reference.starts_with('[')) reference = reference.substr(1, reference.size() - 2);  // requests
      if (reference != ours && is_length_of_a_list(r, reference)) return;
    }
    equal(fmt::format("{} {}", what, layout.name), reference, ours);
  }

  // The reference prints the length of a list in place of the count that the call was given.
  static bool is_length_of_a_list(const Record& r, std::string_view number) {
    for (std::size_t i = 0; i < kLayouts[r.function].arguments; ++i)
      if (kLayouts[r.function].all[i].shape > Shape::text && std::to_string(r[i]) == number) return true;
    return false;
  }

  void compare_footer() {
    for (std::size_t f = 0; f < file_.called().size(); ++f)
      line("footer", fmt::format("{} called {} times and ignored {} times",
                                 f == kCountedFunctions ? "MPI_ALL_FUNCTIONS" : kFunctionTable[f].name,
                                 file_.called()[f], file_.ignored()[f]));
  }

  // "Datatype 9 (MPI_INT) has size 4"
  void compare_type_sizes() {
    for (std::size_t id = 0; id < file_.type_sizes().size(); ++id) {
      const std::string text(lines_.next());
      equal("datatype size",
            text.substr(0, text.find(" (")) + text.substr(std::min(text.size(), text.rfind(')') + 1)),
            fmt::format("Datatype {} has size {}", id, file_.type_sizes()[id]));
    }
  }

  const TraceFile& file_;
  Lines lines_;
  ReferenceComparison result_;
};

}  // namespace

ReferenceComparison compare_with_reference(const TraceFile& file, std::string_view dump) {
  return Comparison(file, dump).run();
}

}  // namespace busline
