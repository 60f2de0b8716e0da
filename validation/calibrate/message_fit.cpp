#include "validation/calibrate/message_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "sim/base/quantile.hpp"
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
constexpr std::size_t kMostClasses = 8;   // that missed octaves ask for: published platforms have up to 5
constexpr double kVisible = 4;            // spreads
constexpr double kLeastHandshake = 0.02;  // share of the latency: anything less counts as none

// Which rows have what. `from`: rendezvous from there, nothing: all are eager. `starts`: of ranges, the first
// is 0.
struct Structure {
  std::optional<std::uint64_t> from;
  bool waits = false;
  bool own_synchronous = false;  // an MPI_Ssend below `from` has another handshake
  // The ranges follow octaves. Calls that wait for the transfer then show a bandwidth of their own: buffers
  // hide another part of it at each size.
  bool by_octaves = false;
  std::vector<std::uint64_t> starts{0};

  std::size_t range(std::uint64_t bytes) const {
    std::size_t r = 0;
    while (r + 1 < starts.size() && bytes >= starts[r + 1]) ++r;
    return r;
  }
  std::size_t handshake() const { return 2 * starts.size(); }
  std::size_t call() const { return handshake() + 1; }
  std::size_t call_per_byte() const { return handshake() + 2; }
  std::size_t synchronous_handshake() const { return handshake() + 3; }
  std::size_t rendezvous_call() const { return handshake() + 4; }
  std::size_t waiting_per_byte() const { return handshake() + 5; }
  std::size_t columns() const { return handshake() + 6; }
};

// MPI_Send:   latency + bytes * per byte, and from the limit on the handshake
// MPI_Ssend:  the same with a handshake at every size; below the limit it may have one of its own
// the call:   a constant and, while eager, something for each byte that is copied; from the limit on another
//             constant and, if it waits for it, the transfer
Row row(const CurvePoint& p, const Structure& s) {
  Row row{std::vector<double>(s.columns(), 0), p.ps, p.weight};
  const auto bytes = static_cast<double>(p.bytes);
  const bool is_large = s.from.has_value() && p.bytes >= *s.from;
  const bool rendezvous = p.kind == CurveKind::synchronous_message || is_large;
  const auto range = s.range(p.bytes);
  if (p.kind == CurveKind::send_call) {
    row.columns[rendezvous ? s.rendezvous_call() : s.call()] = 1;
    if (!rendezvous) row.columns[s.call_per_byte()] = bytes;
    if (rendezvous && s.waits) row.columns[s.by_octaves ? s.waiting_per_byte() : 2 * range + 1] = bytes;
    return row;
  }
  if (rendezvous) row.columns[s.own_synchronous && !is_large ? s.synchronous_handshake() : s.handshake()] = 1;
  row.columns[2 * range] = 1;
  row.columns[2 * range + 1] = bytes;
  return row;
}

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
    return std::move(fit_);
  }

 private:
  RobustFit fit(const Structure& s) const {
    std::vector<Row> rows;
    rows.reserve(points_.size());
    for (const auto& p : points_) rows.push_back(row(p, s));
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

  // No rendezvous at all comes first.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    all.push_back({Structure(), fit(Structure())});
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
          if (shows_rendezvous(s, fitted.coefficients)) all.push_back({std::move(s), std::move(fitted)});
        }
      }
    }
    return all;
  }

  void choose_limit() {
    auto& r = fit_.rendezvous;
    if (options_.rendezvous) {
      r = *options_.rendezvous;
      if (r.known == RendezvousFit::Known::found) structure_.from = r.from;
      structure_.waits = r.waits_for_transfer;
      return;
    }
    const auto all = candidates();
    double spread = all.front().fit.spread;
    for (const auto& c : all) spread = std::min(spread, c.fit.spread);
    spread = std::max(spread, kLeastSpread);
    std::vector<double> misfits;
    misfits.reserve(all.size());
    for (const auto& c : all) misfits.push_back(misfit(c.fit, spread));
    // A handshake of its own for MPI_Ssend has to explain more, too.
    const auto price = [&](std::size_t i) { return all[i].structure.own_synchronous ? kConvincing : 0; };
    for (std::size_t i = 0; i < all.size(); ++i) misfits[i] += price(i);
    const auto least = std::min_element(misfits.begin(), misfits.end());
    if (misfits.front() - *least < kConvincing) return;
    const auto& best = all[static_cast<std::size_t>(least - misfits.begin())].structure;
    auto lowest = *best.from, highest = *best.from;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].structure.waits != best.waits || all[i].structure.own_synchronous != best.own_synchronous ||
          misfits[i] - *least > kAdmitted)
        continue;
      lowest = std::min(lowest, *all[i].structure.from);
      highest = std::max(highest, *all[i].structure.from);
    }
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
      if (!better || best.spread > kWorthARange * simple.spread) return;
      if (misfit(simple, spread) - misfit(best, spread) < kConvincing) return;
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
      const auto columns = row(p, s).columns;
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
      return Fitted{value, {quantile(values, 0.025), quantile(values, 0.975)}};
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
          rows.push_back(row(p, structure_));
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
  MessageFit fit_;
};

}  // namespace

MessageFit fit_messages(const MessageCurves& curves, const MessageFitOptions& options) {
  return Fit(curves, options).run();
}

}  // namespace busline::calibrate
