#include "studies/report/timeline_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "documents/text/readable.hpp"
#include "studies/report/coarse_lanes.hpp"
#include "studies/timeline/timeline.hpp"

namespace busline::report {
namespace {

using timeline::State;

// A page stays below 3 MB, and draws at once.
constexpr std::size_t kMostLanes = 128;
constexpr std::size_t kMostPieces = 40'000;
constexpr std::size_t kMostArrows = 10'000;
constexpr std::size_t kToldStates = 3;
constexpr double kStateWorthTelling = 0.001;  // a share of the time

constexpr std::array kWaits{State::in_receive, State::in_send, State::in_wait, State::for_members,
                            State::for_cpu};

bool is_wait(std::uint32_t kind) {
  return std::any_of(kWaits.begin(), kWaits.end(),
                     [&](State s) { return static_cast<std::uint32_t>(s) == kind; });
}

std::string shown(std::int64_t ps) {
  return readable(Duration::picoseconds(ps));
}

// By lane the time of each kind.
using Times = std::vector<std::vector<std::int64_t>>;

Times times_of(const Lanes& lanes) {
  Times times;
  for (const auto& lane : lanes.lanes) {
    auto& of = times.emplace_back(lanes.kinds.size());
    for (const auto& p : lane.pieces) of[p.kind] += p.to - p.from;
  }
  return times;
}

// Shares are of the time that lanes are there: they may end before the run does.
std::string states_sentence(const Lanes& lanes, const Times& times) {
  std::vector<std::pair<double, std::string>> shares;
  double whole = 0;
  for (std::size_t k = 0; k < lanes.kinds.size(); ++k) {
    double sum = 0;
    for (const auto& of : times) sum += static_cast<double>(of[k]);
    shares.emplace_back(sum, lanes.kinds[k]);
    whole += sum;
  }
  auto text = fmt::format("{} {} over {}", readable(std::uint64_t{times.size()}),
                          times.size() == 1 ? "rank" : "ranks", shown(lanes.to - lanes.from));
  if (whole <= 0) return text + ", which shows nothing.";
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < kToldStates && shares[i].first > kStateWorthTelling * whole; ++i)
    text += fmt::format("{} {} {}is {}", i == 0 ? ":" : ",", percent(shares[i].first / whole),
                        i == 0 ? "of their time " : "", shares[i].second);
  return text + ".";
}

std::string longest_wait_sentence(const Lanes& lanes) {
  const Lanes::Piece* longest = nullptr;
  const Lanes::Lane* whose = nullptr;
  for (const auto& lane : lanes.lanes)
    for (const auto& p : lane.pieces)
      if (is_wait(p.kind) && (longest == nullptr || p.to - p.from > longest->to - longest->from)) {
        longest = &p;
        whose = &lane;
      }
  if (longest == nullptr) return "No rank waits.";
  return fmt::format("The longest wait: {} of {} ({}), starting at {}.", shown(longest->to - longest->from),
                     whose->name, lanes.kinds[longest->kind], shown(longest->from));
}

std::string lanes_balance_sentence(const Lanes& lanes, const Times& times) {
  if (times.size() < 2) return "";
  const auto waited = [](const std::vector<std::int64_t>& of) {
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < of.size(); ++k) sum += is_wait(k) ? of[k] : 0;
    return sum;
  };
  const auto [least, most] = std::minmax_element(
      times.begin(), times.end(), [&](const auto& a, const auto& b) { return waited(a) < waited(b); });
  if (waited(*most) == waited(*least)) return "";
  const auto name = [&](Times::const_iterator at) {
    return lanes.lanes[static_cast<std::size_t>(at - times.begin())].name;
  };
  return fmt::format("Total waiting is longest for {}: {}; and shortest for {}: {}.", name(most),
                     shown(waited(*most)), name(least), shown(waited(*least)));
}

Figure states_table(const Lanes& lanes, const Times& times) {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < lanes.kinds.size(); ++k)
    if (std::any_of(times.begin(), times.end(), [&](const auto& of) { return of[k] > 0; })) used.push_back(k);
  Table table;
  table.columns = {{"rank"}};
  for (const auto k : used) table.columns.push_back({lanes.kinds[k], Unit::time});
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::vector<Table::Cell> row{lanes.lanes[i].name};
    for (const auto k : used) row.emplace_back(static_cast<double>(times[i][k]));
    table.rows.push_back(std::move(row));
  }
  return {"States", "How long each rank was in each state.", std::move(table)};
}

std::string caption_of(const Coarsening& how, const Lanes& lanes) {
  std::string text;
  if (how.step > 0)
    text = fmt::format("In steps of {}: each shows the state that takes most of it{}.", shown(how.step),
                       how.lanes_in_one > 1 ? fmt::format(", of {} ranks together", how.lanes_in_one) : "");
  if (how.arrows_left_out > 0)
    text += fmt::format("{}Its {} messages are not drawn.", text.empty() ? "" : " ",
                        readable(std::uint64_t{how.arrows_left_out}));
  if (!text.empty())
    text +=
        " A shorter part or fewer ranks show more: 'simulate --timeline' with --time-range, "
        "--timeline-ranks.";
  else if (!lanes.arrows.empty())
    text = "Lines are messages, from the sending call to the receiving call.";
  return text;
}

}  // namespace

Section timeline_section(ReadTimeline timeline, const std::string& source) {
  auto& lanes = timeline.lanes;
  const auto times = times_of(lanes);
  Section s{"timeline", timeline.title, source, {}};
  s.summary.push_back(states_sentence(lanes, times));
  if (!times.empty()) s.summary.push_back(longest_wait_sentence(lanes));
  if (auto balance = lanes_balance_sentence(lanes, times); !balance.empty())
    s.summary.push_back(std::move(balance));
  const auto pieces =
      std::accumulate(lanes.lanes.begin(), lanes.lanes.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const Lanes::Lane& lane) { return sum + lane.pieces.size(); });
  s.facts = {{"ranks", readable(std::uint64_t{times.size()})},
             {"from", shown(lanes.from)},
             {"to", shown(lanes.to)},
             {"states", readable(pieces)},
             {"messages", readable(std::uint64_t{lanes.arrows.size()})}};
  if (times.empty()) return s;
  auto table = states_table(lanes, times);
  const auto how = make_coarse(lanes, kMostLanes, kMostPieces, kMostArrows);
  auto caption = caption_of(how, lanes);
  s.figures.push_back({"Timeline of the ranks", std::move(caption), std::move(lanes)});
  s.figures.push_back(std::move(table));
  return s;
}

}  // namespace busline::report
