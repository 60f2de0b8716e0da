#include "measuring/tables/skampi_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "documents/fields/printable.hpp"
#include "measuring/tables/measurement_report.hpp"

namespace busline {
namespace {

constexpr std::size_t kKeyWidth = 12;

// A line of the head; further lines of its text below.
void put_line(std::string& to, std::string_view key, std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    fmt::format_to(std::back_inserter(to), "{:<{}}  {}\n", key, kKeyWidth,
                   printable(text.substr(begin, end - begin), 200));
    key = {};
    begin = end + 1;
  }
}

std::string lower(std::string text) {
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

std::string to_text(const std::string& name, const skampi::ResultFile& file) {
  const bool is_skampi5 = file.format == skampi::ResultFile::Format::skampi5;
  auto text =
      fmt::format("{}: a SKaMPI {} result, {} {}{}\n\n", printable(name), is_skampi5 ? "5 or 6" : "3 or 4",
                  file.suites.size(), file.suites.size() == 1 ? "suite" : "suites",
                  file.finished ? "" : ", not complete");
  for (const auto& [key, value] : file.head) put_line(text, lower(printable(key)), value);
  if (!file.hosts.empty()) {
    std::map<std::string, std::size_t> processes;
    for (const auto& host : file.hosts) ++processes[host];
    std::string hosts;
    for (const auto& [host, n] : processes)
      hosts += fmt::format("{}{} ({})", hosts.empty() ? "" : ", ", host, n);
    put_line(text, "processes", hosts);
  }
  for (const auto& suite : file.suites)
    if (suite.rows.empty())
      put_line(text, "no rows", suite.name);
    else if (!suite.complete)
      put_line(text, "no end", suite.name);
  const auto measurement = skampi::to_measurement(file);
  if (measurement.suites.empty()) return text;
  text += '\n';
  text += to_text(measurement);
  return text;
}

}  // namespace busline
