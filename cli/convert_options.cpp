#include "cli/convert_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "documents/command_line/option_values.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

constexpr std::uint32_t kMostSelectedRank = 9'999'999;  // a list of them stays small

std::optional<std::uint32_t> rank(std::string_view text) {
  const auto n = whole_number<std::uint32_t>(text);
  return n && *n > kMostSelectedRank ? std::nullopt : n;
}

// Time stamps are whole nanoseconds, so this rounds up to the next one.
Expected<std::int64_t> parse_time(const char* option, const std::string& text) {
  const auto d = parse_duration(text);
  if (!d)
    return refuse_option(option, fmt::format("{}: column {}: {}", text, d.error().column, d.error().reason),
                         fmt::format("a time from the end of MPI_Init: {} 1.5s", option));
  constexpr std::int64_t kNanosecond = 1000;
  return d->count() / kNanosecond + (d->count() % kNanosecond > 0 ? 1 : 0);
}

}  // namespace

Expected<std::vector<std::uint32_t>> parse_ranks(std::string_view text, std::string_view option) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto comma = std::min(text.find(',', begin), text.size());
    const auto part = text.substr(begin, comma - begin);
    const auto dash = part.find('-');
    const auto first = rank(part.substr(0, dash));
    const auto last = dash == part.npos ? first : rank(part.substr(dash + 1));
    if (!first || !last || *last < *first)
      return refuse_option(
          option,
          fmt::format("'{}' is neither a rank nor a range of ranks from 0 to {}", part, kMostSelectedRank),
          fmt::format("such as {} 0-3,7", option));
    for (auto r = *first; r <= *last; ++r) ranks.push_back(r);
    if (ranks.size() > kMostSelectedRank)
      return refuse_option(option, fmt::format("names more than {} ranks", kMostSelectedRank),
                           "name each rank once");
    begin = comma + 1;
  }
  return ranks;
}

Expected<dumpi::RewriteOptions> parse_selection(const std::string& ranks, const std::string& from,
                                                const std::string& to) {
  dumpi::RewriteOptions selection;
  if (!ranks.empty()) {
    auto list = parse_ranks(ranks);
    if (!list) return tl::unexpected(std::move(list.error()));
    selection.ranks = std::move(*list);
  }
  if (!from.empty()) {
    const auto time = parse_time("--from", from);
    if (!time) return tl::unexpected(time.error());
    selection.range.from = *time;
  }
  if (!to.empty()) {
    const auto time = parse_time("--to", to);
    if (!time) return tl::unexpected(time.error());
    selection.range.to = *time;
  }
  if (selection.range.to <= selection.range.from)
    return refuse_option("--to", fmt::format("{} is not after --from {}", to, from));
  return selection;
}

}  // namespace busline::cli
