#include "measuring/skampi/run_log.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/result_lines.hpp"

namespace busline::skampi {
namespace {

constexpr std::array<std::pair<std::string_view, LogEvent>, 5> kEvents{
    {{"started", LogEvent::started},
     {"ended", LogEvent::ended},
     {"failed", LogEvent::failed},
     {"skipped", LogEvent::skipped},
     {"interrupted", LogEvent::interrupted}}};

}  // namespace

std::string log_line(const std::string& suite, LogEvent event) {
  std::string_view word;
  for (const auto& [text, e] : kEvents)
    if (e == event) word = text;
  return fmt::format("Process 0: {} {}\n", suite, word);
}

SuiteStates read_log(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  SuiteStates states;
  Lines lines(text);
  for (Line line; lines.next(line) && line.whole;) {
    // "Process", "0:", the suite's name, the event
    const auto columns = columns_of(line.text);
    if (columns.size() != 4 || columns[0] != "Process") continue;
    const std::string suite(columns[2]);
    std::optional<LogEvent> event;
    for (const auto& [word, e] : kEvents)
      if (columns[3] == word) event = e;
    if (!event) continue;
    switch (*event) {
      case LogEvent::started:
      case LogEvent::failed:
        states[suite] = SuiteState::failed;
        break;
      case LogEvent::ended:
        if (!states.contains(suite)) {
          diagnostics.push_back(
              {Diagnostic::Severity::warning,
               "damaged-log",
               fmt::format("{} ended without starting: the rest of the log is ignored", printable(suite)),
               path,
               {},
               line.number});
          return states;
        }
        states[suite] = SuiteState::done;
        break;
      case LogEvent::skipped:
        states[suite] = SuiteState::done;
        break;
      case LogEvent::interrupted:
        states[suite] = SuiteState::todo;
        break;
    }
  }
  return states;
}

}  // namespace busline::skampi
