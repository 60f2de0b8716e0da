// read_scheduler: Dimemas's scheduler file, three lines for the only supported policy:
//
//     Policy: FIFO
//     Context switch cost (seconds): 0.0
//     Busy wait (seconds): 0.0
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "platforms/dimemas/dimemas_cfg.hpp"
#include "platforms/dimemas/field_reader.hpp"

namespace busline {
namespace {

using dimemas::error_in_line;
using dimemas::FieldReader;

constexpr std::string_view kPolicy = "Policy";
constexpr std::string_view kContextSwitch = "Context switch cost (seconds)";
constexpr std::string_view kBusyWait = "Busy wait (seconds)";

struct Scheduler {
  std::optional<Duration> context_switch;
  Duration busy_wait;
  std::size_t busy_wait_line = 0;
};

void read_line(FieldReader& f, std::string_view name, Scheduler& s) {
  if (name == kContextSwitch) {
    s.context_switch = f.seconds("cost");
  } else if (name == kBusyWait) {
    s.busy_wait = f.seconds("time");
    s.busy_wait_line = f.line();
  } else if (const auto policy = f.text("policy"); policy != "FIFO") {
    f.refuse(fmt::format("expected FIFO, '{}' is not supported", printable(policy)),
             Error::Kind::unsupported);
  }
}

}  // namespace

Expected<Duration> read_scheduler(const std::string& path, Diagnostics& diagnostics) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  Scheduler scheduler;
  for (const auto& line : dimemas::split_lines(*text)) {
    if (line.text[0] == '#' || line.text.substr(0, 2) == "//") continue;
    const auto colon = line.text.find(':');
    const auto name = line.text.substr(0, colon);
    if (colon == std::string_view::npos || (name != kPolicy && name != kContextSwitch && name != kBusyWait)) {
      const auto nearest = nearest_name(
          {std::string(kPolicy), std::string(kContextSwitch), std::string(kBusyWait)}, printable(name));
      return tl::unexpected(
          error_in_line(path, line.number, {},
                        fmt::format("unknown line '{}'{}", printable(line.text),
                                    nearest.empty() ? "" : fmt::format("; did you mean '{}:'?", nearest))));
    }
    const dimemas::Record record{std::string(name), line.number, dimemas::split_words(line, colon + 1)};
    if (record.fields.size() != 1)
      return tl::unexpected(error_in_line(path, line.number, record.name,
                                          fmt::format("expected 1 value, found {}", record.fields.size())));
    FieldReader fields(record, path);
    read_line(fields, name, scheduler);
    if (fields.error()) return tl::unexpected(*fields.error());
  }
  const auto cost = scheduler.context_switch.value_or(Duration{});
  if (scheduler.busy_wait > Duration{}) {
    // Dimemas: a receiver spins for the context-switch cost, not for the busy wait, before it blocks.
    if (cost > Duration{}) {
      auto e = error_in_line(path, scheduler.busy_wait_line, std::string(kBusyWait),
                             "busy waiting with a context-switch cost is not supported, expected 0");
      e.kind = Error::Kind::unsupported;
      return tl::unexpected(std::move(e));
    }
    diagnostics.push_back(
        dimemas::remark(Diagnostic::Severity::warning, "no-effect",
                        "busy waiting has no effect without a context-switch cost, as in Dimemas", path,
                        scheduler.busy_wait_line));
  }
  return cost;
}

}  // namespace busline
