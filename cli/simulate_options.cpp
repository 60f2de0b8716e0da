#include "cli/simulate_options.hpp"

#include <fmt/format.h>

#include "documents/command_line/option_values.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

Expected<std::optional<Duration>> parse_instant(std::string_view text) {
  if (text.empty()) return std::optional<Duration>();
  const auto d = parse_duration(text);
  if (!d)
    return refuse_option("--time-range",
                         fmt::format("{}: column {}: {}", text, d.error().column, d.error().reason),
                         "a range has two times: --time-range 1ms..2.5ms");
  return std::optional<Duration>(*d);
}

}  // namespace

Expected<CallRef> parse_call(std::string_view text, std::string_view option) {
  auto call = parse_call_ref(text);
  if (!call)
    return refuse_option(
        option,
        fmt::format("'{}': expected a call and its number, counted from 1, or from the end if negative",
                    text),
        fmt::format("such as {} MPI_Barrier:2; 'busline inspect' lists the calls", option));
  return *std::move(call);
}

Expected<std::optional<Region>> parse_region(const std::string& from, const std::string& to,
                                             const std::string& time_range) {
  if (from.empty() && to.empty() && time_range.empty()) return std::optional<Region>();
  Region region;
  if (!from.empty()) {
    auto call = parse_call(from, "--from");
    if (!call) return tl::unexpected(std::move(call.error()));
    region.from = std::move(*call);
  }
  if (!to.empty()) {
    auto call = parse_call(to, "--to");
    if (!call) return tl::unexpected(std::move(call.error()));
    region.to = std::move(*call);
  }
  if (!time_range.empty()) {
    const std::string_view text = time_range;
    const auto dots = text.find("..");
    if (dots == text.npos)
      return refuse_option("--time-range",
                           fmt::format("'{}': expected two times with '..' between them", time_range),
                           "such as 1ms..2.5ms; you can leave out either");
    const auto after = parse_instant(text.substr(0, dots));
    if (!after) return tl::unexpected(after.error());
    const auto before = parse_instant(text.substr(dots + 2));
    if (!before) return tl::unexpected(before.error());
    region.after = *after;
    region.before = *before;
    if (region.after && region.before && *region.before < *region.after)
      return refuse_option("--time-range", fmt::format("'{}' ends before it begins", time_range));
  }
  return std::optional<Region>(std::move(region));
}

std::string describe(const Region& region) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    text += text.empty() ? part : fmt::format(" {}", part);
  };
  if (region.from) add(fmt::format("from {} {}", region.from->call, region.from->number));
  if (region.to) add(fmt::format("to {} {}", region.to->call, region.to->number));
  if (region.after) add(fmt::format("after {}", to_text(*region.after)));
  if (region.before) add(fmt::format("before {}", to_text(*region.before)));
  return text;
}

}  // namespace busline::cli
