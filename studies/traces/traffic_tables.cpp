#include "studies/traces/traffic_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "documents/text/readable.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kPairsShown = 10;

}  // namespace

std::string sizes_text(const std::vector<WorkloadStatistics::SizeClass>& sizes) {
  std::string text;
  if (!sizes.empty())
    text += fmt::format("\n  {:<26}{:>14}{:>14}\n", "message size, bytes", "messages", "volume");
  for (const auto& c : sizes) {
    // 0; 1; 2 to 3; 4 to 7 ...
    const auto upper = c.from + (c.from - 1);
    const auto range =
        c.from <= 1 ? readable(c.from) : fmt::format("{} to {}", readable(c.from), readable(upper));
    text += fmt::format("  {:<26}{:>14}{:>14}\n", range, readable(c.messages), readable(Bytes{c.bytes}));
  }
  return text;
}

std::string pairs_text(const std::vector<WorkloadStatistics::Pair>& pairs, std::uint64_t bytes,
                       std::uint32_t ranks) {
  if (pairs.empty()) return "";
  const auto possible = std::uint64_t{ranks} * ranks;
  const auto& first = pairs.front();
  const bool alike = std::all_of(pairs.begin(), pairs.end(), [&](const WorkloadStatistics::Pair& p) {
    return p.bytes == first.bytes && p.messages == first.messages;
  });
  // The first of hundreds that are all the same are no news.
  constexpr std::size_t kMany = 100;
  if (alike && pairs.size() > kMany)
    return fmt::format("\n  {} of {} pairs of ranks exchange messages: each {}, {} together\n",
                       readable(std::uint64_t{pairs.size()}), readable(possible),
                       readable(first.messages, "message"), readable(Bytes{first.bytes}));
  auto text =
      fmt::format("\n  {:<26}{:>14}{:>14}{:>14}\n", "from rank to rank", "messages", "volume", "share");
  const auto shown = std::min(pairs.size(), kPairsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& p = pairs[i];
    const auto share = bytes == 0 ? 0 : static_cast<double>(p.bytes) / static_cast<double>(bytes);
    text += fmt::format("  {:<26}{:>14}{:>14}{:>14}\n", fmt::format("{} to {}", p.source, p.destination),
                        readable(p.messages), readable(Bytes{p.bytes}), percent(share));
  }
  text += fmt::format("  {} of {} pairs of ranks exchange messages\n", readable(std::uint64_t{pairs.size()}),
                      readable(possible));
  return text;
}

ordered_json sizes_json(const std::vector<WorkloadStatistics::SizeClass>& sizes) {
  auto list = ordered_json::array();
  for (const auto& c : sizes)
    list.push_back({{"from_bytes", c.from}, {"messages", c.messages}, {"bytes", c.bytes}});
  return list;
}

ordered_json pairs_json(const std::vector<WorkloadStatistics::Pair>& pairs) {
  auto list = ordered_json::array();
  for (const auto& p : pairs)
    list.push_back(
        {{"source", p.source}, {"destination", p.destination}, {"messages", p.messages}, {"bytes", p.bytes}});
  return list;
}

}  // namespace busline
