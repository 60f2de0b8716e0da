#include "studies/report/gnuplot_axes.hpp"

#include <fmt/format.h>

#include <array>

#include "studies/report/shown_text.hpp"

namespace busline::report {
namespace {

// In which most digits are before the point; of texts for papers, so that micro is not a letter beyond ASCII.
GnuplotUnit unit_of(Unit unit, double largest) {
  static constexpr std::array<GnuplotUnit, 5> kTimes{
      {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
  static constexpr std::array<GnuplotUnit, 5> kBytes{
      {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}};
  static constexpr std::array<GnuplotUnit, 5> kRates{
      {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}}};
  const auto chosen = [&](const auto& units) {
    auto best = units[0];
    for (const auto& u : units)
      if (largest >= u.size) best = u;
    return best;
  };
  switch (unit) {
    case Unit::time:
      return chosen(kTimes);
    case Unit::bytes:
      return chosen(kBytes);
    case Unit::bandwidth:
      return chosen(kRates);
    case Unit::share:
      return {"%", 0.01};
    case Unit::number:
    case Unit::multiple:
      break;
  }
  return {"", 1};
}

GnuplotUnit base_unit(Unit unit) {
  if (unit == Unit::time) return {"s", 1e12};
  return unit_of(unit, 0);
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : shown_text(text)) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
  return out;
}

GnuplotUnit gnuplot_unit(const Scale& scale, double largest) {
  return scale.logarithmic ? base_unit(scale.unit) : unit_of(scale.unit, largest);
}

std::string gnuplot_axis(const char* axis, const Scale& scale, const GnuplotUnit& unit) {
  auto label = scale.label;
  const bool prefixed = scale.logarithmic && (scale.unit == Unit::time || scale.unit == Unit::bytes ||
                                              scale.unit == Unit::bandwidth);
  if (!unit.name.empty() && !prefixed) label += fmt::format(" [{}]", unit.name);
  auto text = fmt::format("set {}label {}\n", axis, gnuplot_text(label));
  if (scale.logarithmic) text += fmt::format("set logscale {}\n", axis);
  if (prefixed) text += fmt::format("set format {} '%.0s %c{}'\n", axis, unit.name);
  return text;
}

}  // namespace busline::report
