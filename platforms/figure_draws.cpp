#include "platforms/figure_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "platforms/description/platform_json.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/random.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

// Between the centre of a normal distribution and 2.5 % of it on one side, in standard deviations.
constexpr double kSigmas = 1.959964;

std::string assignment(const std::string& figure, const std::string& value) {
  return fmt::format("{}={}", figure, value);
}

std::optional<double> picoseconds(const std::string& text) {
  const auto d = parse_duration(text);
  return d ? std::optional(static_cast<double>(d->count())) : std::nullopt;
}
std::optional<double> per_second(const std::string& text) {
  const auto b = parse_bandwidth(text);
  return b && !b->is_unlimited() ? std::optional(b->in_bytes_per_second()) : std::nullopt;
}
std::optional<double> bytes(const std::string& text) {
  const auto b = parse_bytes(text);
  return b ? std::optional(static_cast<double>(count(*b))) : std::nullopt;
}
std::optional<double> plain(const std::string& text) {
  return decimal_number(text);
}

bool is_whole(double value) {
  return value == std::floor(value);
}

struct Notation {
  std::optional<double> (*number)(const std::string&);
  bool is_whole;  // if value and bounds are
  std::string (*text)(double);
};
constexpr Notation kNotations[] = {
    {plain, true, [](double v) { return fmt::format("{:.9g}", v); }},
    {picoseconds, false, [](double v) { return fmt::format("{:.0f} ps", v); }},
    {per_second, false, [](double v) { return to_text(Bandwidth::bytes_per_second(v)); }},
    {bytes, true, [](double v) { return fmt::format("{:.0f} B", v); }},
};

}  // namespace

bool FigureDraws::read(const CalibratedFigure& from, Figure& figure) {
  for (const auto& n : kNotations) {
    const auto value = n.number(from.value), low = n.number(from.low), high = n.number(from.high);
    if (!value || !low || !high) continue;
    const bool whole = n.is_whole && is_whole(*value) && is_whole(*low) && is_whole(*high);
    figure = {*value, std::min(*low, *value), std::max(*high, *value), whole, n.text};
    return figure.low >= 0;
  }
  return false;
}

FigureDraws::FigureDraws(Platform platform)
    : FigureDraws(std::exchange(platform.calibration, {}), platform) {}

FigureDraws::FigureDraws(const std::optional<CalibrationRecord>& record, const Platform& platform)
    : document_(document_of(platform, platform.name)) {
  if (!record) return;
  for (const auto& f : record->figures) {
    Figure figure{};
    if (!read(f, figure)) continue;
    auto as_calibrated = document_;
    if (!apply_set(as_calibrated, assignment(f.figure, f.value))) continue;
    if (const auto same = parse_platform(as_calibrated); !same || *same != platform) continue;
    names_.push_back(f.figure);
    figures_.push_back(figure);
  }
}

Expected<Platform> FigureDraws::draw(std::uint64_t seed) const {
  auto document = document_;
  Random random(Random(seed).next());
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const auto& f = figures_[i];
    const double sigmas = random.normal();
    const double bound = sigmas < 0 ? f.low : f.high, share = std::abs(sigmas) / kSigmas;
    auto drawn = f.low > 0 ? f.value * std::pow(bound / f.value, share)
                           : std::max(0.0, f.value + (bound - f.value) * share);
    if (f.is_count) drawn = std::clamp(std::round(drawn), f.low, f.high);
    if (auto set = apply_set(document, assignment(names_[i], f.text(drawn))); !set)
      return tl::unexpected(std::move(set.error()));
  }
  return parse_platform(document);
}

}  // namespace busline
