// The page of a LinkTest run.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/linktest_names.hpp"
#include "measuring/tables/linktest_report.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using namespace linktest;

constexpr std::uint32_t kMostNumbers = 12;  // ranks whose matrix is shown in numbers
constexpr std::uint32_t kMapWidth = 64;     // columns of the map of more ranks
constexpr std::size_t kMostSteps = 24, kMostPairs = 16, kMostRanks = 16, kMostHosts = 6;
constexpr std::size_t kBarWidth = 30;
constexpr double kFlat = 1.02;                    // a map of less than that shows nothing but scatter
constexpr std::string_view kMarks = ".:-=+*#%@";  // from the least time to the largest

// One unit for a column of bandwidths, in powers of 1024 as LinkTest prints them.
struct BandwidthColumn {
  explicit BandwidthColumn(Bandwidth largest)
      : per_unit(largest.in_bytes_per_second() < kGibi ? kGibi / 1024 : kGibi),
        unit(per_unit < kGibi ? "MiB/s" : "GiB/s") {}
  std::string operator()(Bandwidth b) const {
    return fmt::format("{:.3f}", b.in_bytes_per_second() / per_unit);
  }

  static constexpr double kGibi = 1024.0 * 1024 * 1024;
  double per_unit;
  const char* unit;
};

constexpr std::array<std::string_view, kPairClasses> kClassTitles{"within nodes", "between nodes"};

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

Duration duration(double seconds) {
  return Duration::seconds(seconds);
}

struct Host {
  std::string name;
  std::uint64_t ranks = 0;
};

std::vector<Host> hosts_of(const LinkTestResult& r) {
  std::vector<Host> hosts;
  const auto nodes = nodes_of(r);
  for (std::uint32_t rank = 0; rank < r.ranks(); ++rank) {
    if (nodes[rank] == hosts.size()) hosts.push_back({r.places[rank].host, 0});
    ++hosts[nodes[rank]].ranks;
  }
  return hosts;
}

std::string hosts_text(const std::vector<Host>& hosts) {
  std::string text;
  for (const auto& h : std::span(hosts).first(std::min(hosts.size(), kMostHosts)))
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", h.name, readable(h.ranks));
  if (hosts.size() > kMostHosts)
    text += fmt::format(" and {} more", readable(std::uint64_t{hosts.size() - kMostHosts}));
  return text;
}

std::string linktest_heading(const LinkTestReport& report) {
  const auto& r = report.result;
  const auto hosts = hosts_of(r);
  const auto& s = r.settings;
  auto text = fmt::format("{}: LinkTest {} of {} on {}\n\n", report.name, version_text(r.version),
                          readable(r.ranks(), "rank"), readable(hosts.size(), "node"));
  text += labelled_line("hosts (ranks)", hosts_text(hosts));
  text += labelled_line(
      "messages",
      fmt::format("{} of {}, {}{}", readable(s.messages), to_text(Bytes{s.message_bytes}), name_of(s.kernel),
                  s.warmup_messages ? fmt::format(", {} for warm-up", readable(*s.warmup_messages)) : ""));
  text += labelled_line(
      "pairs",
      fmt::format("{}, {}",
                  s.bisection ? "each rank of one half with each rank of the other" : "all pairs of ranks",
                  s.flags[kSerial] != 0 ? "one at a time" : "all pairs of a step at once"));
  if (!s.mode.empty()) text += labelled_line("carried by", s.mode);
  if (s.all_to_all) text += labelled_line("all-to-all", "before each step");
  if (s.shuffled_orders > 0)
    text += labelled_line("orders",
                          fmt::format("{} at random, seed {}", readable(s.shuffled_orders), s.order_seed));
  else if (s.mixed_order)
    text += labelled_line("order", "LinkTest's mixed order");
  else if (s.by_node)
    text += labelled_line("order", "whole nodes meet in each step");
  if (s.buffers > 1) text += labelled_line("buffers", fmt::format("{} in turn", readable(s.buffers)));
  return text;
}

std::string spread_text(const Settings& settings, const Analysis& a) {
  const TimeColumn time(duration(a.all.median));
  const BandwidthColumn bandwidth(bandwidth_of(settings, a.all.min));
  TextTable table({fmt::format("time [{}]", time.unit), "number", "min", "median", "mean", "max"});
  const auto add = [&](std::string_view name, const Spread& s) {
    if (s.count > 0)
      table.add({std::string(name), readable(s.count), time(duration(s.min)), time(duration(s.median)),
                 time(duration(s.mean)), time(duration(s.max))});
  };
  for (std::size_t kind = 0; kind < kPairClasses; ++kind) add(kClassTitles[kind], a.classes[kind]);
  add("all", a.all);
  const auto of = [&](double seconds) { return bandwidth(bandwidth_of(settings, seconds)); };
  table.add({fmt::format("as bandwidth [{}]", bandwidth.unit), "", of(a.all.min), of(a.all.median),
             of(a.all.mean), of(a.all.max)});
  return '\n' + table.text();
}

std::string matrix_text(const LinkTestResult& r, const Iteration& i, const Analysis& a) {
  const TimeColumn time(duration(a.all.median));
  std::vector<std::string> cells{fmt::format("from, to [{}]", time.unit)};
  for (std::uint32_t to = 0; to < r.ranks(); ++to) cells.push_back(std::to_string(to));
  TextTable table(cells);
  for (std::uint32_t from = 0; from < r.ranks(); ++from) {
    cells[0] = std::to_string(from);
    for (std::uint32_t to = 0; to < r.ranks(); ++to)
      cells[1 + to] = is_measured(i, from, to) ? time(duration(i.seconds(from, to))) : "-";
    table.add(cells);
  }
  return '\n' + table.text();
}

// The mean time of each block of `side` by `side` pairs, 0 for a block without times.
std::vector<double> block_means(const Iteration& i, std::uint32_t side, std::uint32_t width) {
  struct Block {
    double sum = 0, times = 0;
  };
  std::vector<Block> blocks(std::size_t{width} * width);
  for (std::uint32_t from = 0; from < i.seconds.ranks(); ++from)
    for (std::uint32_t to = 0; to < i.seconds.ranks(); ++to) {
      if (!is_measured(i, from, to)) continue;
      auto& block = blocks[std::size_t{from / side} * width + to / side];
      block.sum += i.seconds(from, to);
      ++block.times;
    }
  std::vector<double> means;
  means.reserve(blocks.size());
  for (const auto& b : blocks) means.push_back(b.times == 0 ? 0 : b.sum / b.times);
  return means;
}

std::string map_text(const LinkTestResult& r, const Iteration& i) {
  const auto side = (r.ranks() + kMapWidth - 1) / kMapWidth, width = (r.ranks() + side - 1) / side;
  const auto means = block_means(i, side, width);
  auto least = HUGE_VAL, most = 0.0;
  for (const auto t : means)
    if (t > 0) least = std::min(least, t), most = std::max(most, t);
  if (most < kFlat * least)
    return fmt::format("\n  time from rank to rank: {} to {} everywhere{}\n", readable(duration(least)),
                       readable(duration(most)),
                       side == 1 ? "" : fmt::format(", as the mean of {} x {} pairs", side, side));
  const auto range = std::log(most) - std::log(least);
  const auto mark = [&](double t) {
    if (t == 0) return ' ';
    const auto share = range > 0 ? (std::log(t) - std::log(least)) / range : 0;
    return kMarks[std::min(kMarks.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(kMarks.size())))];
  };
  auto text =
      fmt::format("\n  time from rank (row) to rank, '{}' = {}, '{}' = {}, each step {:.0f} % more{}\n",
                  kMarks.front(), readable(duration(least)), kMarks.back(), readable(duration(most)),
                  100 * (std::exp(range / static_cast<double>(kMarks.size())) - 1),
                  side == 1 ? "" : fmt::format("; each mark is the mean of {} x {} pairs", side, side));
  for (std::uint32_t y = 0; y < width; ++y) {
    std::string marks;
    for (std::uint32_t x = 0; x < width; ++x) marks += mark(means[std::size_t{y} * width + x]);
    text += fmt::format("  {:>6} {}\n", y * side, marks.substr(0, marks.find_last_not_of(' ') + 1));
  }
  return text;
}

std::string histogram_text(const Analysis& a) {
  const TimeColumn time(duration(a.all.median));
  std::uint64_t most = 1;
  for (const auto& b : a.histogram.bins) most = std::max(most, b.pairs[0] + b.pairs[1]);
  auto text = fmt::format("\n  {:<20}{:>14}{:>14}\n", fmt::format("times from [{}]", time.unit),
                          kClassTitles[0], kClassTitles[1]);
  for (const auto& b : a.histogram.bins) {
    const auto pairs = b.pairs[0] + b.pairs[1];
    const auto length = (pairs * kBarWidth + most - 1) / most;
    text += fmt::format("  {:<20}{:>14}{:>14}{}{}\n", time(duration(b.from)), readable(b.pairs[0]),
                        readable(b.pairs[1]), length == 0 ? "" : "  ", std::string(length, '#'));
  }
  return text;
}

// Several steps in a row, where there are too many for a page.
struct Steps {
  std::uint32_t first = 0, last = 0;
  double times = 0, min = 0, sum = 0, max = 0;
  double bisection = 0, steps = 0;

  void add(const StepFigures& s) {
    if (s.times == 0) return;
    min = times == 0 ? s.min : std::min(min, s.min);
    max = std::max(max, s.max);
    times += static_cast<double>(s.times);
    sum += s.mean * static_cast<double>(s.times);
    if (s.bisection) bisection += s.bisection->in_bytes_per_second();
    ++steps;
  }
};

std::string steps_text(const Analysis& a) {
  std::vector<Steps> rows;
  const auto each = (a.steps.size() + kMostSteps - 1) / kMostSteps;
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    if (i % each == 0) rows.push_back({a.steps[i].step, 0, 0, 0, 0, 0, 0, 0});
    rows.back().last = a.steps[i].step;
    rows.back().add(a.steps[i]);
  }
  std::erase_if(rows, [](const Steps& s) { return s.times == 0; });
  if (rows.empty()) return "";
  const bool together = a.steps.front().bisection.has_value() || rows.front().bisection > 0;
  double largest = 0;
  for (const auto& s : rows) largest = std::max(largest, s.bisection / s.steps);
  const TimeColumn time(duration(a.all.median));
  const BandwidthColumn bandwidth(Bandwidth::bytes_per_second(largest));
  std::vector<std::string> heading{fmt::format("step, time [{}]", time.unit), "min", "mean", "max"};
  if (together) heading.push_back(fmt::format("bisection [{}]", bandwidth.unit));
  TextTable table(std::move(heading));
  for (const auto& s : rows) {
    std::vector<std::string> cells{
        s.first == s.last ? std::to_string(s.first) : fmt::format("{} to {}", s.first, s.last),
        time(duration(s.min)), time(duration(s.sum / s.times)), time(duration(s.max))};
    if (together) cells.push_back(bandwidth(Bandwidth::bytes_per_second(s.bisection / s.steps)));
    table.add(std::move(cells));
  }
  return '\n' + table.text();
}

std::string pair_text(const LinkTestResult& r, std::uint32_t from, std::uint32_t to) {
  return fmt::format("{} ({}) to {} ({})", from, r.places[from].host, to, r.places[to].host);
}

std::string slow_text(const LinkTestResult& r, const Analysis& a) {
  if (a.slow.empty()) return "";
  const TimeColumn time(duration(a.all.median));
  TextTable table({fmt::format("slowest pairs [{}]", time.unit), "time", "alone", "verdict"});
  const auto shown = std::min(a.slow.size(), kMostPairs);
  for (const auto& s : std::span(a.slow).first(shown))
    table.add({pair_text(r, s.initiator, s.responder), time(duration(s.first)),
               s.second ? time(duration(*s.second)) : "-", words(name_of(s.verdict))});
  const auto more = a.slow.size() - shown;
  return '\n' + table.text() +
         (more == 0 ? "" : fmt::format("  and {} more\n", readable(std::uint64_t{more})));
}

std::string linktest_ranks_text(const LinkTestResult& r, const Analysis& a) {
  std::vector<std::uint32_t> order(r.ranks());
  std::iota(order.begin(), order.end(), 0U);
  const auto slowness = [&](std::uint32_t rank) {
    return a.ranks[rank].initiator.mean + a.ranks[rank].responder.mean;
  };
  const auto shown = std::min<std::size_t>(order.size(), kMostRanks);
  if (shown < order.size()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return slowness(x) > slowness(y); });
    order.resize(shown);
  }
  const TimeColumn time(duration(a.all.median));
  const auto* const which = shown < r.ranks() ? "slowest ranks" : "ranks";
  TextTable table(
      {fmt::format("{} [{}]", which, time.unit), "initiating", "max", "with", "responding", "max", "with"});
  for (const auto rank : order) {
    const auto& place = r.places[rank];
    std::vector<std::string> cells{fmt::format("{} ({}{})", rank, place.host,
                                               place.core < 0 ? "" : fmt::format(", core {}", place.core))};
    for (const auto* side : {&a.ranks[rank].initiator, &a.ranks[rank].responder}) {
      cells.push_back(time(duration(side->mean)));
      cells.push_back(time(duration(side->max)));
      cells.push_back(side->max == 0 ? "-" : std::to_string(side->slowest_partner));
    }
    table.add(std::move(cells));
  }
  return '\n' + table.text();
}

std::string all_to_all_text(const Iteration& i) {
  if (!i.all_to_all_summary) return "";
  const auto& s = *i.all_to_all_summary;
  if (std::isnan(s.min) || std::isnan(s.avg) || std::isnan(s.max)) return "";
  return fmt::format("  all-to-all: min {}, mean {}, max {}\n", readable(duration(s.min)),
                     readable(duration(s.avg)), readable(duration(s.max)));
}

std::string iteration_text(const LinkTestReport& report, const Iteration& i) {
  const auto& r = report.result;
  if (i.access == AccessPattern::unmapped)
    return "\n  The file does not record which pair of ranks each time belongs to.\n";
  const auto a = analyse(r, i);
  if (a.all.count == 0) return "\n  no times\n";
  return spread_text(r.settings, a) + all_to_all_text(i) +
         (r.ranks() <= kMostNumbers ? matrix_text(r, i, a) : map_text(r, i)) + histogram_text(a) +
         steps_text(a) + slow_text(r, a) + linktest_ranks_text(r, a);
}

}  // namespace

std::string to_text(const LinkTestReport& report) {
  auto text = linktest_heading(report);
  const auto& iterations = report.result.iterations;
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const auto& begin = iterations[i].start_time;
    if (iterations.size() > 1)
      text += fmt::format("\niteration {} of {}{}\n", i + 1, iterations.size(),
                          begin.empty() ? "" : ", " + begin);
    text += iteration_text(report, iterations[i]);
  }
  return text;
}

}  // namespace busline
