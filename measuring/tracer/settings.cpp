#include "measuring/tracer/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace busline::tracer {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::optional<Level> level_named(std::string_view name) {
  if (name == "disable") return Level::disable;
  if (name == "success") return Level::success;
  if (name == "enable") return Level::enable;
  return std::nullopt;
}

std::optional<std::string> wrong(std::string_view key, std::string_view value, const char* expected) {
  return std::string(key).append(" is '").append(value).append("', expected ").append(expected);
}

}  // namespace

std::optional<std::string> Settings::set(std::string_view key, std::string_view value) {
  constexpr auto kLevels = "disable, success or enable";
  if (key == "fileroot") {
    if (value.empty()) return wrong(key, value, "the beginning of a file name");
    file_root = value;
  } else if (key == "timestamp") {
    if (value != "none" && value != "cpu" && value != "wall" && value != "full")
      return wrong(key, value, "none, cpu, wall or full");
    wall_time = value == "wall" || value == "full";
    cpu_time = value == "cpu" || value == "full";
  } else if (key == "tracing") {
    if (value != "enable" && value != "disable" && value != "enter" && value != "exit")
      return wrong(key, value, "enable, disable, enter or exit");
    enter = value == "enable" || value == "enter";
    leave = value == "enable" || value == "exit";
  } else if (key == "membuf_size") {
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), buffer_bytes);
    if (code != std::errc() || end != value.data() + value.size())
      return wrong(key, value, "a number of bytes");
  } else if (key == "statuses") {
    const auto level = level_named(value);
    if (!level) return wrong(key, value, kLevels);
    statuses = *level;
  } else if (key.starts_with("MPI_")) {
    const auto level = level_named(value);
    if (!level) return wrong(key, value, kLevels);
    if (key == "MPI_Default") {
      functions.fill(*level);
      return std::nullopt;
    }
    const auto row = std::find_if(dumpi::kFunctionTable.begin(), dumpi::kFunctionTable.end(),
                                  [&](const auto& r) { return r.name == key; });
    if (row == dumpi::kFunctionTable.end())
      return std::string(key).append(" is not a function that a trace can hold");
    functions[static_cast<std::size_t>(row - dumpi::kFunctionTable.begin())] = *level;
  } else if (key != "debug") {  // which is libdumpi's own affair
    return std::string("'").append(key).append("' is not a setting of this tracer");
  }
  return std::nullopt;
}

std::vector<std::string> Settings::set_lines(std::string_view text) {
  std::vector<std::string> complaints;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const auto key = line.substr(0, line.find_first_of("= \t"));
    auto value = trimmed(line.substr(key.size()));
    if (value.starts_with('=')) value = trimmed(value.substr(1));
    if (auto complaint = set(key, value)) complaints.push_back(std::move(*complaint));
  }
  return complaints;
}

std::optional<std::string> Settings::set_variable(std::string_view variable) {
  constexpr std::string_view kPrefix = "DUMPI_";
  const auto equals = variable.find('=');
  if (!variable.starts_with(kPrefix) || equals == std::string_view::npos) return std::nullopt;
  std::string key(variable.substr(kPrefix.size(), equals - kPrefix.size()));
  if (key == "CONF") return std::nullopt;  // names the file
  if (!key.starts_with("MPI_"))
    for (auto& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return set(key, variable.substr(equals + 1));
}

Settings read_settings(std::vector<std::string>& complaints) {
  Settings settings;
  const char* const named = std::getenv("DUMPI_CONF");
  const std::string path = named != nullptr ? named : "dumpi.conf";
  if (std::ifstream file(path); file) {
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const auto& complaint : settings.set_lines(text)) complaints.push_back(path + ": " + complaint);
  } else if (named != nullptr) {
    complaints.push_back(path + ": cannot be read (DUMPI_CONF names it)");
  }
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    if (const auto complaint = settings.set_variable(*variable))
      complaints.push_back("environment variable DUMPI_...: " + *complaint);
  return settings;
}

}  // namespace busline::tracer
