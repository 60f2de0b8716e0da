#include "validation/calibrate/message_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "sim/base/quantile.hpp"
#include "validation/calibrate/message_structure.hpp"
#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/size_split.hpp"

namespace busline::calibrate {
namespace {

// Differences of misfit: 3.84 is chi squared's 95 % with one degree of freedom, what an interval admits. A
// rendezvous, or another range of sizes, has to explain more, since it may be put anywhere.
constexpr double kLeastSpread = 1e-3;  // no clock and no model is better
constexpr double kFloorShare = 0.01;   // share of the latency: the time of a call is not known more precisely
constexpr std::size_t kLeastSizes = 4;         // that a range of sizes needs
constexpr double kWorthARange = 0.8;           // what it must leave of the spread
constexpr std::size_t kMostScatterRanges = 3;  // that the scatter alone asks for
constexpr double kTolerable = 0.05;            // errors that the check of a platform tolerates in the median
constexpr std::size_t kMostClasses = 8;  // that missed octaves ask for: published platforms have up to 5
constexpr double kVisible = 4;           // spreads
// A change of two coefficients at any of many sizes explains so much by chance in one case of twenty (D. W.
// K. Andrews, Econometrica 61 (1993), table I).
constexpr double kByChance = 11.8;

using Structure = MessageStructure;

class Fit {
 public:
  Fit(const MessageCurves& curves, const MessageFitOptions& options)
      : points_(curves.points),
        options_(options),
        has_calls_(curves.has(CurveKind::send_call)),
        has_synchronous_(curves.has(CurveKind::synchronous_message)) {
    double smallest = 0;
    for (const auto& p : points_) {
      if (p.kind != CurveKind::synchronous_message) sizes_.insert(p.bytes);
      if (p.kind == CurveKind::message && (smallest == 0 || p.ps < smallest)) smallest = p.ps;
    }
    floor_ = std::max(kFloorShare * smallest, 1.0);
  }

  MessageFit run() {
    choose_limit();
    if (options_.ranges) {
      choose_ranges();
      follow_octaves();
    }
    figures();
    settle_limit();
    std::vector<MessageFit> others;
    if (!structure_.by_octaves)
      for (const auto& s : others_) others.push_back(as(s));
    fit_.others = std::move(others);
    return std::move(fit_);
  }

 private:
  RobustFit fit(const Structure& s) const {
    std::vector<Row> rows;
    rows.reserve(points_.size());
    for (const auto& p : points_) rows.push_back(row_of_point(p, s));
    return robust_fit(rows, floor_);
  }

  struct Candidate {
    Structure structure;
    RobustFit fit;
  };

  // The sender asks, and the receiver answers: two trips, in the message's time or in the call's. A jump by
  // less is a packet more, or scatter.
  static bool shows_rendezvous(const Structure& s, const std::vector<double>& c) {
    constexpr double kLeastJump = 0.5;  // latencies
    const double jump = std::max(c[s.handshake()], c[s.rendezvous_call()] - c[s.call()]);
    return s.waits || jump >= kLeastJump * c.front();
  }

  // A limit that leaves no bandwidth stands in for one: messages would be infinitely fast.
  bool keeps_bandwidth(const std::vector<double>& c) const { return !options_.may_differ || c[1] > 0; }

  // What is expected comes first: the limit of another part of the machine, or no rendezvous at all.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    all.push_back({structure_, fit(structure_)});
    for (const bool waits : {false, true}) {
      if (waits && !has_calls_) break;
      for (const bool own_synchronous : {false, true}) {
        if (own_synchronous && !has_synchronous_) break;
        for (const auto from : sizes_) {
          if (from == *sizes_.begin()) continue;  // that all are would look the same as that none is
          Structure s;
          s.from = from;
          s.waits = waits;
          s.own_synchronous = own_synchronous;
          auto fitted = fit(s);
          if (shows_rendezvous(s, fitted.coefficients) && keeps_bandwidth(fitted.coefficients))
            all.push_back({std::move(s), std::move(fitted)});
        }
      }
    }
    return all;
  }

  static double capped_misfit(const RobustFit& fit, double spread) {
    double sum = 0;
    for (std::size_t i = 0; i < fit.errors.size(); ++i) sum += capped_loss(fit, i, spread);
    return sum;
  }

  // What `better` explains more than `simple` without the point that gains most by it: one sample that is far
  // off is no limit.
  static double gain_without_one_point(const RobustFit& simple, const RobustFit& better, double spread) {
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < simple.errors.size(); ++i) {
      const double gain = capped_loss(simple, i, spread) - capped_loss(better, i, spread);
      sum += gain;
      most = std::max(most, gain);
    }
    return sum - most;
  }

  void choose_limit() {
    auto& r = fit_.rendezvous;
    if (options_.rendezvous) {
      r = *options_.rendezvous;
      if (r.known == RendezvousFit::Known::found) structure_.from = r.from;
      structure_.waits = r.waits_for_transfer;
      if (!options_.may_differ) return;
    }
    const auto all = candidates();
    double spread = all.front().fit.spread;
    for (const auto& c : all) spread = std::min(spread, c.fit.spread);
    spread = std::max(spread, kLeastSpread);
    std::vector<double> misfits;
    misfits.reserve(all.size());
    for (const auto& c : all) misfits.push_back(capped_misfit(c.fit, spread));
    // A handshake of its own for MPI_Ssend has to explain more, too.
    const auto price = [&](std::size_t i) { return all[i].structure.own_synchronous ? kConvincing : 0; };
    for (std::size_t i = 0; i < all.size(); ++i) misfits[i] += price(i);
    const auto least = std::min_element(misfits.begin(), misfits.end());
    const auto chosen = static_cast<std::size_t>(least - misfits.begin());
    const double gain =
        std::min(misfits.front() - *least,
                 gain_without_one_point(all.front().fit, all[chosen].fit, spread) - price(chosen));
    if (gain < kConvincing) {
      if (gain > kByChance) others_.push_back(all[chosen].structure);
      return;
    }
    const auto& best = all[chosen].structure;
    auto lowest = *best.from, highest = *best.from;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].structure.waits != best.waits || all[i].structure.own_synchronous != best.own_synchronous ||
          misfits[i] - *least > kAdmitted)
        continue;
      lowest = std::min(lowest, *all[i].structure.from);
      highest = std::max(highest, *all[i].structure.from);
    }
    keep_other_completion(all, misfits, chosen);
    r.known = RendezvousFit::Known::found;
    r.from = round_limit(*std::prev(sizes_.find(*best.from)), *best.from);
    r.above = *std::prev(sizes_.find(lowest));
    r.at_most = highest;
    r.waits_for_transfer = best.waits;
    r.completion_is_known = has_calls_;
    structure_.from = r.from;
    structure_.waits = best.waits;
    structure_.own_synchronous = best.own_synchronous;
  }

  // The same limit, where calls do not tell whether sends wait for their transfers.
  void keep_other_completion(const std::vector<Candidate>& all, const std::vector<double>& misfits,
                             std::size_t chosen) {
    const auto& best = all[chosen].structure;
    for (std::size_t i = 1; i < all.size() && has_calls_; ++i) {
      const auto& s = all[i].structure;
      if (s.from == best.from && s.waits != best.waits && s.own_synchronous == best.own_synchronous &&
          misfits[i] - misfits[chosen] <= kAdmitted)
        others_.push_back(s);
    }
  }

  // One more range as long as it explains much.
  void choose_ranges() {
    auto simple = fit(structure_);
    while (structure_.starts.size() < kMostScatterRanges) {
      std::optional<Structure> better;
      RobustFit best;
      const double spread = std::max(simple.spread, kLeastSpread);
      for (const auto start : sizes_) {
        auto s = structure_;
        s.starts.push_back(start);
        std::sort(s.starts.begin(), s.starts.end());
        if (!has_enough(s)) continue;
        auto f = fit(s);
        if (!has_slopes(s, f)) continue;
        if (!better || misfit(f, spread) < misfit(best, spread)) better = s, best = std::move(f);
      }
      if (!better) return;
      const double gain = misfit(simple, spread) - misfit(best, spread);
      if (best.spread > kWorthARange * simple.spread || gain < kConvincing) {
        if (gain > kByChance) others_.push_back(*better);
        return;
      }
      structure_ = *better;
      simple = std::move(best);
    }
  }

  // Where octaves are missed all the same, the ranges are chosen anew. Each has to explain much, and nothing
  // is explained where the errors are not worth a range.
  void follow_octaves() {
    const auto simple = fit(structure_);
    fit_.missed = missed(structure_, simple);
    std::size_t sizes = 0;
    for (const auto& o : fit_.missed) sizes += o.sizes;
    if (sizes < kLeastSizes) return;
    const auto missed_before = fit_.missed.size();
    const double spread = std::max(simple.spread, kTolerable);
    const auto price = [spread](const Structure& s, const RobustFit& f) {
      return misfit(f, spread) + kConvincing * static_cast<double>(s.starts.size());
    };
    double least = price(structure_, simple);
    SizeSplit split(points_, structure_.from, spread);
    for (std::size_t ranges = 2; ranges <= kMostClasses; ++ranges) {
      auto s = structure_;
      s.starts = split.starts(ranges);
      if (s.starts.empty()) return;
      s.by_octaves = true;
      const auto f = fit(s);
      auto others = missed(s, f);
      if (others.size() >= missed_before || !has_slopes(s, f) || price(s, f) >= least) continue;
      least = price(s, f);
      structure_ = std::move(s);
      fit_.missed = std::move(others);
    }
  }

  std::vector<MissedOctave> missed(const Structure& s, const RobustFit& f) const {
    return missed_octaves(points_, [&](const CurvePoint& p) {
      const auto columns = row_of_point(p, s).columns;
      return std::inner_product(columns.begin(), columns.end(), f.coefficients.begin(), 0.0);
    });
  }

  // A range in which the time does not grow with the size shows no bandwidth: the small sizes of a slow
  // network, where a byte is lost in the scatter of the latency. As a range of its own it would be
  // infinitely fast.
  static bool has_slopes(const Structure& s, const RobustFit& f) {
    for (std::size_t r = 0; r < s.starts.size(); ++r)
      if (f.coefficients[2 * r + 1] <= 0) return false;
    return true;
  }

  bool has_enough(const Structure& s) const {
    std::vector<std::set<std::uint64_t>> sizes(s.starts.size());
    for (const auto& p : points_)
      if (p.kind == CurveKind::message) sizes[s.range(p.bytes)].insert(p.bytes);
    return std::all_of(sizes.begin(), sizes.end(), [](const auto& of) { return of.size() >= kLeastSizes; });
  }

  void figures() {
    const auto best = fit(structure_);
    fit_.spread = best.spread;
    const auto replicates = bootstrap();
    const auto figure = [&](std::size_t column) {
      std::vector<double> values;
      for (const auto& r : replicates) values.push_back(r[column]);
      std::sort(values.begin(), values.end());
      const double value = best.coefficients[column];
      if (values.empty()) return Fitted{value, {value, value}};
      const double widened = small_sample_factor(column, best.coefficients);
      const auto bound = [&](double share) {
        return std::max(0.0, value + widened * (quantile(values, share) - value));
      };
      return Fitted{value, {bound(0.025), bound(0.975)}};
    };
    fit_.latency_ps = figure(0);
    fit_.ps_per_byte = figure(structure_.by_octaves ? 2 * structure_.starts.size() - 1 : 1);
    if (has_synchronous_ || structure_.from) fit_.handshake_ps = figure(structure_.handshake());
    if (structure_.own_synchronous)
      fit_.synchronous_handshake_ps = figure(structure_.synchronous_handshake());
    if (has_calls_) fit_.send_call_ps = figure(structure_.call());
    for (std::size_t r = 0; r < structure_.starts.size(); ++r)
      fit_.ranges.push_back({structure_.starts[r], best.coefficients[2 * r], best.coefficients[2 * r + 1]});
    for (const auto& p : points_)
      if (p.kind == CurveKind::message) {
        const auto r = structure_.range(p.bytes);
        const double transfer = best.coefficients[2 * r + 1] * static_cast<double>(p.bytes);
        const double whole = transfer + best.coefficients[2 * r];
        if (whole > 0) fit_.largest_transfer_share = std::max(fit_.largest_transfer_share, transfer / whole);
      }
    if (fit_.handshake_ps && (fit_.handshake_ps->interval.low <= 0 ||
                              fit_.handshake_ps->value < kLeastHandshake * fit_.latency_ps.value))
      fit_.handshake_ps->value = 0;
  }

  // The fit with this structure, without intervals. What the lines do not determine is copied from the chosen
  // fit.
  MessageFit as(const Structure& s) const {
    auto other = fit_;
    const auto c = fit(s).coefficients;
    const auto figure = [&c](std::size_t column) { return Fitted{c[column], {c[column], c[column]}}; };
    other.latency_ps = figure(0);
    other.ps_per_byte = figure(1);
    if (s.from) other.handshake_ps = figure(s.handshake());
    if (s.own_synchronous) other.synchronous_handshake_ps = figure(s.synchronous_handshake());
    if (has_calls_) other.send_call_ps = figure(s.call());
    other.ranges.clear();
    for (std::size_t r = 0; r < s.starts.size(); ++r)
      other.ranges.push_back({s.starts[r], c[2 * r], c[2 * r + 1]});
    if (!s.from) return other;
    other.rendezvous.known = RendezvousFit::Known::found;
    other.rendezvous.from = round_limit(*std::prev(sizes_.lower_bound(*s.from)), *s.from);
    other.rendezvous.waits_for_transfer = s.waits;
    return other;
  }

  // Few points drawn again scatter less than few points do: by sqrt(n / (n - 2)) for a line through n of
  // them, and by Student's quantile over the normal one (Abramowitz, Stegun, 26.7.5, first term). As many
  // count as tell of the column: their weights times the square of its share of the time (L. Kish, Survey
  // Sampling (1965), 8.2).
  double small_sample_factor(std::size_t column, const std::vector<double>& coefficients) const {
    double sum = 0, squares = 0;
    for (const auto& p : points_) {
      const auto columns = row_of_point(p, structure_).columns;
      const double whole = std::inner_product(columns.begin(), columns.end(), coefficients.begin(), 0.0);
      const double share = whole > 0 ? columns[column] * coefficients[column] / whole : 0;
      sum += p.weight * share * share;
      squares += p.weight * p.weight * share * share * share * share;
    }
    const double points = squares > 0 ? sum * sum / squares : 1;
    const double freedom = std::max(points - 2, 1.0);
    return std::sqrt(std::max(points, 1.0) / freedom) * (1 + 1.21 / freedom);
  }

  // A rendezvous would have shown if its handshake is long compared with the scatter of the message's time.
  void settle_limit() {
    auto& r = fit_.rendezvous;
    if (options_.rendezvous || r.known == RendezvousFit::Known::found || !fit_.handshake_ps) return;
    for (const auto bytes : sizes_) {
      const auto& range = fit_.ranges[structure_.range(bytes)];
      const double message = range.latency_ps + range.ps_per_byte * static_cast<double>(bytes);
      if (fit_.handshake_ps->value <= kVisible * std::max(fit_.spread, kLeastSpread) * message) break;
      r.known = RendezvousFit::Known::not_reached;
      r.above = bytes;
    }
  }

  // Coefficients of fits to points and samples drawn again, of each kind, range and protocol as many as there
  // are.
  std::vector<std::vector<double>> bootstrap() const {
    std::map<std::tuple<CurveKind, std::size_t, bool>, std::vector<std::size_t>> strata;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto& p = points_[i];
      const bool rendezvous = structure_.from && p.bytes >= *structure_.from;
      strata[{p.kind, structure_.range(p.bytes), rendezvous}].push_back(i);
    }
    Random random(options_.seed);
    std::vector<std::vector<double>> replicates;
    for (std::uint32_t n = 0; n < options_.replicates; ++n) {
      std::vector<Row> rows;
      rows.reserve(points_.size());
      for (const auto& [key, members] : strata)
        for (std::size_t i = 0; i < members.size(); ++i) {
          const auto& p = points_[members[random.below(static_cast<std::uint32_t>(members.size()))]];
          rows.push_back(row_of_point(p, structure_));
          rows.back().value = redrawn_middle(p, random);
        }
      replicates.push_back(robust_fit(rows, floor_).coefficients);
    }
    return replicates;
  }

  const std::vector<CurvePoint>& points_;
  const MessageFitOptions& options_;
  bool has_calls_, has_synchronous_;
  std::set<std::uint64_t> sizes_;  // at which messages or calls were measured
  double floor_ = 1;
  Structure structure_;
  std::vector<Structure> others_;  // that are neither excluded nor asked for
  MessageFit fit_;
};

}  // namespace

MessageFit fit_messages(const MessageCurves& curves, const MessageFitOptions& options) {
  return Fit(curves, options).run();
}

}  // namespace busline::calibrate
