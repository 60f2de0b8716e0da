#include "studies/machines/topology_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include "documents/fields/printable.hpp"

namespace busline {
namespace {

struct Point {
  double x = 0, y = 0;
};
using Points = std::vector<Point>;

constexpr double kStep = 60;  // between neighbours, in pixels
constexpr double kMargin = 40, kTitle = 30;
constexpr double kSwitch = 8, kHost = 2.5;  // radii

// n points around `centre`, the first at the top; neighbours are about `step` apart.
double radius_for(std::size_t n, double step) {
  return n < 2 ? 0
               : step / (2 * std::sin(std::numbers::pi / static_cast<double>(std::max<std::size_t>(n, 2))));
}
Point on_circle(Point centre, double radius, std::size_t i, std::size_t n) {
  const auto angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
  return {centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
}

Points circle(std::size_t n) {
  Points points;
  for (std::size_t i = 0; i < n; ++i) points.push_back(on_circle({}, radius_for(n, kStep), i, n));
  return points;
}

// The hosts' level at the bottom; all levels are as wide as the widest.
Points levels(const TreeShape& tree, std::size_t switches, std::size_t hosts) {
  std::vector<std::size_t> sizes;
  std::size_t tops = 1, subtrees = hosts;
  for (std::size_t l = 0; l < tree.down.size(); ++l) {
    tops *= tree.up[l];
    subtrees /= tree.down[l];
    sizes.push_back(tops * subtrees);
  }
  const auto widest = *std::max_element(sizes.begin(), sizes.end());
  const auto host_width = static_cast<double>(tree.down[0]) * 3 * kHost;
  const auto width = static_cast<double>(widest) * std::max(kStep, host_width);
  const auto height = std::max(2 * kStep, width / 8);
  Points points;
  for (std::size_t l = 0; l < sizes.size(); ++l)
    for (std::size_t i = 0; i < sizes[l]; ++i)
      points.push_back({(static_cast<double>(i) + 0.5) * width / static_cast<double>(sizes[l]),
                        -static_cast<double>(l) * height});
  points.resize(switches);
  return points;
}

// Dimensions go to the right and downwards in turn; each further one sets whole grids side by side.
Points grid(const GridShape& shape, std::size_t switches) {
  std::vector<Point> steps;
  double right = kStep, down = kStep;
  for (std::size_t d = 0; d < shape.dimensions.size(); ++d) {
    auto& length = d % 2 == 0 ? right : down;
    steps.push_back(d % 2 == 0 ? Point{length, 0} : Point{0, length});
    length *= shape.dimensions[d] + 0.6;
  }
  Points points(switches);
  for (std::size_t s = 0; s < switches; ++s) {
    auto rest = s;
    for (std::size_t d = 0; d < steps.size(); ++d) {
      const auto at = static_cast<double>(rest % shape.dimensions[d]);
      rest /= shape.dimensions[d];
      points[s].x += at * steps[d].x;
      points[s].y += at * steps[d].y;
    }
  }
  return points;
}

Points groups(std::size_t size, std::size_t switches) {
  const auto count = (switches + size - 1) / size;
  const auto inner = radius_for(size, kStep * 0.7);
  const auto outer = count > 1 ? std::max(radius_for(count, 2 * inner + kStep), inner + kStep) : 0;
  Points points;
  for (std::size_t s = 0; s < switches; ++s)
    points.push_back(on_circle(on_circle({}, outer, s / size, count), inner, s % size, size));
  return points;
}

Points layout(const Topology& t) {
  if (const auto* tree = std::get_if<TreeShape>(&t.shape())) return levels(*tree, t.switches(), t.hosts());
  if (const auto* group = std::get_if<GroupShape>(&t.shape())) return groups(group->group_size, t.switches());
  if (const auto* g = std::get_if<GridShape>(&t.shape()))
    if (g->dimensions.size() > 1 || g->wrap == GridShape::Wrap::mesh) return grid(*g, t.switches());
  return circle(t.switches());
}

// Colours by what a link can do.
const char* colour(std::size_t figures) {
  static constexpr std::array<const char*, 6> kColours{"#4878a8", "#4878a8", "#c05840",
                                                       "#5a9a50", "#8860a8", "#b09030"};
  return kColours[figures % kColours.size()];
}

// Cables between the same switches are one line, as many times as thick. Where a line would run through other
// switches, as around a ring, it is bent.
void draw_links(const Topology& t, const Points& at, std::string& svg) {
  std::map<std::array<std::uint32_t, 3>, int> cables;
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    const auto& link = t.link(l);
    ++cables[{std::min(link.a, link.b), std::max(link.a, link.b), link.figures}];
  }
  const auto* g = std::get_if<GridShape>(&t.shape());
  const bool is_grid = g != nullptr && (g->dimensions.size() > 1 || g->wrap == GridShape::Wrap::mesh);
  const auto opacity = t.links() > 1000 ? 0.25 : t.links() > 200 ? 0.5 : 0.8;
  for (const auto& [link, count] : cables) {
    const auto a = at[link[0]], b = at[link[1]];
    const auto dx = b.x - a.x, dy = b.y - a.y;
    const auto length = std::hypot(dx, dy);
    const auto bend = is_grid && length > 1.1 * kStep ? std::min(0.18 * length, 0.5 * kStep) : 0.0;
    fmt::format_to(std::back_inserter(svg),
                   "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\" "
                   "opacity=\"{}\"/>\n",
                   a.x, a.y, (a.x + b.x) / 2 + bend * dy / length, (a.y + b.y) / 2 - bend * dx / length, b.x,
                   b.y, colour(link[2]), count, opacity);
  }
}

// In a tree below their switch, else around it.
void draw_hosts(const Topology& t, const Points& at, std::string& svg) {
  std::vector<std::uint32_t> hosts(t.switches());
  for (const auto s : t.host_switches()) ++hosts[s];
  const bool tree = std::holds_alternative<TreeShape>(t.shape());
  for (std::uint32_t s = 0; s < t.switches(); ++s)
    for (std::uint32_t h = 0; h < hosts[s]; ++h) {
      const auto radius = std::max(1.7 * kSwitch, hosts[s] * 3 * kHost / (2 * std::numbers::pi));
      const auto p = tree ? Point{at[s].x + (h - (hosts[s] - 1) / 2.0) * 3 * kHost, at[s].y + 3 * kSwitch}
                          : on_circle(at[s], radius, h, std::max(hosts[s], 3U));
      fmt::format_to(std::back_inserter(svg),
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#888\"/>\n", p.x, p.y, kHost);
    }
}

void draw_switches(const Topology& t, const Points& at, std::string& svg) {
  const bool numbered = t.switches() <= 300;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    fmt::format_to(std::back_inserter(svg),
                   "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#fff\" stroke=\"#222\"/>\n", at[s].x,
                   at[s].y, kSwitch);
    if (numbered)
      fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at[s].x,
                     at[s].y + 2.5, s);
  }
}

// For XML, which may hold no control characters and nothing but UTF-8.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : printable(text, 4 * text.size()))
    if (c == '<' || c == '>' || c == '&' || c == '"')
      fmt::format_to(std::back_inserter(safe), "&#{};", int{c});
    else
      safe += c;
  return safe;
}

}  // namespace

Expected<std::string> drawing_of(const Topology& topology, const std::string& title) {
  const auto hosts = topology.hosts();
  if (topology.switches() > kMostDrawnSwitches || topology.links() > kMostDrawnLinks) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.message =
        fmt::format("a network of {} switches and {} links is too large to draw, expected at most {} and {}",
                    topology.switches(), topology.links(), kMostDrawnSwitches, kMostDrawnLinks);
    e.hint = "draw a smaller network of the same family";
    return tl::unexpected(std::move(e));
  }
  auto at = layout(topology);
  Point least = at[0], most = at[0];
  for (const auto& p : at) {
    least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y)};
  }
  const auto caption =
      fmt::format("{}: {} hosts, {} switches, {} links", title, hosts, topology.switches(), topology.links());
  constexpr double kLetter = 7.5;  // as wide as one of the caption may be
  const auto drawn = most.x - least.x + 2 * kMargin;
  const auto width = std::max(drawn, static_cast<double>(caption.size()) * kLetter + 20);
  const auto height = most.y - least.y + 2 * kMargin + kTitle;
  for (auto& p : at) p = {p.x - least.x + kMargin + (width - drawn) / 2, p.y - least.y + kMargin + kTitle};
  auto svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"10\" y=\"20\" font-family=\"sans-serif\" font-size=\"14\">{2}</text>\n<g fill=\"none\">\n",
      width, height, escaped(caption));
  draw_links(topology, at, svg);
  svg += "</g>\n";
  if (hosts <= 4000) draw_hosts(topology, at, svg);
  svg += "<g font-family=\"sans-serif\" font-size=\"7\" text-anchor=\"middle\">\n";
  draw_switches(topology, at, svg);
  return svg + "</g>\n</svg>\n";
}

}  // namespace busline
