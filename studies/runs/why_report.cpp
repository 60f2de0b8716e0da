#include "studies/runs/why_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "documents/text/readable.hpp"

namespace busline {

Duration total_of(const PathParts& parts) {
  return std::accumulate(parts.begin(), parts.end(), Duration());
}

std::vector<PathCause> causes_of(const PathParts& parts) {
  std::vector<PathCause> causes;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] > Duration()) causes.push_back(static_cast<PathCause>(i));
  std::stable_sort(causes.begin(), causes.end(), [&](PathCause a, PathCause b) {
    return parts[static_cast<std::size_t>(a)] > parts[static_cast<std::size_t>(b)];
  });
  return causes;
}

namespace {

constexpr std::size_t kLateRanksShown = 5, kPathCallsShown = 8, kLongestShown = 5, kLateShown = 3;

Duration of(const PathParts& parts, PathCause cause) {
  return parts[static_cast<std::size_t>(cause)];
}

/// Ranks that are on the path, the longest first.
std::vector<RankId> ranks_of(const CriticalPath& path) {
  std::vector<RankId> ranks;
  for (const auto r : path.by_rank.ids())
    if (total_of(path.by_rank[r]) > Duration()) ranks.push_back(r);
  std::stable_sort(ranks.begin(), ranks.end(),
                   [&](RankId a, RankId b) { return total_of(path.by_rank[a]) > total_of(path.by_rank[b]); });
  return ranks;
}

std::string share_of_whole(Duration part, Duration whole) {
  if (whole == Duration()) return "-";
  return percent(static_cast<double>(part.count()) / static_cast<double>(whole.count()));
}

std::string name_of_call(const std::string& name) {
  return name.empty() ? "between calls" : name;
}

/// "waiting for a bus 80.1 %, collectives 12.0 %": what most of a sum is made of.
std::string mostly(const PathParts& parts) {
  const auto whole = total_of(parts);
  std::string text;
  const auto causes = causes_of(parts);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, causes.size()); ++i)
    text.append(i == 0 ? "" : ", ")
        .append(description_of(causes[i]))
        .append(" ")
        .append(share_of_whole(of(parts, causes[i]), whole));
  return text;
}

std::string path_text(const CriticalPath& path, const std::string& overlap) {
  auto text = fmt::format("critical path: {} in {} parts\n", readable(path.total), readable(path.segments));
  for (const auto cause : causes_of(path.parts))
    text += fmt::format("  {:<40}{:>12}{:>9}\n", description_of(cause), readable(of(path.parts, cause)),
                        share_of_whole(of(path.parts, cause), path.total));
  text += overlap;
  const auto ranks = ranks_of(path);
  text += fmt::format("  of {} of {}\n", readable(std::uint64_t{ranks.size()}),
                      readable(std::uint64_t{path.by_rank.size()}, "rank"));
  for (std::size_t i = 0; i < std::min(kLateRanksShown, ranks.size()); ++i) {
    const auto& parts = path.by_rank[ranks[i]];
    text +=
        fmt::format("    {:<38}{:>12}{:>9}  {}\n", fmt::format("rank {}", raw(ranks[i])),
                    readable(total_of(parts)), share_of_whole(total_of(parts), path.total), mostly(parts));
  }
  text += "  by call\n";
  for (std::size_t i = 0; i < std::min(kPathCallsShown, path.calls.size()); ++i) {
    const auto& c = path.calls[i];
    if (c.total == Duration()) break;
    text += fmt::format("    {:<38}{:>12}{:>9}  {}\n", name_of_call(c.name), readable(c.total),
                        share_of_whole(c.total, path.total), mostly(c.parts));
  }
  text += "  longest parts\n";
  for (std::size_t i = 0; i < std::min(kLongestShown, path.longest.size()); ++i) {
    const auto& s = path.longest[i];
    text += fmt::format("    {:<38}{:>12}{:>9}  rank {}, {}, from {}\n", description_of(s.cause),
                        readable(s.length), share_of_whole(s.length, path.total), raw(s.rank),
                        name_of_call(path.calls[s.call].name), readable(s.from.since_start()));
  }
  if (path.late_partners == 0) return text;
  text += fmt::format("  late partners: {}, for which others had waited {} when they arrived\n",
                      readable(path.late_partners), readable(path.partners_late));
  for (std::size_t i = 0; i < std::min(kLateShown, path.latest.size()); ++i) {
    const auto& l = path.latest[i];
    text += fmt::format("    rank {} in {} for rank {}: {}, until {}\n", raw(l.waiting),
                        name_of_call(path.calls[l.call].name), raw(l.partner), readable(l.late),
                        readable(l.at.since_start()));
  }
  return text;
}

/// What runs say, in the words of the column "run time".
std::string verdict_on(const Advice& a) {
  if (std::max(std::abs(a.shortest), std::abs(a.longest)) < 0.0005) return "no effect";
  return a.reliable() ? signed_percent(a.median) : "no reliable effect";
}

std::string advice_text(const Why& why) {
  if (why.advice.empty()) return "";
  auto text = fmt::format("\n{:<24}{:>20}{:>22}{:>12}{:>12}\n", "advice, checked by runs", "run time",
                          "5 to 95 % of runs", "one run", why.exact ? "slope" : "slope *");
  for (const auto& a : why.advice)
    text += fmt::format("  {:<22}{:>20}{:>22}{:>12}{:>12}\n", description_of(a.figure), verdict_on(a),
                        fmt::format("{} to {}", signed_percent(a.shortest), signed_percent(a.longest)),
                        signed_percent(a.by_a_run), signed_percent(a.by_slope));
  if (!why.exact) text += "  * as long as no message overtakes another\n";
  return text + fmt::format("  {} in all, most of them with bursts jittered by up to 1 %\n",
                            readable(std::uint64_t{why.runs}, "run"));
}

std::string overlap_text(const Why& why) {
  if (!why.efficiency || why.path.total == Duration()) return "";
  const auto of_time = why.efficiency->parallel();
  const auto of_path = static_cast<double>(of(why.path.parts, PathCause::compute).count()) /
                       static_cast<double>(why.path.total.count());
  const auto sentence = overlap_sentence(of_time, of_path, "\n  ");
  return sentence.empty() ? sentence : fmt::format("  {}\n", sentence);
}

std::string slopes_text(const Why& why) {
  auto text = fmt::format("\nslopes, {}\n", why.exact ? "exact" : "at frozen order");
  text += fmt::format("  {:<40}{:>12}\n", "1 us more latency",
                      readable_change(Duration::from_double(why.slope.latency * 1e6)));
  if (why.steps.empty()) return text;
  text += fmt::format("  {:<40}{:>12}{:>14}\n", "run time with", "by slope", "by a run");
  for (const auto& s : why.steps)
    text += fmt::format("    {:<38}{:>12}{:>14}\n", s.change, readable(s.predicted.since_start()),
                        readable(s.simulated.since_start()));
  return text;
}

}  // namespace

std::string overlap_sentence(double of_time, double of_path, std::string_view blank) {
  constexpr double kWorthASentence = 0.1;
  if (of_time - of_path < kWorthASentence) return "";
  return fmt::format(
      "Ranks compute {} of the time, but computing is only {} of the path: the other bursts pass while{}"
      "messages on the path wait or travel, and decide the end only if they outlast them.",
      percent(of_time), percent(of_path), blank);
}

std::string to_text(const Why& why) {
  auto text = path_text(why.path, overlap_text(why)) + advice_text(why) + slopes_text(why);
  if (const auto& e = why.efficiency)
    text += fmt::format(
        "\nefficiency: {:.3f} = load balance {:.3f} x serialisation {:.3f} x transfer {:.3f}\n  on an "
        "instant network the run takes {}\n",
        e->parallel(), e->load_balance, e->serialisation, e->transfer,
        readable(e->instant_network.since_start()));
  if (const auto& r = why.resolution)
    text += fmt::format(
        "\nresolution: {} in {} with bursts jittered by 0.1 to 1 %, latencies longer by nanoseconds and "
        "ties broken in other orders, from {} to {}\n",
        r->spread() == Duration() ? "no difference" : readable(r->spread()),
        readable(std::uint64_t{r->runs}, "more run"), readable(r->shortest.since_start()),
        readable(r->longest.since_start()));
  return text;
}

}  // namespace busline
