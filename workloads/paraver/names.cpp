#include "workloads/paraver/names.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "workloads/paraver/mpi_codes.hpp"

namespace busline::paraver {
namespace {

// Takes the next line off `text`, without its end.
std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  return line;
}

void skip_blanks(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::optional<std::int64_t> take_number(std::string_view& line) {
  skip_blanks(line);
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), n);
  if (error != std::errc{}) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  skip_blanks(line);
  return n;
}

std::string label_of(std::string_view text) {
  constexpr std::size_t kMostCharacters = 200;
  std::string label(text.substr(0, kMostCharacters));
  std::replace_if(
      label.begin(), label.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return label;
}

}  // namespace

bool is_user_event(std::int64_t type) {
  constexpr std::int64_t kFirstOfTracer = 30'000'000, kUserFunction = 60'000'019, kMostType = 0xffff'ffff;
  constexpr std::int64_t kLastOfTracer = 91'000'000;  // Busline's timelines count messages from 90000001 on
  if (type == kUserFunction) return true;
  return type >= 0 && type <= kMostType && (type < kFirstOfTracer || type >= kLastOfTracer);
}

void read_pcf(std::string_view text, Names& names) {
  std::vector<std::int64_t> types;  // of the section
  enum { outside, in_types, in_values } part = outside;
  while (!text.empty()) {
    auto line = next_line(text);
    if (line == "EVENT_TYPE") {
      part = in_types;
      types.clear();
    } else if (line == "VALUES" && part == in_types) {
      part = in_values;
    } else if (line.empty()) {
      part = outside;
    } else if (part == in_types) {
      const auto gradient = take_number(line), type = gradient ? take_number(line) : std::nullopt;
      if (type && ((*type >= kPointToPoint && *type <= kFile) || is_user_event(*type)))
        types.push_back(*type);
    } else if (part == in_values && !types.empty()) {
      const auto value = take_number(line);
      if (!value || line.empty()) continue;
      for (const auto type : types) names.values.emplace(std::pair(type, *value), label_of(line));
    }
  }
}

void read_row(std::string_view text, Names& names) {
  bool in_threads = false;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (line.starts_with("LEVEL "))
      in_threads = line.starts_with("LEVEL THREAD ");
    else if (in_threads && !line.empty())
      names.threads.push_back(label_of(line));
  }
}

}  // namespace busline::paraver
